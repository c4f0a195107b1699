/** `npm run attacks -- --minutes N`: each attack while two other merchants buy. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Agent } from 'undici';
import { type Attack, attacks } from './attacks.ts';
import { buy, type Ground, openGround } from './ground.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    only: { type: 'string' },
    rate: { type: 'string', default: '20' },
    limit: { type: 'string', default: '500' },
    together: { type: 'boolean', default: false },
  },
});
const lastsMs = Number(values.minutes) * 60_000;
const perS = Number(values.rate);

type Seen = {
  readonly bought: number;
  /** Answers other than 200, by status. */
  readonly refused: ReadonlyMap<number, number>;
  readonly p50: number;
  readonly p99: number;
  readonly rssMb: number;
  readonly stillMs: number;
};

/** Two merchants buy at a steady pace; memory and the event loop are watched. */
async function watch(ground: Ground, forMs: number): Promise<Seen> {
  const agent = new Agent({ connections: 64 });
  const tookMs: number[] = [];
  const refused = new Map<number, number>();
  const buying: Promise<void>[] = [];
  const worst = { rssMb: 0, stillMs: 0 };
  const endMs = performance.now() + forMs;
  const purchaseOf = async (turn: number): Promise<void> => {
    const shop = ground.shops[turn % ground.shops.length];
    if (shop === undefined) return;
    const startMs = performance.now();
    const status = await buy(agent, ground, shop);
    tookMs.push(performance.now() - startMs);
    if (status !== 200) refused.set(status, (refused.get(status) ?? 0) + 1);
  };
  await metricsOf(ground);
  for (let turn = 0; performance.now() < endMs; turn += 1) {
    buying.push(purchaseOf(turn));
    if (turn % perS === perS - 1) {
      const { rssMb, stillMs } = await metricsOf(ground);
      worst.rssMb = Math.max(worst.rssMb, rssMb);
      worst.stillMs = Math.max(worst.stillMs, stillMs);
    }
    await sleep(1_000 / perS);
  }
  await Promise.all(buying);
  await agent.destroy();
  tookMs.sort((one, other) => one - other);
  const at = (part: number): number => tookMs[Math.floor(part * (tookMs.length - 1))] ?? 0;
  return { bought: tookMs.length, refused, p50: at(0.5), p99: at(0.99), ...worst };
}

async function metricsOf({ gateway }: Ground): Promise<{ rssMb: number; stillMs: number }> {
  const text = await (await fetch(gateway.metricsUrl)).text();
  const read = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? 0);
  return {
    rssMb: read('process_resident_memory_bytes') / 1_048_576,
    stillMs: read('nodejs_eventloop_lag_max_seconds') * 1_000,
  };
}

function countsText(counts: ReadonlyMap<number, number>): string {
  if (counts.size === 0) return 'none';
  return [...counts].map(([status, count]) => `${count} × ${status === 0 ? 'no answer' : status}`).join(', ');
}

function seenText({ bought, refused, p50, p99, rssMb, stillMs }: Seen): string {
  const times = `p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;
  return `${bought} bought, refused: ${countsText(refused)}; ${times}; resident ${rssMb.toFixed(0)} MB; still ${stillMs.toFixed(0)} ms`;
}

/** Runs the attacks at the same time. Returns whether no purchase was refused. */
async function attackWith(ground: Ground, together: readonly Attack[]): Promise<boolean> {
  const calm = await watch(ground, Math.min(lastsMs, 60_000));
  // A process for each, so that its work delays no measured answer.
  const attackers = together.map(({ name }) => {
    const attacker = fork(join(import.meta.dirname, 'attacks.ts'));
    attacker.send({ name, target: ground.target });
    return { name, attacker };
  });
  const seen = await watch(ground, lastsMs);
  for (const { name, what } of together) console.log(`${name}  ${what}`);
  console.log(`    calm: ${seenText(calm)}\n    then: ${seenText(seen)}`);
  console.log(`    p99 ${(seen.p99 / calm.p99).toFixed(2)} times that of calm`);
  await Promise.all(
    attackers.map(async ({ name, attacker }) => {
      attacker.send('end');
      const [statuses] = (await once(attacker, 'message')) as [[number, number][]];
      attacker.disconnect();
      console.log(`    answers to ${name}: ${countsText(new Map(statuses))}`);
    }),
  );
  return seen.refused.size === 0;
}

await using ground = await openGround(values.limit);
// One warm-up, so that code is compiled and connections are open.
await watch(ground, 5_000);
const chosen = attacks.filter(
  ({ name }) => values.only === undefined || values.only.split(',').includes(name),
);
const held: boolean[] = [];
const rounds = values.together ? [chosen] : chosen.map((attack) => [attack]);
for (const together of rounds) held.push(await attackWith(ground, together));
if (held.includes(false)) process.exitCode = 1;
