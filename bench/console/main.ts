/**
 * `node bench/console/main.ts`: the time to load each screen's data with a million purchases, and
 * the cost for purchases when a hundred people have the console open.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Gateway, startGateway } from '../../test/support/gateway.ts';
import { LoadGenerator } from '../load/generator.ts';
import { median } from '../results.ts';
import { type Ground, runProgram } from '../run-program.ts';
import { ask } from './ask.ts';
import { fill } from './fill.ts';
import { type Known, readingsOf } from './screen-data.ts';
import { openSessions, watchAll } from './sessions.ts';

const SCREEN_MS_MAX = 200;
const TIMES = 5;
const ROUNDS = 3;
const PER_S = 150;
/** Test purchases are served in-process. */
const NOBODY = 'http://127.0.0.1:9';
/** Linux counts processor time in these units. */
const TICK_MS = 10;
const usage = 'usage: node bench/console/main.ts [--purchases N] [--sessions N] [--seconds N]\n';

type Options = { readonly purchases: number; readonly sessions: number; readonly seconds: number };

await runProgram({ name: 'console', parseOptions, usage, run });

function parseOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      purchases: { type: 'string', default: '1000000' },
      sessions: { type: 'string', default: '100' },
      seconds: { type: 'string', default: '10' },
    },
  });
  const number = (text: string): number => {
    if (!/^[1-9]\d{0,7}$/.test(text)) throw new Error(`${text} is no number`);
    return Number(text);
  };
  return {
    purchases: number(values.purchases),
    sessions: number(values.sessions),
    seconds: number(values.seconds),
  };
}

async function run({ purchases, sessions, seconds }: Options, { cluster, dir, stack, progress }: Ground) {
  const databaseUrl = await cluster.createDatabase('console');
  const dataDir = join(dir, 'console');
  await mkdir(dataDir);
  // The first start sets the database up.
  await (await startGateway({ databaseUrl, dataDir, simulatorUrl: NOBODY }))[Symbol.asyncDispose]();
  const known = await fill(databaseUrl, purchases, progress);
  progress(`filled with ${purchases.toLocaleString('en')} purchases`);
  const gateway = stack.use(await startGateway({ databaseUrl, dataDir, simulatorUrl: NOBODY }));
  const [url = '', ...cookies] = [consoleOf(gateway), ...(await openSessions(databaseUrl, sessions))];
  await untilAddedUp(url, cookies[0] ?? '', known);
  await timeScreens(url, cookies[0] ?? '', known);
  await weighSessions(gateway, url, cookies, seconds, progress);
}

function consoleOf(gateway: Gateway): string {
  const [, url = ''] = /Console +(http:\S+) /.exec(gateway.output()) ?? [];
  return url;
}

/** The simulated purchases are rolled up by the report itself, a few seconds at a time. */
async function untilAddedUp(url: string, cookie: string, { from, to }: Known): Promise<void> {
  const input = { environment: 'live', from, to };
  while ((await ask(url, cookie, { operation: 'report.show', input })).ms > 1_000);
}

async function timeScreens(url: string, cookie: string, known: Known): Promise<void> {
  let slow = 0;
  for (const reading of readingsOf(known)) {
    const took: number[] = [];
    for (let time = 0; time < TIMES; time += 1) took.push((await ask(url, cookie, reading)).ms);
    const [first = 0, ...later] = took;
    const most = Math.max(...later);
    const isSlow = median(later) > SCREEN_MS_MAX;
    if (isSlow) slow += 1;
    const name = `${reading.screen}: ${reading.operation} ${reading.what ?? ''}`.padEnd(62);
    const figures = [first, median(later), most].map((ms) => ms.toFixed(0).padStart(6)).join('');
    process.stdout.write(`${name}${figures}${isSlow ? '  slow' : ''}\n`);
  }
  process.stdout.write(
    `(first, median and longest of ${TIMES - 1} more, in ms)  slower than ${SCREEN_MS_MAX} ms: ${slow}\n`,
  );
  if (slow > 0) process.exitCode = 1;
}

/** Alternates: without and with them. */
async function weighSessions(
  gateway: Gateway,
  url: string,
  cookies: readonly string[],
  seconds: number,
  progress: (text: string) => void,
): Promise<void> {
  await using load = new LoadGenerator();
  const { merchant, test } = gateway.credentials;
  let bought = 0;
  const buy = async (): Promise<number> => {
    const before = await processorMs(gateway.pid);
    const result = await load.run({
      port: Number(new URL(gateway.url).port),
      connections: 8,
      credentials: [{ ...test, merchant }],
      requests: {
        kind: 'purchases',
        path: '/v1/transactions/airtime/sync',
        run: 'console',
        from: bought,
        networks: ['mtn', 'glo'],
        amount: '50',
      },
      pace: { kind: 'open', perSecond: PER_S, seconds },
      expect: '"response_code":"00"',
    });
    bought += result.sent;
    if (result.good === 0) throw new Error(`nothing was bought: ${JSON.stringify(result.errors)}`);
    return ((await processorMs(gateway.pid)) - before) / result.good;
  };
  const idle = async (): Promise<number> => {
    const before = await processorMs(gateway.pid);
    await new Promise((resolve) => setTimeout(resolve, 1_000 * seconds));
    return ((await processorMs(gateway.pid)) - before) / seconds;
  };
  await buy();
  const without: number[][] = [[], []];
  const beside: number[][] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    without[0]?.push(await buy());
    without[1]?.push(await idle());
    const streams = await watchAll(url, cookies);
    beside[0]?.push(await buy());
    beside[1]?.push(await idle());
    progress(`round ${round + 1}: ${streams.told()} events to ${cookies.length} sessions`);
    await streams.close();
  }
  const said = (what: string, figures: number[][], unit: string, index: number, scale: number): string =>
    `${what}: ${(median(figures[index] ?? []) * scale).toFixed(0)} ${unit}\n`;
  process.stdout.write(
    said('processor time of a purchase, nobody has the console open', without, 'µs', 0, 1_000) +
      said(`the same, ${cookies.length} sessions have it open`, beside, 'µs', 0, 1_000) +
      said('processor time of the gateway without purchases, nobody', without, 'ms a second', 1, 1) +
      said(`the same, ${cookies.length} sessions`, beside, 'ms a second', 1, 1),
  );
}

/** For all threads together. */
async function processorMs(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
