/**
 * What becomes of each order that a provider lists and that is not known here: entered once, for
 * whose it is, by the rules of every purchase, or left with the reason.
 */
import assert from 'node:assert/strict';
import { createSecretKey, randomUUID } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { loadCatalog } from '../../src/catalog/catalog.ts';
import { unwatched } from '../../src/kernel/progress.ts';
import { keyMarks, type Marked, mintDigits, mintUuid } from '../../src/providers/reference-mark.ts';
import { loadFence } from '../../src/recovery/fence.ts';
import { findFence } from '../../src/recovery/fence-store.ts';
import { raiseFence } from '../../src/recovery/raise-fence.ts';
import { type Reconciled, reconcileRestore } from '../../src/recovery/reconcile-restore.ts';
import { reconciledAnswer } from '../../src/recovery/reconciled-answer.ts';
import type { StatementLine } from '../../src/statements/statement-line.ts';
import { isBought } from '../support/a-purchase.ts';
import { createTestDatabase } from '../support/database.ts';
import { refusedBySchema } from '../support/refusals.ts';
import {
  accept,
  answer,
  assertAudited,
  type Buyer,
  moneyOf,
  openBuyer,
  purchase,
  resolveWords,
} from '../vending/fixture.ts';

const clone = await createTestDatabase();
const { database } = clone;
after(async () => {
  await assertAudited(database);
  await clone[Symbol.asyncDispose]();
});
await database.transaction((tx) =>
  raiseFence(tx, { cause: 'by_hand', source: 'test', reason: 'a test', lostFrom: new Date() }, 'test'),
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
    at: new Date(),
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

async function reconcile(
  lists: Lists,
  { apply = true, needed = Object.keys(lists) } = {},
): Promise<Reconciled> {
  const fence = await findFence(database);
  assert.ok(fence);
  const listings = new Map(
    Object.entries(lists).map(([provider, lines]) => [
      provider,
      { source: 'file', lines: listed(lines) } as const,
    ]),
  );
  const catalog = await loadCatalog(database);
  const period = { from: new Date(0), until: new Date() };
  // A person says that the files have the whole time.
  const filesHold = period;
  const work = { database, catalog, fence, ...period, filesHold, listings, needed, apply, actor: 'test' };
  return await reconcileRestore({ ...work, onProgress: unwatched });
}

async function* listed(lines: readonly StatementLine[]): AsyncGenerator<StatementLine> {
  yield* lines;
}

function verdictsOf({ purchases }: Reconciled): (string | undefined)[][] {
  return purchases.map(({ settled }) => [settled.verdict, settled.reason]);
}

async function standing(vendId: string | undefined): Promise<unknown> {
  const [row] = await database.query(
    `select v.reference, o.status, p.step, p.attempts, p.provider
     from vends v
     left join vend_outcomes o on o.vend_id = v.id
     left join pending_vends p on p.vend_id = v.id
     where v.id = $1`,
    [vendId],
  );
  return row;
}

describe('what a reconciliation answers', () => {
  it('sums the naira of each merchant to the kobo, those that came back too', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const sumOf = async (...amounts: readonly bigint[]) => {
      const lines = amounts.map((amount) => line(boughtBy(buyer), { amount }));
      const reconciled = await reconcile({ vtpass: lines }, { apply: false });
      const period = { from: new Date(0), until: new Date(), apply: false };
      const { merchants } = await reconciledAnswer(database, reconciled, period);
      return merchants.map(({ amount }) => amount);
    };
    assert.deepEqual(await sumOf(1_005n, 1n), ['10.06']);
    assert.deepEqual(await sumOf(-550n), ['-5.50']);
    assert.deepEqual(await sumOf(1_000n, -5n), ['9.95']);
  });
});

describe('an order that is not known', () => {
  it('of another installation at the same account waits for a person, and charges nobody', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const keyed = (name: string): void => keyMarks(createSecretKey(Buffer.from(name.padEnd(32, '.'))));
    keyed('theirs');
    const theirs = Array.from({ length: 121 }, () => line(boughtBy(buyer)));
    keyed('ours');
    const ours = line(boughtBy(buyer));
    const verdicts = verdictsOf(await reconcile({ vtpass: [...theirs, ours] })).map(([verdict]) => verdict);
    assert.equal(verdicts.filter((verdict) => verdict === 'left').length, 121);
    assert.equal(verdicts.filter((verdict) => verdict === 'entered').length, 1);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 100n });
  });

  it('is entered once for whose it is, holds its charge, and is asked about', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const lost = line(boughtBy(buyer));
    const dry = await reconcile({ vtpass: [lost] }, { apply: false });
    assert.deepEqual(verdictsOf(dry), [['entered', undefined]]);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 0n });
    const done = await reconcile({ vtpass: [lost, lost] });
    assert.deepEqual(verdictsOf(done), [['entered', undefined]]);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 100n });
    const wanted = {
      reference: `restored-vtpass-${lost.reference}`,
      status: null,
      step: 'query',
      attempts: 1,
      provider: 'vtpass',
    };
    assert.deepEqual(await standing(done.purchases[0]?.settled.vendId), wanted);
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [lost] })), []);
  });

  it('is left where the wallet cannot pay, and entered once it can', async () => {
    const poor = await openBuyer(database, 99n);
    const lost = line(boughtBy(poor));
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [lost] })), [['left', 'insufficient_funds']]);
    assert.deepEqual(await moneyOf(database, poor), { posted: 99n, held: 0n });
    const affordable = line(lost.reference ?? '', { amount: 99n });
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [affordable] })), [['entered', undefined]]);
  });

  it('is left where it does not say whose, for whom, or of what it is', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const nobody = { environment: 'live', merchantId: 999_999, reference: 'X' } as const;
    // A purchase of something that the catalog does not have any more.
    const gone = `202611221030${mintDigits(boughtBy(buyer), { product: 'airtime', network: 'GONE' })}`;
    const { network: _network, ...withoutNetwork } = line(gone, { recipient: '08035550000' });
    const cases: [StatementLine, string][] = [
      [line(randomUUID()), 'no_mark'],
      [line(nobody), 'no_merchant'],
      [withoutNetwork, 'no_network'],
    ];
    for (const [lost, reason] of cases) {
      assert.deepEqual(verdictsOf(await reconcile({ vtpass: [lost] })), [['left', reason]]);
    }
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 0n });
    // Nothing came of it: it is nobody's matter.
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [line(randomUUID(), { state: 'failed' })] })), []);
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [line('fee', { state: 'charge' })] })), []);
  });

  it('that failed is entered as failed, once nobody else can have delivered it', async () => {
    const buyer = await openBuyer(database, 0n);
    const lost = line(boughtBy(buyer), { state: 'failed' });
    const some = await reconcile({ vtpass: [lost] }, { needed: ['nomba', 'vtpass'] });
    assert.deepEqual(verdictsOf(some), [['left', 'other_lists_missing']]);
    const all = await reconcile({ vtpass: [lost], nomba: [] });
    assert.deepEqual(verdictsOf(all), [['entered', undefined]]);
    const [{ settled } = { settled: undefined }] = all.purchases;
    assert.deepEqual(await standing(settled?.vendId), {
      reference: `restored-vtpass-${lost.reference}`,
      status: 'failed',
      step: null,
      attempts: null,
      provider: null,
    });
  });

  it('of two providers is one purchase: the one that delivered counts', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const bought = boughtBy(buyer);
    const delivered = line(mintUuid(bought, isBought), { state: 'delivered' });
    const done = await reconcile({ nomba: [delivered], vtpass: [line(bought, { state: 'failed' })] });
    assert.deepEqual(verdictsOf(done), [['entered', undefined]]);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 100n });
    const stands = (await standing(done.purchases[0]?.settled.vendId)) as Record<string, unknown>;
    assert.deepEqual([stands.attempts, stands.provider], [2, 'nomba']);
  });
});

describe('an order of a purchase that is known', () => {
  it('is the attempt that counts from then on, and the purchase is not sent again', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = { ...purchase(buyer, 100n), attempt: undefined };
    await accept(database, item);
    const lost = line({ environment: 'live', merchantId: buyer.merchantId, reference: item.reference });
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [lost] })), [['attempt', undefined]]);
    assert.deepEqual(await standing(item.id), {
      reference: item.reference,
      status: null,
      step: 'query',
      attempts: 1,
      provider: 'vtpass',
    });
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 100n });
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [lost] })), []);
  });

  it('is left where the purchase is a success by another', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = purchase(buyer, 100n);
    await accept(database, item);
    await resolveWords(database, answer(buyer, item, 'success'));
    const lost = line({ environment: 'live', merchantId: buyer.merchantId, reference: item.reference });
    assert.deepEqual(verdictsOf(await reconcile({ vtpass: [lost] })), [['left', 'delivered_again']]);
  });
});

describe('the reference of a merchant', () => {
  it('takes the place of ours once, whoever says it at the same time, and is used from then on', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const bought = boughtBy(buyer);
    const { purchases } = await reconcile({ vtpass: [line(bought)] });
    const vendId = purchases[0]?.settled.vendId;
    const [one, two] = [await loadFence(database), await loadFence(database)];
    // Another reference has another mark.
    assert.equal(one.recall({ ...bought, reference: 'OTHER' }), undefined);
    await Promise.all([one.recall(bought), two.recall(bought), one.recall(bought)]);
    assert.equal(((await standing(vendId)) as { reference: string }).reference, bought.reference);
    assert.equal(one.recall(bought), undefined);
    const again = { ...purchase(buyer, 100n), reference: bought.reference };
    const [verdict] = await accept(database, again);
    assert.deepEqual(verdict, { kind: 'duplicate', firstId: vendId, status: 'pending' });
    const entries = await database.query(
      "select from audit_log where action = 'restore.name' and subject = $1",
      [`vend:${vendId}`],
    );
    assert.equal(entries.length, 1);
  });

  it('changes nowhere else: purchases are never changed', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = purchase(buyer, 100n);
    await accept(database, item);
    const { purchases } = await reconcile({ vtpass: [line(boughtBy(buyer))] });
    const entered = purchases[0]?.settled.vendId;
    for (const [change, id] of [
      ["reference = 'x'", item.id],
      ['charge = 1', entered],
      ["reference = 'x', charge = 1", entered],
    ]) {
      await assert.rejects(database.query(`update vends set ${change} where id = $1`, [id]), refusedBySchema);
    }
  });
});
