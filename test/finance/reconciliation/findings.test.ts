/**
 * Orders that a provider lists and that are unknown here: each is entered once for its owner, by
 * the rules of every purchase, or left open with the reason.
 */
import assert from 'node:assert/strict';
import { createSecretKey, randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import { loadCatalog } from '../../../src/catalog/catalog.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { unwatched } from '../../../src/core/progress.ts';
import { runReconciliation } from '../../../src/finance/reconciliation/run-reconciliation.ts';
import { settleByHand } from '../../../src/finance/reconciliation/settle-findings.ts';
import { loadRestoreLock } from '../../../src/operate/restore-lock/restore-lock.ts';
import { setRestoreLock } from '../../../src/operate/restore-lock/set-restore-lock.ts';
import type { Provider } from '../../../src/providers/provider.ts';
import { keyMarks, type Marked, mintDigits, mintUuid } from '../../../src/providers/reference-mark.ts';
import type { StatementLine } from '../../../src/providers/statements/statement-line.ts';
import {
  accept,
  answer,
  type Buyer,
  moneyOf,
  openAuditedDatabase,
  openBuyer,
  purchase,
  resolveWords,
} from '../../purchases/fixture.ts';
import { isBought } from '../../support/a-purchase.ts';
import { refusedAct, refusedBySchema } from '../../support/refusals.ts';

const database = await openAuditedDatabase();
await database.transaction((tx) =>
  setRestoreLock(tx, { cause: 'by_hand', source: 'test', reason: 'a test', lostFrom: new Date() }, 'test'),
);

let references = 0;

function boughtBy(buyer: Buyer): Marked {
  references += 1;
  return { environment: 'live', merchantId: buyer.merchantId, reference: `LOST-${references}` };
}

function line(of: Marked | string, fields: Partial<StatementLine> = {}): StatementLine {
  return {
    line: 1,
    state: 'delivered',
    words: 'delivered',
    at: new Date(Date.now() - 60_000),
    reference: typeof of === 'string' ? of : `202611221030${mintDigits(of, isBought)}`,
    product: 'airtime',
    network: 'MTN',
    recipient: '08031234567',
    amount: 100n,
    cost: 97n,
    currency: 'NGN',
    ...fields,
  };
}

type Lists = Readonly<Record<string, readonly StatementLine[]>>;

type Found = {
  readonly verdict: string;
  readonly reason: string | null;
  readonly purchase_id: string | null;
};

/** Reads one list after the other. Returns the result for each unknown order. */
async function reconcile(lists: Lists, { apply = true } = {}): Promise<readonly Found[]> {
  const runs: string[] = [];
  for (const [name, lines] of Object.entries(lists)) {
    const listOrders = async () => ({ kind: 'page', lines, next: undefined }) as const;
    const providers = new Map([[name, { name, listOrders } as unknown as Provider]]);
    const needs = {
      database,
      clock: systemClock,
      actor: { name: 'test', principal: 'user:test', edge: 'cli' },
      approvalLimits: { correction: undefined },
      sealer: unneeded,
      openBanks: unneeded,
      openProviders: async () => ({ providers, [Symbol.asyncDispose]: async () => undefined }),
    } as const;
    const party = {
      name,
      kind: 'provider',
      environment: 'live',
      currencies: [],
      mapping: undefined,
    } as const;
    const period = { from: new Date(Date.now() - 7_200_000) };
    const wanted = { party, file: undefined, mapping: undefined, period, apply };
    runs.push(await runReconciliation(needs, wanted, unwatched));
  }
  return await database.query<Found>(
    `select verdict, reason, purchase_id
     from reconciliation_differences
     where run_id = any($1::uuid[])
     and verdict is not null
     order by run_id, number`,
    [runs],
  );
}

function unneeded(): never {
  throw new Error('it is not needed here');
}

function verdictsOf(found: readonly Found[]): (string | null)[][] {
  return found.map(({ verdict, reason }) => [verdict, reason]);
}

/**
 * The lists of both providers are required: findings of one are complete only when both were read.
 */
async function need(...providers: readonly string[]): Promise<void> {
  await database.query("delete from routes where environment = 'live'");
  for (const [index, provider] of providers.entries()) {
    await database.query(
      `insert into routes (environment, product, network, position, provider)
       values ('live', 'airtime', 'MTN', $1, $2)`,
      [index + 1, provider],
    );
  }
}

async function standing(purchaseId: string | null | undefined): Promise<unknown> {
  const [row] = await database.query(
    `select v.reference, o.status, p.step, p.attempts, p.provider
     from purchases v
     left join purchase_outcomes o on o.purchase_id = v.id
     left join pending_purchases p on p.purchase_id = v.id
     where v.id = $1`,
    [purchaseId],
  );
  return row;
}

describe('an order that is not known', () => {
  it('keeps an order of another installation at the same account open, and charges no merchant', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const keyed = (name: string): void => keyMarks(createSecretKey(Buffer.from(name.padEnd(32, '.'))));
    keyed('theirs');
    const theirs = Array.from({ length: 121 }, () => line(boughtBy(buyer)));
    keyed('ours');
    const ours = line(boughtBy(buyer));
    const verdicts = verdictsOf(await reconcile({ vtpass: [...theirs, ours] })).map(([verdict]) => verdict);
    assert.equal(verdicts.filter((verdict) => verdict === 'open').length, 121);
    assert.equal(verdicts.filter((verdict) => verdict === 'entered').length, 1);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 100n });
  });

  it('enters an order once for its merchant, holds its charge, and queries its provider', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const lost = line(boughtBy(buyer));
    const dry = await reconcile({ vtpass: [lost] }, { apply: false });
    assert.deepEqual(verdictsOf(dry), [['open', null]]);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 0n });
    const done = await reconcile({ vtpass: [lost, { ...lost, line: 2, page: 2 }] });
    assert.deepEqual(verdictsOf(done), [['entered', null]]);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 100n });
    const wanted = {
      reference: `restored-vtpass-${lost.reference}`,
      status: null,
      step: 'query',
      attempts: 1,
      provider: 'vtpass',
    };
    assert.deepEqual(await standing(done[0]?.purchase_id), wanted);
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [lost] }, { apply: false })), []);
  });

  it('keeps an order open when the wallet cannot pay, and enters it once it can', async () => {
    const poor = await openBuyer(database, 99n);
    const lost = line(boughtBy(poor));
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [lost] })), [['open', 'insufficient_funds']]);
    assert.deepEqual(await moneyOf(database, poor), { posted: 99n, held: 0n });
    const affordable = line(lost.reference ?? '', { amount: 99n });
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [affordable] })), [['entered', null]]);
  });

  it('keeps an order open when its merchant, recipient or product is unknown', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const nobody = { environment: 'live', merchantId: 999_999, reference: 'X' } as const;
    // A purchase of something that is no longer in the catalog.
    const gone = `202611221030${mintDigits(boughtBy(buyer), { product: 'airtime', network: 'GONE' })}`;
    const { network: _network, ...withoutNetwork } = line(gone, { recipient: '08035550000' });
    const cases: [StatementLine, string | null][] = [
      [line(randomUUID()), null],
      [line(nobody), 'no_merchant'],
      [withoutNetwork, 'no_network'],
    ];
    for (const [lost, reason] of cases) {
      assert.deepEqual(verdictsOf(await reconcile({ vtpass: [lost] })), [['open', reason]]);
    }
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 0n });
    // It failed, so it concerns no merchant.
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [line(randomUUID(), { state: 'failed' })] })), []);
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [line('fee', { state: 'charge' })] })), []);
  });

  it('enters a failed order as failed once the lists of all providers are read', async () => {
    await need('nomba', 'vtpass');
    await database.query('update restore_locks set raised_at = now(), lost_from = now()');
    const buyer = await openBuyer(database, 0n);
    const lost = line(boughtBy(buyer), { state: 'failed' });
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [lost] })), [['open', 'other_lists_missing']]);
    assert.deepEqual(verdictsOf(await reconcile({ nomba: [] })), []);
    const [found] = await database.query<Found>(
      'select verdict, reason, purchase_id from reconciliation_differences where reference = $1',
      [lost.reference],
    );
    assert.equal(found?.verdict, 'entered');
    assert.deepEqual(await standing(found.purchase_id), {
      reference: `restored-vtpass-${lost.reference}`,
      status: 'failed',
      step: null,
      attempts: null,
      provider: null,
    });
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [lost] }, { apply: false })), []);
  });

  it('keeps a failed order open until the list with the delivery arrives, and makes both one purchase', async () => {
    await need('nomba', 'vtpass');
    await database.query('update restore_locks set raised_at = now(), lost_from = now()');
    const buyer = await openBuyer(database, 1_000n);
    const bought = boughtBy(buyer);
    const failed = line(bought, { state: 'failed' });
    const delivered = line(mintUuid(bought, isBought));
    await reconcile({ vtpass: [failed] });
    const done = await reconcile({ nomba: [delivered] });
    assert.deepEqual(verdictsOf(done), [['entered', null]]);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 100n });
    const stands = (await standing(done[0]?.purchase_id)) as Record<string, unknown>;
    assert.deepEqual([stands.attempts, stands.provider], [2, 'nomba']);
  });

  it('keeps an order open without a restore lock, until an operator enters it', async () => {
    await database.query('update restore_locks set lifted_at = now()');
    const buyer = await openBuyer(database, 1_000n);
    const lost = line(boughtBy(buyer));
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [lost] })), [['open', null]]);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 0n });
    const settling = { database, catalog: await loadCatalog(database), actor: 'test' };
    const name = { provider: 'vtpass', reference: lost.reference ?? '' };
    const entered = await settleByHand(settling, name, { given: {} });
    assert.equal(entered?.verdict, 'entered');
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 100n });
    assert.equal(await settleByHand(settling, name, { given: {} }), undefined, 'once');
    await database.query('update restore_locks set lifted_at = null');
  });

  it('enters an order once, with any number of processes', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const lost = line(boughtBy(buyer));
    await reconcile({ vtpass: [lost] }, { apply: false });
    const settling = { database, catalog: await loadCatalog(database), actor: 'test' };
    const name = { provider: 'vtpass', reference: lost.reference ?? '' };
    const all = await Promise.all([1, 2, 3].map(() => settleByHand(settling, name, { given: {} })));
    assert.equal(all.filter((settled) => settled?.verdict === 'entered').length, 1);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 100n });
  });
});

describe('an order of a purchase that is known', () => {
  it('records an order of a known purchase as its current attempt, and does not send the purchase again', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = { ...purchase(buyer, 100n), attempt: undefined };
    await accept(database, item);
    const lost = line({ environment: 'live', merchantId: buyer.merchantId, reference: item.reference });
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [lost] })), [['attempt', null]]);
    assert.deepEqual(await standing(item.id), {
      reference: item.reference,
      status: null,
      step: 'query',
      attempts: 1,
      provider: 'vtpass',
    });
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 100n });
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [lost] }, { apply: false })), []);
  });

  it('keeps an order open when another order delivered its purchase', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = purchase(buyer, 100n);
    await accept(database, item);
    await resolveWords(database, answer(buyer, item, 'success'));
    const lost = line({ environment: 'live', merchantId: buyer.merchantId, reference: item.reference });
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [lost] })), [['open', 'delivered_again']]);
    // Naming the merchant charges it no second time, and no other merchant.
    const before = await moneyOf(database, buyer);
    const settling = { database, catalog: await loadCatalog(database), actor: 'test' };
    const name = { provider: 'vtpass', reference: lost.reference ?? '' };
    const [own] = await database.query<{ code: string }>('select code from merchants where id = $1', [
      buyer.merchantId,
    ]);
    const again = await settleByHand(settling, name, { merchant: own?.code ?? '', given: {} });
    assert.deepEqual([again?.verdict, again?.reason], ['open', 'delivered_again']);
    const other = await openBuyer(database, 1_000n);
    const [stranger] = await database.query<{ code: string }>('select code from merchants where id = $1', [
      other.merchantId,
    ]);
    await assert.rejects(
      settleByHand(settling, name, { merchant: stranger?.code ?? '', given: {} }),
      refusedAct('finding_of_other_merchant'),
    );
    assert.deepEqual(await moneyOf(database, buyer), before);
    assert.deepEqual(await moneyOf(database, other), { posted: 1_000n, held: 0n });
  });
});

describe('the reference of a merchant', () => {
  it('replaces our reference by the merchant’s once, with concurrent requests, and uses it from then on', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const bought = boughtBy(buyer);
    const [found] = await reconcile({ vtpass: [line(bought)] });
    const purchaseId = found?.purchase_id;
    const [one, two] = [await loadRestoreLock(database), await loadRestoreLock(database)];
    // Another reference has another mark.
    assert.equal(one.recall({ ...bought, reference: 'OTHER' }), undefined);
    await Promise.all([one.recall(bought), two.recall(bought), one.recall(bought)]);
    assert.equal(((await standing(purchaseId)) as { reference: string }).reference, bought.reference);
    assert.equal(one.recall(bought), undefined);
    const again = { ...purchase(buyer, 100n), reference: bought.reference };
    const [verdict] = await accept(database, again);
    assert.deepEqual(verdict, { kind: 'duplicate', firstId: purchaseId, status: 'pending' });
    const entries = await database.query(
      "select from audit_log where action = 'finding.name' and subject = $1",
      [`purchase:${purchaseId}`],
    );
    assert.equal(entries.length, 1);
  });

  it('changes no other part of a purchase', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = purchase(buyer, 100n);
    await accept(database, item);
    const [found] = await reconcile({ vtpass: [line(boughtBy(buyer))] });
    const entered = found?.purchase_id;
    for (const [change, id] of [
      ["reference = 'x'", item.id],
      ['charge = 1', entered],
      ["reference = 'x', charge = 1", entered],
    ]) {
      await assert.rejects(
        database.query(`update purchases set ${change} where id = $1`, [id]),
        refusedBySchema,
      );
    }
  });
});
