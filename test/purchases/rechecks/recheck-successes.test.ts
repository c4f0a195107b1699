/**
 * Successes are queried again at several ages: a reversal raises an alarm and is booked onto the
 * float, the merchant's money does not move, each age queries each success once, and a query reads
 * little of a long history.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { systemClock } from '../../../src/core/clock.ts';
import { noFailpoints } from '../../../src/core/failpoints.ts';
import { newId } from '../../../src/core/ids.ts';
import { createLog } from '../../../src/core/log.ts';
import type { Tx } from '../../../src/db/database.ts';
import { Limiter, newTurn } from '../../../src/providers/http/limiter.ts';
import type { Provider, ProviderAnswer } from '../../../src/providers/provider.ts';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import type { ResolveItem } from '../../../src/purchases/engine/resolve-store.ts';
import {
  beginRound,
  claimLooks,
  moveLook,
  openLooks,
  readLooks,
} from '../../../src/purchases/rechecks/recheck-store.ts';
import {
  RECHECK_AGES,
  type RecheckDependencies,
  recheckSuccesses,
} from '../../../src/purchases/rechecks/recheck-successes.ts';
import { postRefund } from '../../../src/purchases/refunds/post-refund.ts';
import { changeOutcomes } from '../../support/change-outcomes.ts';
import { resolvePurchases } from '../../support/commit-purchases.ts';
import { openFileDatabase } from '../../support/file-database.ts';
import { lookedAt } from '../../support/looked-at.ts';
import { noAlike } from '../../support/no-alike.ts';
import { noBalances } from '../../support/no-balances.ts';
import { testCells } from '../../support/test-cells.ts';
import { accept, answer, assertAudited, moneyOf, openBuyer, purchase, resolveWords } from '../fixture.ts';

const database = await openFileDatabase();
const buyer = await openBuyer(database, 10_000_000n);

const said: Readonly<Record<string, ProviderAnswer>> = {
  success: { kind: 'success', code: '000', message: 'delivered' },
  reversed: { kind: 'failed', fault: 'order', code: '040', message: 'reversed' },
  silence: { kind: 'unknown', code: 'timeout', message: 'no answer' },
  neverHeard: { kind: 'not_found', code: '015', message: 'never heard of it' },
};

/** Its answer about each order. An order without an answer still stands. */
const words = new Map<string, keyof typeof said>();
const asked: string[] = [];
let state: 'closed' | 'open' = 'closed';

const orders = new Limiter({ callsMax: 8, queryShare: 0.5, waitingMax: 10 });
const provider = {
  name: 'sandbox',
  takesBack: true,
  limiters: { orders, reads: orders },
  breakerState: () => state,
  query: async ({ reference }: { reference: string }) => {
    asked.push(reference);
    return said[words.get(reference) ?? 'success'];
  },
} as unknown as Provider;

const never = (): never => assert.fail('not expected');
const dependencies = {
  database,
  log: createLog('silent'),
  providers: new Map([['sandbox', provider]]),
  guards: { stops: () => false },
  clock: systemClock,
  failpoints: noFailpoints,
  unsentMs: { async: 1, sync: 1, order: 1 },
  alike: noAlike,
  balances: noBalances,
  findSentAttempt: async () => ({ account: undefined, answer: undefined }),
  commits: {
    resolve: async (item: ResolveItem) => {
      const [verdict] = await database.transaction((tx) => resolvePurchases(tx, [item]));
      assert.ok(verdict);
      return verdict;
    },
  },
  sealer: { seal: never },
  fulfilmentMs: 0,
  houseAccounts: { float: never, revenue: never, vouchers: never },
  onAnswer: () => undefined,
  onFinal: never,
  onContradiction: () => undefined,
} as unknown as RecheckDependencies;

/** A success of so long ago. */
async function sold(hoursAgo: number, word?: keyof typeof said): Promise<AcceptItem> {
  const item = purchase(buyer, 10_000n);
  assert.equal((await accept(database, item))[0]?.kind, 'accepted');
  assert.deepEqual(await resolveWords(database, answer(buyer, item, 'success')), ['done success']);
  await changeOutcomes(database, "set at = now() - $2 * interval '1 hour' where purchase_id = $1", [
    item.id,
    hoursAgo,
  ]);
  if (word !== undefined) words.set(`p-${item.id}`, word);
  return item;
}

const reference = ({ id }: AcceptItem): string => `p-${id}`;

const DAY = 24 * 60;

/** Makes the rechecks at one age due now, and no others. */
async function makeDue(age: number): Promise<void> {
  await database.query(
    `update success_rechecks
     set due_at = case when age_minutes = $1 then now() end, lease_id = null`,
    [age],
  );
}

/** Runs the job at one age over newer purchases, until nothing is left to query. */
async function rounds(hoursAgo: number, age = DAY): Promise<string[]> {
  asked.length = 0;
  await openLooks(database, ['sandbox'], RECHECK_AGES);
  await database.query(
    `update success_rechecks
     set last_at = now() - $1 * interval '1 hour', last_merchant_id = 0, tries = 0`,
    [hoursAgo + 0.01],
  );
  for (let round = 0; round < 4; round += 1) {
    await makeDue(age);
    await recheckSuccesses(dependencies);
  }
  return [...asked];
}

/** The kinds of the alarms about a purchase. */
const alarmsOf = async ({ id }: AcceptItem): Promise<string[]> =>
  (
    await database.query<{ kind: string }>('select kind from alarms where purchase_id = $1 order by id', [id])
  ).map(({ kind }) => kind);

const refundsOf = async ({ id }: AcceptItem) =>
  await database.query<{ refund_id: string; kind: string; amount: bigint }>(
    'select refund_id, kind, amount from purchase_refunds where purchase_id = $1 order by refund_id',
    [id],
  );

async function costOf({ id }: AcceptItem): Promise<bigint> {
  const [row] = await database.query<{ cost: bigint }>(
    'select cost from purchase_outcomes where purchase_id = $1',
    [id],
  );
  return row?.cost ?? 0n;
}

describe('a second look at successes', () => {
  it('queries each success of yesterday once, in order, and no others', async () => {
    const [second, first] = [await sold(25), await sold(26)];
    await sold(23);
    await sold(0);
    assert.deepEqual(await rounds(26), [first, second].map(reference));
    assert.deepEqual([await alarmsOf(first), await alarmsOf(second)], [[], []]);
  });

  it('begins two days ago, but not before the first merchant', async () => {
    const begins = async (days: number): Promise<number | undefined> => {
      await database.query('delete from success_rechecks');
      await database.query("update merchants set created_at = now() - $1 * interval '1 day'", [days]);
      await openLooks(database, ['sandbox'], [DAY]);
      const [row] = await database.query<{ days: number }>(
        'select (extract(epoch from now() - last_at) / 86400)::float8 as days from success_rechecks',
      );
      return Math.round((row?.days ?? 0) * 1_000) / 1_000;
    };
    assert.deepEqual([await begins(0), await begins(1.5), await begins(9)], [1, 1.5, 2]);
  });

  it('raises one alarm about a reversal, books it, and leaves the merchant’s money', async () => {
    const money = await moneyOf(database, buyer);
    const item = await sold(24.5, 'reversed');
    const paid = await moneyOf(database, buyer);
    assert.equal(money.posted - paid.posted, 10_000n);
    assert.deepEqual(await rounds(24.5), [reference(item)]);
    assert.deepEqual(await alarmsOf(item), ['contradiction']);
    assert.deepEqual(await moneyOf(database, buyer), paid);
    const [booked] = await refundsOf(item);
    assert.deepEqual([booked?.kind, booked?.amount], ['provider', await costOf(item)]);
    // A process died before it could store how far it had come.
    await database.query("update success_rechecks set last_at = now() - interval '25 hours'");
    assert.deepEqual(await rounds(24.5), [reference(item)]);
    assert.deepEqual(await alarmsOf(item), ['contradiction']);
    assert.equal((await refundsOf(item)).length, 1);
    await assertAudited(database);
  });

  it('books a reversal whose process died between the alarm and the booking', async () => {
    const item = await sold(24.45, 'reversed');
    await openLooks(database, ['sandbox'], RECHECK_AGES);
    await database.query("update success_rechecks set last_at = now() - interval '24.46 hours'");
    await makeDue(DAY);
    const dying = {
      query: database.query.bind(database),
      transaction: () => Promise.reject(new Error('killed')),
    };
    await assert.rejects(recheckSuccesses({ ...dependencies, database: dying as never }), /killed/);
    assert.deepEqual([await alarmsOf(item), await refundsOf(item)], [['contradiction'], []]);
    assert.deepEqual(await rounds(24.45), [reference(item)]);
    assert.equal((await refundsOf(item)).length, 1);
    assert.deepEqual(await alarmsOf(item), ['contradiction']);
  });

  it('books only the part that an operator has not booked yet', async () => {
    const item = await sold(24.44, 'reversed');
    const cost = await costOf(item);
    const named = { ...item, purchaseId: item.id, reference: 'x' };
    await database.transaction((tx) =>
      postRefund(tx, { purchase: named, kind: 'provider', amount: 1n, reason: 'a part' }, 'ada'),
    );
    await rounds(24.44);
    const amounts = (await refundsOf(item)).map(({ amount }) => amount);
    assert.deepEqual(amounts, [1n, cost - 1n]);
  });

  it('queries a success at each age, and skips an age that the next one covers', async () => {
    const item = await sold(0.5);
    assert.deepEqual(await rounds(0.5, 10), [reference(item)]);
    assert.deepEqual(await rounds(0.5, 60), []);
    const week = await sold(7 * 24 + 1);
    assert.deepEqual(await rounds(7 * 24 + 1, 7 * DAY), [reference(week)]);
    assert.deepEqual(await rounds(7 * 24 + 1, 3 * DAY), []);
    // However long the last age had no turn.
    await sold(8 * 24 + 1);
    assert.deepEqual(await rounds(8 * 24 + 1, 7 * DAY), [reference(week)]);
  });

  it('finds a reversal at a later age, and raises no second alarm at the ages after it', async () => {
    const item = await sold(24.43);
    await rounds(24.43);
    assert.deepEqual(await alarmsOf(item), []);
    words.set(reference(item), 'reversed');
    await changeOutcomes(database, "set at = now() - interval '73 hours' where purchase_id = $1", [item.id]);
    await rounds(73, 3 * DAY);
    await database.query('update alarms set acknowledged_at = now() where purchase_id = $1', [item.id]);
    assert.deepEqual(await rounds(73, 3 * DAY), [reference(item)]);
    assert.deepEqual(await alarmsOf(item), ['contradiction']);
    assert.equal((await refundsOf(item)).length, 1);
  });

  it('queries again without a clear answer, and stops after a few times', async () => {
    const silent = await sold(24.4, 'silence');
    const later = await sold(24.3, 'reversed');
    const questions = await rounds(24.4);
    const times = questions.filter((one) => one === reference(silent)).length;
    assert.equal(times, 3);
    assert.equal((await alarmsOf(later)).length, 1);
    assert.deepEqual(await alarmsOf(silent), []);
  });

  it('does not take "not found" for a reversal', async () => {
    const item = await sold(24.2, 'neverHeard');
    assert.deepEqual(await rounds(24.2), [reference(item)]);
    assert.deepEqual(await alarmsOf(item), []);
  });

  it('queries nothing while the provider is unavailable, or while other calls use all its slots', async () => {
    const item = await sold(24.1);
    state = 'open';
    assert.deepEqual(await rounds(24.1), []);
    state = 'closed';
    const turns = Array.from({ length: 8 }, () => newTurn('query'));
    for (const turn of turns) orders.reserve(turn);
    await makeDue(DAY);
    asked.length = 0;
    await recheckSuccesses(dependencies);
    assert.deepEqual(asked, []);
    for (const turn of turns) orders.leave(turn);
    assert.deepEqual(await rounds(24.1), [reference(item)]);
  });

  it('runs in one process at a time; a delayed one changes nothing', async () => {
    await sold(24.05);
    await makeDue(DAY);
    const claim = (name: string, leaseMs: number) => claimLooks(database, [name], { limit: 1, leaseMs });
    const [[held], other] = [await claim('sandbox', 0), await claim('other', 60_000)];
    assert.ok(held);
    assert.deepEqual(other, []);
    const [taken] = await claim('sandbox', 60_000);
    assert.ok(taken, 'its lease has run out');
    assert.deepEqual(await claim('sandbox', 60_000), []);
    assert.equal(await beginRound(database, held, 8 * DAY), undefined);
    const until = await beginRound(database, taken, 8 * DAY);
    assert.ok(until);
    const read = await readLooks(database, taken, { until, limit: 5, takenAtMs: 0 });
    const next = read[0] ?? (await passTo(taken, until));
    assert.ok(next);
    assert.equal(await moveLook(database, held, next, 60_000), false);
    assert.equal(await moveLook(database, taken, next, 60_000), true);
  });
});

async function passTo(look: Parameters<typeof readLooks>[1], until: string) {
  await database.query("update success_rechecks set last_at = now() - interval '24 hours 4 minutes'");
  return (await readLooks(database, look, { until, limit: 5, takenAtMs: 0 }))[0];
}

/** As the database writes a time. */
async function dayAgo(): Promise<string> {
  const [row] = await database.query<{ until: string }>("select (now() - interval '1 day')::text as until");
  return row?.until ?? '';
}

// PostgreSQL summarizes an index by time for each partition only.
const wholeTables = { skip: testCells > 1 && 'measures one index by time' };

describe('in a long history', wholeTables, () => {
  const HISTORY = 100_000;
  before(async () => {
    // A month of successes at another provider.
    await database.query(
      `insert into purchase_outcomes (merchant_id, environment, purchase_id, status, reason, provider, network, recipient, at)
       select 9, 'live', (lpad(to_hex(n), 12, '0') || substr(md5(n::text), 1, 20))::uuid, 'success', 'delivered',
         'long', 'MTN', '', now() - interval '30 days' + n * interval '26 seconds'
       from generate_series(1, $1::integer) as n`,
      [HISTORY],
    );
    await database.query("select brin_summarize_new_values('purchase_outcomes_time_idx')");
    await openLooks(database, ['long'], [DAY]);
    await database.query(
      "update success_rechecks set last_at = now() - interval '25 hours' where provider = 'long'",
    );
  });

  it('reads the blocks of a minute', async () => {
    const look = { provider: 'long', age_minutes: DAY, lease_id: newId(), tries: 1 };
    const until = await dayAgo();
    const read = await lookedAt(database, ['purchase_outcomes', 'purchases', 'further_attempts'], (tx: Tx) =>
      readLooks(tx, look, { until, limit: 4, takenAtMs: 0 }),
    );
    assert.ok(read > 0 && read < 20_000, `${read} were looked at`);
  });

  it('reads no blocks of adjacent older and newer successes', async () => {
    await database.query(
      `insert into purchase_outcomes (merchant_id, environment, purchase_id, status, reason, provider, network, recipient, at)
       select 8, 'live', gen_random_uuid(), 'success', 'delivered', 'long', 'MTN', '',
         now() - n * interval '1 ms' - case when n / 500 % 2 = 0 then interval '60 days' else interval '0' end
       from generate_series(1, $1::integer) as n`,
      [HISTORY],
    );
    await database.query("select brin_summarize_new_values('purchase_outcomes_time_idx')");
    const look = { provider: 'long', age_minutes: DAY, lease_id: newId(), tries: 1 };
    const until = await dayAgo();
    const read = await lookedAt(database, ['purchase_outcomes', 'purchases', 'further_attempts'], (tx: Tx) =>
      readLooks(tx, look, { until, limit: 4, takenAtMs: 0 }),
    );
    assert.ok(read > 0 && read < 20_000, `${read} were looked at`);
  });
});
