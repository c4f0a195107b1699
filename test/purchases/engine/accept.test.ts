/**
 * Accepting batches: funds in arrival order, one purchase a reference, neighbours unharmed, no
 * deadlock.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { newId } from '../../../src/core/ids.ts';
import { isConnectionLost, isUnavailable } from '../../../src/db/database-errors.ts';
import type { AcceptItem, AcceptVerdict } from '../../../src/purchases/engine/accept-store.ts';
import { GroupCommit } from '../../../src/purchases/engine/group-commit.ts';
import { changeWallet } from '../../support/change-wallet.ts';
import { acceptPurchases } from '../../support/commit-purchases.ts';
import {
  accept,
  acceptKinds,
  answer,
  count,
  gatewayId,
  moneyOf,
  openAuditedDatabase,
  openBuyer,
  purchase,
  resolveWords,
} from '../fixture.ts';

const database = await openAuditedDatabase();

describe('the funds of a batch', () => {
  it('serves purchases in arrival order: skips one too large, and accepts a later one that fits', async () => {
    const buyer = await openBuyer(database, 100n);
    const [large, small] = [purchase(buyer, 150n), purchase(buyer, 50n)];
    assert.deepEqual(await acceptKinds(database, large, small), ['insufficient', 'accepted']);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 100n, held: 50n });
  });

  it('spends funds to the last kobo, and no further', async () => {
    const buyer = await openBuyer(database, 100n);
    const charges = [60n, 60n, 40n, 1n, 0n];
    assert.deepEqual(await acceptKinds(database, ...charges.map((charge) => purchase(buyer, charge))), [
      'accepted',
      'insufficient',
      'accepted',
      'insufficient',
      'accepted',
    ]);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 100n, held: 100n });
  });

  it('serves each wallet by itself, and returns verdicts in the order of the batch', async () => {
    const [one, two] = [await openBuyer(database, 100n), await openBuyer(database, 70n)];
    const items = [
      purchase(two, 70n),
      purchase(one, 60n),
      purchase(two, 1n),
      purchase(one, 60n),
      purchase(one, 40n),
    ];
    assert.deepEqual(await acceptKinds(database, ...items), [
      'accepted',
      'accepted',
      'insufficient',
      'insufficient',
      'accepted',
    ]);
    assert.deepEqual(await moneyOf(database, one), { posted: 100n, held: 100n });
    assert.deepEqual(await moneyOf(database, two), { posted: 70n, held: 70n });
  });

  it('spends down to a floor below zero, and stops at one above it', async () => {
    const buyer = await openBuyer(database, 100n);
    await changeWallet(database, buyer.walletId, { floor: -50n });
    assert.deepEqual(await acceptKinds(database, purchase(buyer, 151n), purchase(buyer, 150n)), [
      'insufficient',
      'accepted',
    ]);
    const other = await openBuyer(database, 100n);
    await changeWallet(database, other.walletId, { floor: 30n });
    assert.deepEqual(await acceptKinds(database, purchase(other, 71n), purchase(other, 70n)), [
      'insufficient',
      'accepted',
    ]);
  });

  it('refuses a missing wallet, and stores nothing of it', async () => {
    const buyer = await openBuyer(database, 100n);
    const lost = purchase({ ...buyer, walletId: 9_999_999n }, 10n);
    assert.deepEqual(await acceptKinds(database, lost, purchase(buyer, 10n)), ['no_wallet', 'accepted']);
    assert.equal(await count(database, 'purchases', lost.id), 0);
  });
});

describe('the rows that accept stores', () => {
  it('stores a sync purchase with its first attempt, claimed by this gateway', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = purchase(buyer, 100n, {
      product: 'data',
      planCode: 'MTN-1',
      faceValue: 110n,
      details: { planCodes: { sandbox: { code: 'x' } }, phone: '2348031234567' },
      route: ['sandbox', 'vtpass'],
    });
    assert.deepEqual(await accept(database, item), [{ kind: 'accepted' }]);
    const [row] = await database.query(
      `select merchant_id, environment, reference, product, network, plan_code, msisdn, recipient, face_value, charge, wallet_id, mode,
         route, details,
         (select key_id from credentials where id = purchases.credential_id) as credential_id, created_at
       from purchases where id = $1`,
      [item.id],
    );
    assert.deepEqual(row, {
      merchant_id: buyer.merchantId,
      environment: 'live',
      reference: item.reference,
      product: 'data',
      network: 'MTN',
      plan_code: 'MTN-1',
      msisdn: '08031234567',
      recipient: '2348031234567',
      face_value: 110n,
      charge: 100n,
      wallet_id: buyer.walletId,
      mode: 'sync',
      route: 'sandbox,vtpass',
      details: { planCodes: { sandbox: { code: 'x' } }, phone: '2348031234567' },
      credential_id: buyer.credentialId,
      created_at: item.createdAt,
    });
    const [pending] = await database.query(
      'select step, due_at, owner, attempts, queries, charge from pending_purchases where purchase_id = $1',
      [item.id],
    );
    assert.deepEqual(pending, {
      step: 'query',
      due_at: null,
      owner: gatewayId,
      attempts: 1,
      queries: 0,
      charge: 100n,
    });
    const attempts = await database.query(
      'select number, provider, reference from attempts where purchase_id = $1',
      [item.id],
    );
    assert.deepEqual(attempts, [{ number: 1, provider: 'sandbox', reference: `p-${item.id}` }]);
  });

  it('stores an async purchase without an attempt, due at once', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = purchase(buyer, 100n, { mode: 'async' });
    await accept(database, item);
    const [pending] = await database.query(
      'select step, due_at <= now() as due, owner, attempts from pending_purchases where purchase_id = $1',
      [item.id],
    );
    assert.deepEqual(pending, { step: 'send', due: true, owner: null, attempts: 0 });
    assert.equal(await count(database, 'attempts', item.id), 0);
  });

  it('stores an unpaid purchase with its outcome, and nothing to send', async () => {
    const buyer = await openBuyer(database, 10n);
    const item = purchase(buyer, 11n);
    assert.deepEqual(await accept(database, item), [{ kind: 'insufficient' }]);
    for (const [table, rows] of [
      ['purchases', 1],
      ['purchase_outcomes', 1],
      ['attempts', 0],
      ['pending_purchases', 0],
      ['transfers', 0],
    ] as const) {
      assert.equal(await count(database, table, item.id), rows, table);
    }
    const [outcome] = await database.query(
      'select status, reason from purchase_outcomes where purchase_id = $1',
      [item.id],
    );
    assert.deepEqual(outcome, { status: 'failed', reason: 'insufficient_funds' });
  });
});

describe('a reference', () => {
  it('accepts a reference that is twice in one batch once, and refuses the second with the first', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const first = purchase(buyer, 100n, { reference: 'twice' });
    const second = purchase(buyer, 200n, { reference: 'twice' });
    const third = purchase(buyer, 300n, { reference: 'twice' });
    const duplicate = { kind: 'duplicate', firstId: first.id, status: 'pending' };
    assert.deepEqual(await accept(database, first, second, third), [
      { kind: 'accepted' },
      duplicate,
      duplicate,
    ]);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 100n });
    assert.equal(await count(database, 'purchases', second.id), 0);
  });

  it('fails a reference that cannot be paid, also in a repeat with a smaller amount', async () => {
    const buyer = await openBuyer(database, 100n);
    const first = purchase(buyer, 101n, { reference: 'poor' });
    const second = purchase(buyer, 1n, { reference: 'poor' });
    assert.deepEqual(await accept(database, first, second), [
      { kind: 'insufficient' },
      { kind: 'duplicate', firstId: first.id, status: 'failed' },
    ]);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 100n, held: 0n });
  });

  it('refuses a reference of an earlier batch with its state: pending, success, failed', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const [pending, delivered, refused] = [purchase(buyer, 10n), purchase(buyer, 10n), purchase(buyer, 10n)];
    await accept(database, pending, delivered, refused);
    await resolveWords(database, answer(buyer, delivered, 'success'), answer(buyer, refused, 'failed'));
    for (const [item, status] of [
      [pending, 'pending'],
      [delivered, 'success'],
      [refused, 'failed'],
    ] as const) {
      const again = purchase(buyer, 10n, { reference: item.reference });
      assert.deepEqual(await accept(database, again), [{ kind: 'duplicate', firstId: item.id, status }]);
    }
  });

  it('finds its own purchase when it is sent again after a lost answer', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = purchase(buyer, 10n);
    await accept(database, item);
    assert.deepEqual(await accept(database, item), [
      { kind: 'duplicate', firstId: item.id, status: 'pending' },
    ]);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 10n });
    const unpaid = purchase(buyer, 5_000n);
    await accept(database, unpaid);
    assert.deepEqual(await accept(database, unpaid), [
      { kind: 'duplicate', firstId: unpaid.id, status: 'failed' },
    ]);
  });

  it('a reference belongs to one merchant and environment: others use the same', async () => {
    const [one, two] = [await openBuyer(database, 100n), await openBuyer(database, 100n)];
    const test = await openBuyer(database, 100n, 'test');
    const reference = 'shared';
    const items = [one, two, test].map((buyer) => purchase(buyer, 10n, { reference }));
    assert.deepEqual(await acceptKinds(database, ...items), ['accepted', 'accepted', 'accepted']);
  });
});

describe('batches at the same time', () => {
  it('concurrent batches on one wallet spend its money once', async () => {
    const buyer = await openBuyer(database, 73n * 10n + 9n);
    const batches = Array.from({ length: 20 }, () => Array.from({ length: 10 }, () => purchase(buyer, 10n)));
    const kinds = (await Promise.all(batches.map((items) => acceptKinds(database, ...items)))).flat();
    assert.equal(kinds.filter((kind) => kind === 'accepted').length, 73);
    assert.equal(kinds.filter((kind) => kind === 'insufficient').length, 127);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 739n, held: 730n });
  });

  it('concurrent batches accept one reference once, and all others get the same first', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const batches = Array.from({ length: 20 }, () => [
      purchase(buyer, 10n, { reference: 'raced' }),
      purchase(buyer, 10n, { reference: 'raced' }),
    ]);
    const verdicts = (await Promise.all(batches.map((items) => accept(database, ...items)))).flat();
    assert.equal(verdicts.filter((verdict) => verdict.kind === 'accepted').length, 1);
    const firsts = verdicts.flatMap((verdict) => (verdict.kind === 'duplicate' ? [verdict.firstId] : []));
    assert.equal(firsts.length, 39);
    assert.equal(new Set(firsts).size, 1);
    assert.equal(await count(database, 'purchases', firsts[0]), 1);
    assert.equal((await moneyOf(database, buyer)).held, 10n);
  });

  it('concurrent batches on many wallets do not deadlock, accepting and resolving', async () => {
    const buyers = await Promise.all(Array.from({ length: 6 }, () => openBuyer(database, 10_000n)));
    const rounds = Array.from({ length: 40 }, async (_, round) => {
      const order = round % 2 === 0 ? buyers : buyers.toReversed();
      const items = order.map((buyer) => purchase(buyer, 10n));
      assert.ok((await acceptKinds(database, ...items)).every((kind) => kind === 'accepted'));
      const answers = order.map((buyer, index) => {
        const item = items[index];
        assert.ok(item);
        return answer(buyer, item, (round + index) % 3 === 0 ? 'failed' : 'success');
      });
      const words = await resolveWords(database, ...answers.toReversed());
      assert.ok(words.every((word) => word.startsWith('done')));
    });
    await Promise.all(rounds);
    for (const buyer of buyers) assert.equal((await moneyOf(database, buyer)).held, 0n);
  });
});

describe('a bad item in a batch', () => {
  const group = new GroupCommit<AcceptItem, AcceptVerdict>({
    batchMax: 100,
    inFlightMax: 1,
    besideMin: 1,
    besideAfterMs: 50,
    queueMax: 1_000,
    run: (items) => acceptPurchases(database, items, gatewayId),
    isShared: (error) => isUnavailable(error) || isConnectionLost(error),
  });

  for (const [what, fields] of Object.entries<Partial<AcceptItem>>({
    'a NUL in a text': { msisdn: 'a\u0000b' },
    'half a surrogate pair': { reference: '\ud800' },
    'an amount beyond any bigint': { faceValue: 2n ** 70n },
    'a charge below zero': { charge: -1n },
    'an id that is none': { id: 'not-an-id' },
    'a time that is none': { createdAt: new Date(Number.NaN) },
    'an id that is taken': { id: newId() },
  })) {
    it(`a bad item does not fail the other items: ${what}`, async () => {
      const buyer = await openBuyer(database, 1_000n);
      if (what === 'an id that is taken') await accept(database, purchase(buyer, 1n, fields));
      const items = [purchase(buyer, 10n), purchase(buyer, 10n, fields), purchase(buyer, 10n)];
      const before = await moneyOf(database, buyer);
      const settled = await Promise.allSettled(items.map((item) => group.submit(item)));
      assert.deepEqual(
        settled.map((one) => (one.status === 'fulfilled' ? one.value.kind : 'refused')),
        ['accepted', 'refused', 'accepted'],
      );
      assert.equal((await moneyOf(database, buyer)).held, before.held + 20n);
    });
  }
});
