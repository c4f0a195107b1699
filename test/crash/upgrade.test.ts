/**
 * An upgrade while merchants buy: the previous release's process serves while this one migrates the
 * database beside it, then both serve, then the old one goes. Nobody gets an answer of 500 and
 * above, nothing is lost or bought twice, and the books are right.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyPair } from '../support/gateway.ts';
import { fetchPlans, tally } from '../support/load.ts';
import { openPreviousRelease } from '../support/previous-release.ts';
import { until } from '../support/processes.ts';
import { type Fixture, openFixture } from './fixture.ts';

/** How long each stage is watched. */
const STAGE_MS = 4_000;

it('is upgraded under load without an answer of 500 and above', { timeout: 240_000 }, async (t) => {
  const previous = await openPreviousRelease();
  if (previous === undefined)
    return t.skip('the release before is not in the history here: git fetch --unshallow');
  await using fixture = await openFixture({ OJA_SIMULATOR_LATENCY_MS: '20' }, { empty: true });
  const old = await fixture.start({}, previous.entry);
  const stored = await countMigrations(fixture);

  const serving = [old.url];
  let turn = 0;
  const url = (): string => serving[turn++ % serving.length] ?? '';
  const [live, test] = [await fixture.live(), await fixture.test()];
  const plans = await fetchPlans(old.url, live.key, live.secret);
  const load = await fixture.startLoad({ url, plans, clients: 8, pauseMs: 10, billShare: 0.2 });
  const reads = readOn(url, [live, test]);
  await sleep(STAGE_MS);

  const fresh = await fixture.start();
  assert.ok((await countMigrations(fixture)) > stored, 'the new release brought migrations');
  await sleep(STAGE_MS);
  serving.push(fresh.url);
  await sleep(STAGE_MS);
  serving.shift();
  // What was on its way to it arrives.
  await sleep(1_000);
  assert.deepEqual(await old.stop(), { code: 0, signal: null });
  await sleep(STAGE_MS);
  await load.stop();
  const told = await reads.stop();

  t.diagnostic(tally(load.purchases));
  const bad = load.purchases.filter(({ answers }) => answers.some(({ status }) => isBad(status)));
  assert.deepEqual(bad, []);
  assert.deepEqual(summary(told), {});
  assert.ok(load.purchases.length > 100);
  const { wrong } = await fixture.settle({ load, gateway: fresh });
  assert.deepEqual(wrong, []);
  await until('nothing is left of the old process', 15_000, async () => {
    const rows = await fixture.database.query('select from gateways');
    return rows.length === 1;
  });
});

/** How often each was told, without what differs. */
function summary(told: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of told) {
    const what = one.replace(/card-\d+/, 'card').replace(/\(request [^)]*\)/, '');
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}

/** Whether nobody should get such an answer, not even in an upgrade. */
function isBad(status: number | string): boolean {
  return typeof status === 'string' || status >= 500;
}

async function countMigrations({ database }: Pick<Fixture, 'database'>): Promise<number> {
  return (await database.query('select from schema_migrations')).length;
}

const paths = [
  '/v1/healthz',
  '/v1/transactions?limit=20',
  '/v1/transactions?status=1&network=glo',
  '/v1/wallet/balance',
  '/v1/wallet/statement',
  '/v1/wallet/funding-account',
  '/v1/plans/mtn',
  '/v1/plans/bills/ELECTRICITY',
  '/v1/giftcards/catalog',
  '/v1/esim/catalog',
];
/** Test credentials: one that is delivered at once, one that is pending for three seconds. */
const cards = [300002, 990001];

/** Reads everything and orders gift cards, over and over; tells each bad answer. */
function readOn(url: () => string, as: readonly KeyPair[]): { stop(): Promise<string[]> } {
  const bad: string[] = [];
  let stopping = false;
  let orders = 0;
  const ask = async (caller: KeyPair, path: string, body?: object): Promise<void> => {
    const headers = {
      'x-merchant-key': caller.key,
      'x-merchant-secret': caller.secret,
      ...(body && { 'content-type': 'application/json' }),
    };
    const options = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const told = await fetch(`${url()}${path}`, { headers, ...options }).then(
      async (answer) => [answer.status, await answer.text()] as const,
      (error: unknown) => [String(error), ''] as const,
    );
    if (isBad(told[0])) bad.push(`${path}: ${told.join(' ')}`);
  };
  const finished = Promise.all(
    as.map(async (caller) => {
      while (!stopping) {
        for (const path of paths) await ask(caller, path);
        for (const plan_id of cards) {
          const request_id = `card-${++orders}`;
          await ask(caller, '/v1/giftcards/orders', { request_id, plan_id });
          await ask(caller, `/v1/giftcards/orders/${request_id}`);
        }
        await sleep(100);
      }
    }),
  );
  return {
    async stop() {
      stopping = true;
      await finished;
      return bad;
    },
  };
}
