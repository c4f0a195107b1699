/**
 * One purchase that cannot be processed because its rows are wrong: it is quarantined with an
 * alarm, its money stays held, and the others continue.
 */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { systemClock } from '../../../src/core/clock.ts';
import { noFailpoints } from '../../../src/core/failpoints.ts';
import { newId } from '../../../src/core/ids.ts';
import { createLog } from '../../../src/core/log.ts';
import { createSealer, newSealingKey } from '../../../src/core/sealing.ts';
import { Limiter } from '../../../src/providers/http/limiter.ts';
import type { Provider, ProviderAnswer } from '../../../src/providers/provider.ts';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import { DatabaseClock } from '../../../src/purchases/engine/database-clock.ts';
import { PurchaseWorker } from '../../../src/purchases/engine/work-purchases.ts';
import { resolvePurchases } from '../../support/commit-purchases.ts';
import { openFileDatabase } from '../../support/file-database.ts';
import { fixedRoutes } from '../../support/fixed-routes.ts';
import { noAlike } from '../../support/no-alike.ts';
import { noBalances } from '../../support/no-balances.ts';
import { noGuards } from '../../support/no-guards.ts';
import { noRestoreLock } from '../../support/no-restore-lock.ts';
import { until } from '../../support/until.ts';
import { accept, assertAudited, gatewayId, moneyOf, openBuyer, purchase } from '../fixture.ts';

const database = await openFileDatabase();
const buyer = await openBuyer(database, 1_000_000n);

const delivered: ProviderAnswer = { kind: 'success', code: '00', message: 'delivered', cost: 9n };
const sent: string[] = [];
const limiter = new Limiter({ callsMax: 2, waitingMax: 2 });
const provider: Provider = {
  name: 'sandbox',
  products: new Set(['airtime']),
  environment: 'live',
  sellsWithoutCodes: new Set(),
  wholeNairaOnly: new Set(),
  limiters: { orders: limiter, reads: limiter },
  notFoundGraceMs: 60_000,
  deadlineMs: 1_000,
  mintReference: () => newId(),
  purchase: async (order) => {
    sent.push(order.recipient);
    return delivered;
  },
  query: async () => delivered,
  balance: async () => undefined,
  [Symbol.asyncDispose]: async () => undefined,
};

/** A worker that cannot store the answers to `unstorable`. */
function startWorker(unstorable?: AcceptItem): AsyncDisposable {
  const providers = new Map([[provider.name, provider]]);
  const routes = fixedRoutes(() => []);
  const worker = new PurchaseWorker({
    database,
    providers,
    clock: systemClock,
    log: createLog('silent'),
    guards: noGuards,
    restoreLock: noRestoreLock,
    gatewayId,
    databaseClock: new DatabaseClock(systemClock),
    isPaused: () => false,
    routes,
    unsentMs: { async: 60_000, sync: 60_000, order: 60_000 },
    failpoints: noFailpoints,
    onAnswer: () => undefined,
    alike: noAlike,
    balances: noBalances,
    findSentAttempt: async () => ({ account: undefined, answer: undefined }),
    sealer: createSealer(newSealingKey()),
    fulfilmentMs: 50_000,
    commits: {
      resolve: async (item) => {
        if (item.purchaseId === unstorable?.id) throw new Error('no place for it');
        const [verdict] = await resolvePurchases(database, [item]);
        assert.ok(verdict);
        return verdict;
      },
    },
    houseAccounts: {
      float: () => buyer.floatId,
      revenue: () => buyer.revenueId,
      vouchers: () => buyer.revenueId,
    },
    onFinal: () => undefined,
    onContradiction: () => undefined,
  });
  worker.start((round) => round().catch(() => undefined));
  return worker;
}

async function bought(recipient = '2348031234567'): Promise<AcceptItem> {
  const item = purchase(buyer, 10n, { mode: 'async', recipient });
  await accept(database, item);
  return item;
}

const isFinal = async ({ id }: AcceptItem): Promise<boolean> =>
  (await database.query('select from purchase_outcomes where purchase_id = $1', [id])).length > 0;

async function standOf({ id }: AcceptItem): Promise<Record<string, unknown> | undefined> {
  const [row] = await database.query(
    `select owner, flagged_at is not null as flagged, due_at > now() + interval '50 minutes' as later
     from pending_purchases
     where purchase_id = $1`,
    [id],
  );
  return row;
}

async function alarmsOf({ id }: AcceptItem): Promise<string[]> {
  const rows = await database.query<{ kind: string }>('select kind from alarms where purchase_id = $1', [id]);
  return rows.map(({ kind }) => kind);
}

/** The purchases before and after it are processed. It is not, and one alarm is raised. */
async function assertQuarantined(odd: AcceptItem, others: readonly AcceptItem[]): Promise<void> {
  for (const item of others) await until('a purchase is final', () => isFinal(item));
  await until('it is set aside', async () => (await standOf(odd))?.flagged === true);
  assert.deepEqual(await standOf(odd), { owner: null, flagged: true, later: true });
  assert.deepEqual(await alarmsOf(odd), ['quarantined']);
  assert.equal((await moneyOf(database, buyer)).held, 10n);
  await database.query('update pending_purchases set due_at = now() where purchase_id = $1', [odd.id]);
  await until('it is set aside again', async () => (await standOf(odd))?.later === true);
  assert.deepEqual(await alarmsOf(odd), ['quarantined']);
  const after = await bought();
  await until('a later purchase is final', () => isFinal(after));
}

/** Ends it, like a person who repairs its rows. */
async function mend({ id }: AcceptItem): Promise<void> {
  await database.query('update pending_purchases set attempts = 1, due_at = now() where purchase_id = $1', [
    id,
  ]);
  await using _worker = startWorker();
  await until('the mended purchase is final', () => isFinal({ id } as AcceptItem));
  await database.query('update alarms set acknowledged_at = now()');
}

describe('a purchase that cannot be worked on', () => {
  afterEach(() => assertAudited(database));

  it('quarantines a purchase whose next attempt is already stored, and does not send it', async () => {
    const odd = await bought('2348030000001');
    await database.query(
      `insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason)
       values ($1, $2, 1, 'sandbox', $3, 'test')`,
      [buyer.merchantId, odd.id, newId()],
    );
    const others = [await bought(), await bought()];
    {
      await using _worker = startWorker();
      for (const item of others) await until('a purchase is final', () => isFinal(item));
      await until('it is set aside', async () => (await standOf(odd))?.flagged === true);
      assert.deepEqual(await alarmsOf(odd), ['quarantined']);
      // In an hour it is queried, like any order that may have left.
      await database.query('update pending_purchases set due_at = now() where purchase_id = $1', [odd.id]);
      await until('it is final', () => isFinal(odd));
    }
    assert.ok(!sent.includes('2348030000001'));
    await database.query('update alarms set acknowledged_at = now()');
  });

  it('quarantines a purchase whose attempt is missing, and continues with the others', async () => {
    const odd = await bought();
    const others = [await bought(), await bought()];
    await database.query(
      `insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason)
       values ($1, $2, 1, 'sandbox', $3, 'test')`,
      [buyer.merchantId, odd.id, newId()],
    );
    await database.query(`update pending_purchases set step = 'query', attempts = 2 where purchase_id = $1`, [
      odd.id,
    ]);
    {
      await using _worker = startWorker();
      await assertQuarantined(odd, others);
    }
    await mend(odd);
  });

  it('quarantines a purchase whose answer cannot be stored, and continues with the others', async () => {
    const odd = await bought();
    const others = [await bought(), await bought()];
    {
      await using _worker = startWorker(odd);
      await assertQuarantined(odd, others);
    }
    await mend(odd);
  });

  it('releases the limiter slot of a purchase whose provider differs from that of its attempt', async () => {
    const items = await Promise.all([bought(), bought(), bought()]);
    await database.query(
      `insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason)
       select merchant_id, purchase_id, 1, 'gone', 'gone-' || purchase_id, 'test'
       from pending_purchases`,
    );
    await database.query(`update pending_purchases set step = 'query', attempts = 1`);
    await using _worker = startWorker();
    await until('they were asked about', async () => {
      const rows = await database.query('select from pending_purchases where queries > 0');
      return rows.length === items.length;
    });
    const after = await bought();
    await until('a later purchase is final', () => isFinal(after));
    await database.query(`update pending_purchases set step = 'send', due_at = now()`);
    for (const item of items) await until('a purchase is final', () => isFinal(item));
  });
});
