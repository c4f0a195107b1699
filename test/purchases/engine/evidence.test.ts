/** Evidence is never forgotten: after "delivered" no answer refunds. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import type { ProviderAnswer } from '../../../src/providers/provider.ts';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import type { ResolveItem } from '../../../src/purchases/engine/resolve-store.ts';
import {
  decidePurchase,
  type Evidence,
  type PurchaseDecision,
  type PurchaseProgress,
} from '../../../src/purchases/state/purchase-policy.ts';
import { runs } from '../../support/budget.ts';
import { resolvePurchases } from '../../support/commit-purchases.ts';
import { createTestDatabase } from '../../support/database.ts';
import { accept, answer, assertAudited, type Buyer, openBuyer, purchase } from '../fixture.ts';

const words = [
  'success',
  'success without goods',
  'refused',
  'provider fault',
  'accepted',
  'unknown',
  'not_found',
  'not_sent',
] as const;
type Word = (typeof words)[number];

const patience = { notFoundGraceMs: 1_000, fulfilmentMs: 50_000, unsentMs: 30_000 };

function answerOf(word: Word): ProviderAnswer {
  const evidence = { code: word, message: word };
  switch (word) {
    case 'success':
    case 'success without goods':
      return { kind: 'success', ...evidence };
    case 'refused':
      return { kind: 'failed', fault: 'order', ...evidence };
    case 'provider fault':
      return { kind: 'failed', fault: 'provider', ...evidence };
    default:
      return { kind: word, ...evidence };
  }
}

function decide(word: Word, progress: PurchaseProgress): PurchaseDecision {
  return decidePurchase(answerOf(word), word === 'success without goods', progress, patience);
}

/** The effect of `resolve_side_effects` on a pending row. */
function afterAnswer(progress: PurchaseProgress, word: Word, decision: PurchaseDecision): PurchaseProgress {
  if (decision.effect === 'retry') {
    return {
      ...progress,
      attempts: progress.attempts + 1,
      queries: 0,
      notFound: 0,
      evidence: 'none',
      provider: decision.provider,
      refused: word === 'provider fault' ? [...progress.refused, progress.provider] : progress.refused,
    };
  }
  const said: Evidence =
    word === 'success without goods' || progress.evidence === 'delivered'
      ? 'delivered'
      : word === 'accepted'
        ? 'acknowledged'
        : progress.evidence;
  return {
    ...progress,
    queries: progress.queries + 1,
    notFound: progress.notFound + (word === 'not_found' ? 1 : 0),
    flagged: progress.flagged || (decision.effect === 'wait' && decision.flag),
    evidence: said,
  };
}

describe('over all sequences of answers up to length six', () => {
  const start: PurchaseProgress = {
    attempts: 1,
    queries: 0,
    notFound: 0,
    attemptAgeMs: 0,
    ageMs: 0,
    flagged: false,
    evidence: 'none',
    final: false,
    route: ['one', 'two'],
    provider: 'one',
    refused: [],
  };

  /** Calls `atEnd` for each sequence that ends a purchase, and counts them. */
  function explore(
    progress: PurchaseProgress,
    said: readonly Word[],
    atEnd: (said: readonly Word[], decision: PurchaseDecision) => void,
  ): number {
    if (said.length === 6) return 0;
    let ends = 0;
    for (const word of words) {
      const decision = decide(word, progress);
      const story = [...said, word];
      if (decision.effect === 'succeed' || decision.effect === 'fail') {
        atEnd(story, decision);
        ends += 1;
      } else {
        ends += explore(afterAnswer(progress, word, decision), story, atEnd);
      }
    }
    return ends;
  }

  for (const [when, ages] of [
    ['at once', {}],
    ['after every grace and deadline', { attemptAgeMs: 60_000, ageMs: 60_000 }],
    ['after a day', { attemptAgeMs: 90_000_000, ageMs: 90_000_000 }],
  ] as const) {
    it(`refunds only when no answer said delivered: ${when}`, () => {
      let failures = 0;
      const ends = explore({ ...start, ...ages }, [], (story, decision) => {
        if (decision.effect !== 'fail') return;
        failures += 1;
        assert.ok(!story.includes('success without goods'), story.join(', '));
      });
      assert.ok(ends > 1_000 && failures > 500, `${ends} ends, ${failures} failures`);
    });
  }

  it('"not found" ends no purchase whose provider accepted the order', () => {
    let unheard = 0;
    explore({ ...start, attemptAgeMs: 60_000, ageMs: 60_000, route: ['one'] }, [], (story, decision) => {
      if (decision.effect !== 'fail' || decision.reason !== 'not_found') return;
      unheard += 1;
      const ofLastAttempt = story.slice(story.lastIndexOf('not_sent') + 1);
      assert.ok(!ofLastAttempt.includes('accepted'), story.join(', '));
    });
    assert.ok(unheard > 10, `${unheard} ended so`);
  });
});

describe('the stored rows', () => {
  const open = createTestDatabase();
  after(async () => (await open)[Symbol.asyncDispose]());

  type Pending = { attempts: number; evidence: Evidence; flagged: boolean; contradicted: boolean };

  async function pendingOf(item: AcceptItem): Promise<Pending | undefined> {
    const [row] = await (await open).database.query<Pending>(
      `select
         attempts,
         evidence_of(p.delivered_attempt, p.attempts, p.acknowledged) as evidence,
         flagged_at is not null as flagged,
         contradicted_at is not null as contradicted
       from pending_purchases p
       where purchase_id = $1`,
      [item.id],
    );
    return row;
  }

  async function alarmsOf(item: AcceptItem): Promise<string[]> {
    const rows = await (await open).database.query<{ kind: string }>(
      'select kind from alarms where purchase_id = $1 order by id',
      [item.id],
    );
    return rows.map(({ kind }) => kind);
  }

  async function bought(buyer: Buyer): Promise<AcceptItem> {
    const item = purchase(buyer, 100n, { route: ['sandbox', 'other'], details: { goodsOwed: 'token' } });
    await accept((await open).database, item);
    return item;
  }

  const lateSuccess = (buyer: Buyer, item: AcceptItem, attempt = 1): ResolveItem =>
    answer(buyer, item, 'success', { attempt, effect: { kind: 'wait', dueMs: 5_000, flag: false } });
  const neverHeard = (buyer: Buyer, item: AcceptItem): ResolveItem =>
    answer(buyer, item, 'not_found', {
      source: 'query',
      effect: { kind: 'fail', reason: 'not_found', telcoMessage: undefined },
    });

  async function verdictsOf(...items: readonly ResolveItem[]): Promise<string[]> {
    return (await resolvePurchases((await open).database, items)).map(({ kind }) => kind);
  }

  it('withholds a refund that comes after "delivered", flags the purchase and raises one alarm', async () => {
    const { database } = await open;
    const buyer = await openBuyer(database, 1_000n);
    const item = await bought(buyer);
    assert.deepEqual(await verdictsOf(lateSuccess(buyer, item)), ['waiting']);
    assert.equal((await pendingOf(item))?.evidence, 'delivered');
    // Decided by a process that did not know of the success.
    assert.deepEqual(await verdictsOf(answer(buyer, item, 'failed')), ['withheld']);
    assert.deepEqual(await verdictsOf(neverHeard(buyer, item)), ['withheld']);
    assert.deepEqual(await verdictsOf(answer(buyer, item, 'not_sent')), ['withheld']);
    assert.deepEqual(await pendingOf(item), {
      attempts: 1,
      evidence: 'delivered',
      flagged: true,
      contradicted: true,
    });
    assert.deepEqual(await alarmsOf(item), ['overdue', 'contradiction']);
    assert.deepEqual(await verdictsOf(answer(buyer, item, 'success')), ['done']);
    await assertAudited(database);
  });

  it('withholds it also when both arrive in one batch, in any order', async () => {
    const { database } = await open;
    const buyer = await openBuyer(database, 1_000n);
    const item = await bought(buyer);
    await verdictsOf(answer(buyer, item, 'failed'), lateSuccess(buyer, item));
    assert.equal((await pendingOf(item))?.evidence, 'delivered');
    await assertAudited(database);
  });

  it('remembers the success of an earlier attempt while the next one is made', async () => {
    const { database } = await open;
    const buyer = await openBuyer(database, 1_000n);
    const item = await bought(buyer);
    assert.deepEqual(await verdictsOf(answer(buyer, item, 'not_sent')), ['waiting']);
    await database.query(`update pending_purchases set attempts = 2, step = 'query' where purchase_id = $1`, [
      item.id,
    ]);
    await database.query(
      `insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason)
       values ($1, $2, 2, 'other', $3, 'test')`,
      [buyer.merchantId, item.id, `second-${item.id}`],
    );
    // Both are reported in one batch: the refusal of the current attempt refunds nothing.
    const both = [lateSuccess(buyer, item, 1), answer(buyer, item, 'failed', { attempt: 2 })];
    assert.deepEqual(await verdictsOf(...both), ['stale', 'withheld']);
    assert.equal((await pendingOf(item))?.evidence, 'delivered_before');
    assert.deepEqual(await verdictsOf(answer(buyer, item, 'failed', { attempt: 2 })), ['withheld']);
    assert.equal((await pendingOf(item))?.flagged, true);
  });

  it('does not send an order again that an earlier attempt delivered', async () => {
    const { database } = await open;
    const buyer = await openBuyer(database, 1_000n);
    const item = await bought(buyer);
    const next = answer(buyer, item, 'not_sent', { effect: { kind: 'retry', dueMs: 0, provider: 'other' } });
    await verdictsOf(next);
    await database.query(`update pending_purchases set attempts = 2, step = 'query' where purchase_id = $1`, [
      item.id,
    ]);
    await database.query(
      `insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason)
       values ($1, $2, 2, 'other', $3, 'test')`,
      [buyer.merchantId, item.id, `second-${item.id}`],
    );
    const back = { attempt: 2, effect: { kind: 'retry', dueMs: 0, provider: 'sandbox' } } as const;
    assert.deepEqual(await verdictsOf(answer(buyer, item, 'not_sent', back)), ['waiting']);
    assert.deepEqual(await verdictsOf(answer(buyer, item, 'success')), ['stale']);
    const [row] = await database.query(
      'select step, provider from pending_purchases where purchase_id = $1',
      [item.id],
    );
    assert.deepEqual(row, { step: 'query', provider: 'other' });
    assert.deepEqual(await alarmsOf(item), ['stale']);
  });

  it('raises an alarm for a second delivery too, also before its token arrives', async () => {
    const { database } = await open;
    const buyer = await openBuyer(database, 1_000n);
    const [twice, once] = [await bought(buyer), await bought(buyer)];
    // The first refused, and delivered all the same.
    await database.query(`update pending_purchases set attempts = 2, step = 'query' where purchase_id = $1`, [
      twice.id,
    ]);
    await database.query(
      `insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason)
       values ($1, $2, 2, 'other', $3, 'test')`,
      [buyer.merchantId, twice.id, `second-${twice.id}`],
    );
    assert.deepEqual(await verdictsOf(answer(buyer, twice, 'success', { attempt: 2 })), ['done']);
    assert.deepEqual(await verdictsOf(answer(buyer, once, 'success')), ['done']);
    assert.deepEqual(await verdictsOf(lateSuccess(buyer, twice, 1), lateSuccess(buyer, once)), [
      'stale',
      'repeat',
    ]);
    assert.deepEqual([await alarmsOf(twice), await alarmsOf(once)], [['stale'], []]);
    await assert.rejects(assertAudited(database));
    await database.query('update alarms set acknowledged_at = now()');
    await assertAudited(database);
  });

  it('withholds "not found" from a purchase whose provider accepted the order, and no other', async () => {
    const { database } = await open;
    const buyer = await openBuyer(database, 1_000n);
    const [taken, unheard] = [await bought(buyer), await bought(buyer)];
    assert.deepEqual(await verdictsOf(answer(buyer, taken, 'accepted')), ['waiting']);
    assert.deepEqual(await verdictsOf(neverHeard(buyer, taken), neverHeard(buyer, unheard)), [
      'withheld',
      'done',
    ]);
    assert.deepEqual(await alarmsOf(taken), ['overdue']);
    // Its explicit word still counts.
    assert.deepEqual(await verdictsOf(answer(buyer, taken, 'failed')), ['done']);
    await assertAudited(database);
  });

  it('never refunds a purchase that was reported as delivered, in any order of batches', async () => {
    const { database } = await open;
    const buyer = await openBuyer(database, 10_000_000n);
    const said = fc.constantFrom('failed', 'late', 'accepted', 'unknown', 'not_found', 'not_sent');
    const batches = fc.array(fc.array(said, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(batches, async (story) => {
        const item = await bought(buyer);
        let delivered = false;
        for (const batch of story) {
          const before = (await pendingOf(item)) !== undefined;
          delivered ||= before && batch.includes('late');
          await verdictsOf(
            ...batch.map((word) => {
              if (word === 'late') return lateSuccess(buyer, item);
              if (word === 'not_found') return neverHeard(buyer, item);
              return answer(buyer, item, word as 'failed' | 'accepted' | 'unknown' | 'not_sent');
            }),
          );
          if (delivered) assert.ok(await pendingOf(item), `pending after ${JSON.stringify(story)}`);
        }
      }),
      runs(40),
    );
    // A success reported after the refund raises an alarm, and an audit finding until a person has
    // seen it.
    await database.query('update alarms set acknowledged_at = now()');
    await assertAudited(database);
  });
});
