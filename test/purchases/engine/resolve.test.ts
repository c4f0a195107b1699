/**
 * Resolving batches: once and finally, money only by transfers, and contradicting or late answers.
 */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { isConnectionLost, isUnavailable } from '../../../src/db/database-errors.ts';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import { insertAttempts } from '../../../src/purchases/engine/claim-store.ts';
import { GroupCommit } from '../../../src/purchases/engine/group-commit.ts';
import type { ResolveItem, ResolveVerdict } from '../../../src/purchases/engine/resolve-store.ts';
import { rollUpHouseBalances } from '../../../src/wallet/ledger/roll-up.ts';
import { resolvePurchases } from '../../support/commit-purchases.ts';
import {
  accept,
  answer,
  type Buyer,
  claimPurchases,
  count,
  gatewayId,
  moneyOf,
  openAuditedDatabase,
  openBuyer,
  purchase,
  resolveWords,
} from '../fixture.ts';

const database = await openAuditedDatabase();

/** Alarms since the last look, acknowledged. */
async function takeAlarms(): Promise<{ kind: string; purchase_id: string | null; message: string }[]> {
  return await database.query(
    `update alarms
     set acknowledged_at = now()
     where acknowledged_at is null
     returning kind, purchase_id, message`,
  );
}

afterEach(async () => void (await takeAlarms()));

async function bought(buyer: Buyer, charge = 100n, fields: Partial<AcceptItem> = {}): Promise<AcceptItem> {
  const item = purchase(buyer, charge, fields);
  const [verdict] = await accept(database, item);
  assert.equal(verdict?.kind, 'accepted');
  return item;
}

/** Takes the purchase for its next attempt, as a worker does. */
async function sendAgain(item: AcceptItem, number: number): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('update pending_purchases set due_at = now() where purchase_id = $1', [item.id]);
    const claimed = await claimPurchases(tx, gatewayId, { limit: 100, leaseMs: 60_000 });
    // Other tests left purchases open, which may be due by now.
    const mine = claimed.filter((purchase) => purchase.purchaseId === item.id);
    assert.deepEqual(
      mine.map((purchase) => [purchase.step, purchase.attempts]),
      [['send', number]],
    );
    const { merchantId, id: purchaseId } = item;
    const reference = `p-${purchaseId}-${number}`;
    await insertAttempts(tx, [
      { merchantId, purchaseId, number, provider: 'sandbox', reference, reason: 'again' },
    ]);
  });
}

async function pendingOf(item: AcceptItem): Promise<Record<string, unknown> | undefined> {
  const [row] = await database.query(
    `select step, owner, attempts, queries, not_found, flagged_at is not null as flagged, due_at > now() as later
     from pending_purchases
     where purchase_id = $1`,
    [item.id],
  );
  return row;
}

describe('a success', () => {
  it('posts the charge by transfers, ends the hold, and stores its evidence', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = await bought(buyer, 100n);
    await rollUpHouseBalances(database);
    assert.deepEqual(await resolveWords(database, answer(buyer, item, 'success', { cost: 97n })), [
      'done success',
    ]);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 900n, held: 0n });
    const transfers = await database.query(
      `select code, debit_account_id, credit_account_id, amount
       from transfers
       where subject_id = $1
       order by code`,
      [item.id],
    );
    assert.deepEqual(transfers, [
      {
        code: 'purchase_cost',
        debit_account_id: buyer.walletId,
        credit_account_id: buyer.floatId,
        amount: 97n,
      },
      {
        code: 'purchase_margin',
        debit_account_id: buyer.walletId,
        credit_account_id: buyer.revenueId,
        amount: 3n,
      },
    ]);
    const deltas = await database.query('select account_id, delta from house_deltas order by delta');
    assert.deepEqual(deltas, [
      { account_id: buyer.revenueId, delta: 3n },
      { account_id: buyer.floatId, delta: 97n },
    ]);
    const [outcome] = await database.query(
      'select status, reason, provider, cost from purchase_outcomes where purchase_id = $1',
      [item.id],
    );
    assert.deepEqual(outcome, {
      status: 'success',
      reason: 'delivered',
      provider: 'sandbox',
      cost: 97n,
    });
    assert.equal(await count(database, 'pending_purchases', item.id), 0);
    assert.equal(await count(database, 'provider_answers', item.id), 1);
  });

  it('books a cost above the charge as our loss, and moves nothing for a free purchase', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const dear = await bought(buyer, 100n);
    await resolveWords(database, answer(buyer, dear, 'success', { cost: 130n }));
    assert.equal((await moneyOf(database, buyer)).posted, 900n);
    const transfers = await database.query(
      'select code, amount from transfers where subject_id = $1 order by code',
      [dear.id],
    );
    assert.deepEqual(transfers, [
      { code: 'purchase_cost', amount: 100n },
      { code: 'purchase_loss', amount: 30n },
    ]);
    const free = await bought(buyer, 0n);
    assert.deepEqual(await resolveWords(database, answer(buyer, free, 'success', { cost: 0n })), [
      'done success',
    ]);
    assert.equal(await count(database, 'transfers', free.id), 0);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 900n, held: 0n });
  });
});

describe('a failure', () => {
  it('ends the hold, moves no money, and stores an event', async () => {
    const buyer = await openBuyer(database, 1_000n);
    for (const kind of ['failed', 'not_found'] as const) {
      const item = await bought(buyer);
      const reason = kind === 'failed' ? 'refused' : 'not_found';
      const effect = { kind: 'fail', reason, telcoMessage: undefined } as const;
      assert.deepEqual(await resolveWords(database, answer(buyer, item, kind, { effect })), ['done failed']);
      assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 0n });
      assert.equal(await count(database, 'transfers', item.id), 0);
      assert.equal(await count(database, 'events', item.id), 1);
    }
  });
});

describe('an answer about a final purchase', () => {
  it('records a repeated answer, and changes nothing', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const [good, bad] = [await bought(buyer), await bought(buyer)];
    await resolveWords(database, answer(buyer, good, 'success'), answer(buyer, bad, 'failed'));
    const money = await moneyOf(database, buyer);
    for (let time = 0; time < 3; time += 1) {
      assert.deepEqual(
        await resolveWords(
          database,
          answer(buyer, good, 'success', { source: 'query' }),
          answer(buyer, bad, 'failed'),
        ),
        ['repeat success', 'repeat failed'],
      );
    }
    assert.deepEqual(await moneyOf(database, buyer), money);
    assert.equal(await count(database, 'provider_answers', good.id), 4);
    assert.equal(await count(database, 'purchase_outcomes', good.id), 1);
    assert.deepEqual(await takeAlarms(), []);
  });

  it('changes nothing by an unknown answer', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = await bought(buyer);
    await resolveWords(database, answer(buyer, item, 'success'));
    for (const kind of ['unknown', 'accepted', 'not_found', 'not_sent'] as const) {
      assert.deepEqual(await resolveWords(database, answer(buyer, item, kind)), ['repeat success']);
    }
    assert.equal(await count(database, 'pending_purchases', item.id), 0);
    assert.deepEqual(await takeAlarms(), []);
  });

  for (const [first, then, word] of [
    ['success', 'failed', 'contradiction success'],
    ['failed', 'success', 'contradiction failed'],
  ] as const) {
    it(`refuses ${then} after ${first}, records it, and raises an alarm`, async () => {
      const buyer = await openBuyer(database, 1_000n);
      const item = await bought(buyer);
      await resolveWords(database, answer(buyer, item, first));
      const money = await moneyOf(database, buyer);
      assert.deepEqual(await resolveWords(database, answer(buyer, item, then, { source: 'query' })), [word]);
      assert.deepEqual(await moneyOf(database, buyer), money);
      const [outcome] = await database.query('select status from purchase_outcomes where purchase_id = $1', [
        item.id,
      ]);
      assert.equal(outcome?.status, first);
      assert.equal(await count(database, 'provider_answers', item.id), 2);
      const alarms = await takeAlarms();
      assert.deepEqual(
        alarms.map(({ kind, purchase_id }) => [kind, purchase_id]),
        [['contradiction', item.id]],
      );
      // It names both states.
      assert.match(alarms[0]?.message ?? '', new RegExp(`\\b${first}\\b.*\\b${then}\\b`));
    });
  }
});

describe('several answers about one purchase in one batch', () => {
  it('makes one outcome of answers that agree', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = await bought(buyer);
    const words = await resolveWords(
      database,
      answer(buyer, item, 'success'),
      answer(buyer, item, 'success', { source: 'query' }),
      answer(buyer, item, 'success', { source: 'callback' }),
    );
    assert.deepEqual(words, ['done success', 'repeat success', 'repeat success']);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 900n, held: 0n });
    assert.equal(await count(database, 'provider_answers', item.id), 3);
    assert.deepEqual(await takeAlarms(), []);
  });

  it('ends the purchase by one final answer, at any place in the batch', async () => {
    const buyer = await openBuyer(database, 1_000n);
    for (const kinds of [
      ['accepted', 'success', 'unknown'],
      ['success', 'accepted', 'not_found'],
      ['not_sent', 'unknown', 'failed'],
    ] as const) {
      const item = await bought(buyer);
      const words = await resolveWords(database, ...kinds.map((kind) => answer(buyer, item, kind)));
      const final = kinds.includes('failed' as never) ? 'failed' : 'success';
      assert.deepEqual(
        words,
        kinds.map((kind) => (kind === final ? `done ${final}` : `repeat ${final}`)),
      );
      assert.equal(await count(database, 'pending_purchases', item.id), 0);
    }
    assert.deepEqual(await takeAlarms(), []);
  });

  it('counts the first of contradictory answers, and raises an alarm for the other', async () => {
    const buyer = await openBuyer(database, 1_000n);
    for (const [first, then] of [
      ['failed', 'success'],
      ['success', 'failed'],
    ] as const) {
      const item = await bought(buyer);
      const words = await resolveWords(database, answer(buyer, item, first), answer(buyer, item, then));
      assert.deepEqual(words, [`done ${first}`, `contradiction ${first}`]);
      assert.deepEqual(
        (await takeAlarms()).map(({ kind, purchase_id }) => [kind, purchase_id]),
        [['contradiction', item.id]],
      );
    }
    assert.deepEqual(await moneyOf(database, buyer), { posted: 900n, held: 0n });
  });

  it('queries a purchase again rather than sending it again, if its provider may have it', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = await bought(buyer);
    const words = await resolveWords(
      database,
      answer(buyer, item, 'not_sent'),
      answer(buyer, item, 'unknown'),
      answer(buyer, item, 'accepted'),
    );
    assert.deepEqual(words, ['stale', 'stale', 'waiting']);
    assert.equal((await pendingOf(item))?.step, 'query');
  });

  for (const nothing of ['unknown', 'not_found'] as const) {
    it(`sends again after one proof that it never left, and an answer without content (${nothing})`, async () => {
      const buyer = await openBuyer(database, 1_000n);
      const item = await bought(buyer);
      const words = await resolveWords(
        database,
        answer(buyer, item, nothing, { source: 'query' }),
        answer(buyer, item, 'not_sent'),
      );
      assert.deepEqual(words, ['stale', 'waiting']);
      await sendAgain(item, 2);
    });
  }
});

describe('an answer that leaves a purchase open', () => {
  it('waits: queried again when due, in any process', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = await bought(buyer);
    assert.deepEqual(await resolveWords(database, answer(buyer, item, 'unknown')), ['waiting']);
    const open = { step: 'query', owner: null, attempts: 1, not_found: 0, flagged: false, later: true };
    assert.deepEqual(await pendingOf(item), { ...open, queries: 0 });
    await resolveWords(database, answer(buyer, item, 'accepted', { source: 'query' }));
    assert.deepEqual(await pendingOf(item), { ...open, queries: 1 });
    await resolveWords(database, answer(buyer, item, 'not_found', { source: 'query' }));
    assert.deepEqual(await pendingOf(item), { ...open, queries: 2, not_found: 1 });
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 100n });
  });

  it('flags a purchase after a day, once, with one alarm', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = await bought(buyer);
    const overdue = { kind: 'wait', dueMs: 1_000, flag: true } as const;
    assert.deepEqual(await resolveWords(database, answer(buyer, item, 'unknown', { effect: overdue })), [
      'waiting',
    ]);
    assert.equal((await pendingOf(item))?.flagged, true);
    assert.deepEqual(
      (await takeAlarms()).map(({ kind, purchase_id }) => [kind, purchase_id]),
      [['overdue', item.id]],
    );
    await resolveWords(database, answer(buyer, item, 'unknown'));
    assert.equal((await pendingOf(item))?.flagged, true);
    assert.deepEqual(await takeAlarms(), []);
    assert.equal((await moneyOf(database, buyer)).held, 100n);
  });

  it('sends an order again that never left, and discards the answers to that attempt', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = await bought(buyer);
    await resolveWords(database, answer(buyer, item, 'not_found', { source: 'query' }));
    assert.deepEqual(await resolveWords(database, answer(buyer, item, 'not_sent')), ['waiting']);
    assert.deepEqual(await pendingOf(item), {
      step: 'send',
      owner: null,
      attempts: 1,
      queries: 0,
      not_found: 0,
      flagged: false,
      later: false,
    });
    await sendAgain(item, 2);
    assert.equal((await pendingOf(item))?.step, 'query');
    const second = answer(buyer, item, 'success', { attempt: 2 });
    assert.deepEqual(await resolveWords(database, second), ['done success']);
  });

  for (const nothing of ['unknown', 'not_found'] as const) {
    it(`keeps a purchase to be sent after an answer without content (${nothing})`, async () => {
      const buyer = await openBuyer(database, 1_000n);
      const item = await bought(buyer);
      await resolveWords(database, answer(buyer, item, 'not_sent'));
      const before = await pendingOf(item);
      const late = answer(buyer, item, nothing, { source: 'query' });
      assert.deepEqual(await resolveWords(database, late), ['stale']);
      assert.deepEqual(await pendingOf(item), before);
      assert.deepEqual(await takeAlarms(), []);
      await sendAgain(item, 2);
    });
  }

  it('does not send again if an answer reports that the provider has it', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = await bought(buyer);
    const next = { effect: { kind: 'retry', dueMs: 0, provider: 'other' } } as const;
    await resolveWords(database, answer(buyer, item, 'not_sent', next));
    const late = answer(buyer, item, 'accepted', { source: 'query' });
    assert.deepEqual(await resolveWords(database, late), ['waiting']);
    const [row] = await database.query(
      'select step, provider from pending_purchases where purchase_id = $1',
      [item.id],
    );
    assert.deepEqual(row, { step: 'query', provider: 'sandbox' });
  });
});

describe('an answer about an earlier attempt', () => {
  it('records it; a reported delivery raises an alarm, after which no money goes back', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = await bought(buyer);
    await resolveWords(database, answer(buyer, item, 'not_sent'));
    await sendAgain(item, 2);
    for (const kind of ['failed', 'unknown'] as const) {
      assert.deepEqual(await resolveWords(database, answer(buyer, item, kind)), ['stale']);
    }
    assert.deepEqual(await takeAlarms(), []);
    assert.equal((await moneyOf(database, buyer)).held, 100n);
    assert.deepEqual(await resolveWords(database, answer(buyer, item, 'success')), ['stale']);
    assert.deepEqual(
      (await takeAlarms()).map(({ kind }) => kind),
      ['stale'],
    );
    assert.equal((await pendingOf(item))?.attempts, 2);
    assert.deepEqual(await resolveWords(database, answer(buyer, item, 'failed', { attempt: 2 })), [
      'withheld',
    ]);
    assert.equal((await moneyOf(database, buyer)).held, 100n);
    assert.deepEqual(
      (await takeAlarms()).map(({ kind }) => kind),
      ['overdue'],
    );
  });

  it('neither hides the current answer of its batch, nor is hidden by it', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = await bought(buyer);
    await resolveWords(database, answer(buyer, item, 'not_sent'));
    await sendAgain(item, 2);
    const words = await resolveWords(
      database,
      answer(buyer, item, 'success'),
      answer(buyer, item, 'success', { attempt: 2 }),
    );
    assert.deepEqual(words, ['stale', 'done success']);
    assert.deepEqual(
      (await takeAlarms()).map(({ kind }) => kind),
      ['stale'],
    );
  });

  it('raises an alarm for a second delivery also when the purchase is final', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = await bought(buyer);
    await resolveWords(database, answer(buyer, item, 'not_sent'));
    await sendAgain(item, 2);
    await resolveWords(database, answer(buyer, item, 'success', { attempt: 2 }));
    assert.deepEqual(await resolveWords(database, answer(buyer, item, 'success', { attempt: 2 })), [
      'repeat success',
    ]);
    assert.deepEqual(await takeAlarms(), []);
    assert.deepEqual(await resolveWords(database, answer(buyer, item, 'success', { attempt: 1 })), [
      'stale success',
    ]);
    assert.deepEqual(
      (await takeAlarms()).map(({ kind }) => kind),
      ['stale'],
    );
    assert.deepEqual(await moneyOf(database, buyer), { posted: 900n, held: 0n });
  });

  it('agrees with a later attempt that delivered if it reports a failure', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = await bought(buyer);
    await resolveWords(database, answer(buyer, item, 'not_sent'));
    await sendAgain(item, 2);
    await resolveWords(database, answer(buyer, item, 'success', { attempt: 2 }));
    assert.deepEqual(await resolveWords(database, answer(buyer, item, 'failed', { attempt: 1 })), [
      'stale success',
    ]);
    assert.deepEqual(await takeAlarms(), []);
    assert.deepEqual(await resolveWords(database, answer(buyer, item, 'failed', { attempt: 2 })), [
      'contradiction success',
    ]);
  });
});

describe('an answer about an unknown purchase', () => {
  it('returns absent, and stores nothing', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const never = purchase(buyer, 100n);
    const before = await count(database, 'provider_answers');
    assert.deepEqual(await resolveWords(database, answer(buyer, never, 'success')), ['absent']);
    assert.equal(await count(database, 'provider_answers'), before);
    assert.deepEqual(await moneyOf(database, buyer), { posted: 1_000n, held: 0n });
    assert.deepEqual(await takeAlarms(), []);
  });
});

describe('answers at the same time', () => {
  it('concurrent answers about one purchase make it final once', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const item = await bought(buyer);
    const kinds = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? 'success' : 'failed'));
    const words = (
      await Promise.all(kinds.map((kind) => resolveWords(database, answer(buyer, item, kind))))
    ).flat();
    const done = words.filter((word) => word.startsWith('done'));
    assert.equal(done.length, 1);
    const final = done[0]?.split(' ')[1];
    assert.equal(words.filter((word) => word === `contradiction ${final}`).length, 10);
    assert.equal(words.filter((word) => word === `repeat ${final}`).length, 9);
    assert.equal((await takeAlarms()).length, 10);
    assert.deepEqual(await moneyOf(database, buyer), {
      posted: final === 'success' ? 900n : 1_000n,
      held: 0n,
    });
  });
});

describe('a bad item in a batch of answers', () => {
  it('does not fail its neighbours', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const group = new GroupCommit<ResolveItem, ResolveVerdict>({
      batchMax: 100,
      inFlightMax: 1,
      besideMin: 1,
      besideAfterMs: 50,
      queueMax: 1_000,
      run: (items) => resolvePurchases(database, items),
      isShared: (error) => isUnavailable(error) || isConnectionLost(error),
    });
    const items = await Promise.all([bought(buyer), bought(buyer), bought(buyer)]);
    const answers = items.map((item, index) => {
      const good = answer(buyer, item, 'success');
      return index === 1 ? { ...good, answer: { ...good.answer, message: 'a\u0000b' } } : good;
    });
    const settled = await Promise.allSettled(answers.map((one) => group.submit(one)));
    assert.deepEqual(
      settled.map((one) => (one.status === 'fulfilled' ? one.value.kind : 'refused')),
      ['done', 'refused', 'done'],
    );
    assert.deepEqual(await moneyOf(database, buyer), { posted: 800n, held: 100n });
  });
});
