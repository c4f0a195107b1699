/** The decision on each answer: the rules by which "unknown" stays pending. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ProviderAnswer } from '../../../src/providers/provider.ts';
import {
  decidePurchase,
  type PurchaseDecision,
  type PurchaseProgress,
} from '../../../src/purchases/state/purchase-policy.ts';

const graceMs = 15_000;
const fulfilmentMs = 50_000;
const unsentMs = 900_000;
const patience = { notFoundGraceMs: graceMs, fulfilmentMs, unsentMs };
const evidence = { code: 'x', message: 'x' };
const answer = (kind: 'accepted' | 'unknown' | 'not_found' | 'not_sent'): ProviderAnswer => ({
  kind,
  ...evidence,
});
const success: ProviderAnswer = { kind: 'success', ...evidence };
const refusal = (fault: 'order' | 'provider'): ProviderAnswer => ({ kind: 'failed', fault, ...evidence });

function progress(part: Partial<PurchaseProgress> = {}): PurchaseProgress {
  return {
    attempts: 1,
    queries: 0,
    notFound: 0,
    attemptAgeMs: 0,
    ageMs: 0,
    flagged: false,
    evidence: 'none',
    final: false,
    route: ['one'],
    provider: 'one',
    refused: [],
    ...part,
  };
}

/** For answers that include the owed goods. */
function decide(given: ProviderAnswer, stand: PurchaseProgress): PurchaseDecision {
  return decidePurchase(given, false, stand, patience);
}

describe('a time scale', () => {
  it('shortens every wait, and changes no other decision', () => {
    const moments = fc.record({
      attempts: fc.integer({ min: 1, max: 5 }),
      queries: fc.integer({ min: 0, max: 8 }),
      notFound: fc.integer({ min: 0, max: 4 }),
      ageMs: fc.integer({ min: 0, max: 100_000_000 }),
      answer: fc.constantFrom(
        answer('accepted'),
        answer('unknown'),
        answer('not_found'),
        answer('not_sent'),
        success,
        refusal('provider'),
      ),
      goodsMissing: fc.boolean(),
    });
    fc.assert(
      fc.property(moments, ({ answer: given, goodsMissing, ageMs, ...counts }) => {
        const full = decidePurchase(
          given,
          goodsMissing,
          progress({ ...counts, ageMs, attemptAgeMs: ageMs }),
          patience,
        );
        const scaledAge = { ageMs: ageMs / 4, attemptAgeMs: ageMs / 4 };
        const scaled = decidePurchase(given, goodsMissing, progress({ ...counts, ...scaledAge }), {
          notFoundGraceMs: graceMs / 4,
          fulfilmentMs: fulfilmentMs / 4,
          unsentMs: unsentMs / 4,
          timeScale: 1 / 4,
        });
        assert.deepEqual(scaled, 'dueMs' in full ? { ...full, dueMs: Math.ceil(full.dueMs / 4) } : full);
      }),
    );
  });
});

describe('an explicit answer', () => {
  it('ends the purchase', () => {
    assert.deepEqual(decide(success, progress()), { effect: 'succeed', goodsMissing: false });
    assert.deepEqual(decide(refusal('order'), progress()), {
      effect: 'fail',
      reason: 'refused',
    });
  });

  it('resolves against a final success, which is refused; before that it waits', () => {
    const said = progress({ evidence: 'delivered', flagged: true });
    for (const fault of ['order', 'provider'] as const) {
      const against = decide(refusal(fault), { ...said, final: true });
      assert.deepEqual(against, { effect: 'fail', reason: 'refused' });
      assert.equal(decide(refusal(fault), said).effect, 'wait');
    }
  });

  it('fails over on a fault of the provider, if another one has not been tried', () => {
    const two = progress({ route: ['one', 'two'] });
    assert.deepEqual(decide(refusal('provider'), two), { effect: 'retry', dueMs: 0, provider: 'two' });
    assert.deepEqual(decide(refusal('order'), two), { effect: 'fail', reason: 'refused' });
    assert.deepEqual(
      decide(refusal('provider'), { ...two, attempts: 2, provider: 'two', refused: ['one'] }),
      {
        effect: 'fail',
        reason: 'refused',
      },
    );
    assert.deepEqual(decide(refusal('provider'), progress()), {
      effect: 'fail',
      reason: 'refused',
    });
  });
});

describe('doubt', () => {
  it('queries after 5, 10, 20, 40 seconds and so on to 10 minutes', () => {
    const due = [0, 1, 2, 3, 7, 50].map((queries) => decide(answer('unknown'), progress({ queries })));
    assert.deepEqual(
      due.map((decision) => (decision.effect === 'wait' ? decision.dueMs : decision.effect)),
      [5_000, 10_000, 20_000, 40_000, 600_000, 600_000],
    );
  });

  it('flags a purchase after a day, once, and it is still pending', () => {
    const day = 24 * 3_600_000;
    const old = progress({ ageMs: day, attemptAgeMs: day, queries: 150 });
    assert.deepEqual(decide(answer('accepted'), old), {
      effect: 'wait',
      dueMs: 3_600_000,
      flag: true,
    });
    assert.deepEqual(decide(answer('accepted'), { ...old, flagged: true }), {
      effect: 'wait',
      dueMs: 3_600_000,
      flag: false,
    });
    assert.equal(decide(answer('unknown'), progress({ ageMs: day - 1, queries: 9 })).effect, 'wait');
  });

  it('never ends a purchase, whatever its age and history', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('accepted' as const, 'unknown' as const),
        fc.record({
          attempts: fc.integer({ min: 1, max: 9 }),
          queries: fc.nat(5_000),
          notFound: fc.nat(50),
          attemptAgeMs: fc.nat(),
          ageMs: fc.nat(),
          flagged: fc.boolean(),
          evidence: fc.constantFrom('none' as const, 'acknowledged' as const, 'delivered_before' as const),
          final: fc.boolean(),
          route: fc.constantFrom(['one'], ['one', 'two']),
          provider: fc.constant('one'),
          refused: fc.constant([]),
        }),
        (kind, stand) => decide(answer(kind), stand).effect === 'wait',
      ),
    );
  });
});

describe('a delivery that differs from the order', () => {
  const other: ProviderAnswer = { kind: 'unknown', ...evidence, delivered: true };
  const person: PurchaseDecision = { effect: 'wait', dueMs: 3_600_000, flag: true };

  it('leaves it to a person at once, and reports it once', () => {
    assert.deepEqual(decide(other, progress()), person);
    assert.deepEqual(decide(other, progress({ flagged: true })), { ...person, flag: false });
  });

  it('leaves it to a person until the provider reports the ordered delivery', () => {
    const stand = progress({ evidence: 'delivered', flagged: true, ageMs: 60_000, attemptAgeMs: 60_000 });
    const old = { ...stand, queries: 9, notFound: 5 };
    for (const said of [
      other,
      answer('unknown'),
      answer('accepted'),
      answer('not_found'),
      refusal('order'),
    ]) {
      assert.deepEqual(decide(said, old), { ...person, flag: false }, said.kind);
    }
    assert.equal(decide(success, old).effect, 'succeed');
  });
});

describe('a success with missing goods', () => {
  const decideLate = (part: Partial<PurchaseProgress>): PurchaseDecision =>
    decidePurchase(success, true, progress(part), patience);

  it('queries until shortly before the deadline of a waiting client', () => {
    assert.deepEqual(decideLate({}), { effect: 'wait', dueMs: 5_000, flag: false });
    assert.deepEqual(decideLate({ ageMs: 20_000, queries: 2 }), {
      effect: 'wait',
      dueMs: 20_000,
      flag: false,
    });
    assert.deepEqual(decideLate({ ageMs: 40_000, queries: 3 }), {
      effect: 'wait',
      dueMs: 10_000,
      flag: false,
    });
  });

  it('is a success then, and queried further', () => {
    assert.deepEqual(decideLate({ ageMs: fulfilmentMs, queries: 4 }), {
      effect: 'succeed',
      goodsMissing: true,
      dueMs: 80_000,
    });
    assert.equal(decideLate({ ageMs: fulfilmentMs - 1 }).effect, 'wait');
  });

  it('stays a success, queried at growing intervals', () => {
    for (const [queries, ageMs, dueMs] of [
      [0, 60_000, 5_000],
      [7, 3_600_000, 600_000],
      [60, 30 * 24 * 3_600_000, 3_600_000],
    ] as const) {
      assert.deepEqual(decideLate({ final: true, flagged: true, queries, ageMs }), {
        effect: 'succeed',
        goodsMissing: true,
        dueMs,
      });
    }
  });

  it('waits for goods without which it is no success, and is flagged after a day', () => {
    const decideCards = (part: Partial<PurchaseProgress>): PurchaseDecision =>
      decidePurchase(success, true, progress(part), { ...patience, fulfilmentMs: Number.POSITIVE_INFINITY });
    const day = 24 * 3_600_000;
    assert.deepEqual(decideCards({ ageMs: day - 1, queries: 9 }), {
      effect: 'wait',
      dueMs: 600_000,
      flag: false,
    });
    assert.deepEqual(decideCards({ ageMs: day, queries: 99 }), {
      effect: 'wait',
      dueMs: 3_600_000,
      flag: true,
    });
    assert.deepEqual(decideCards({ ageMs: 30 * day, queries: 999, flagged: true, evidence: 'delivered' }), {
      effect: 'wait',
      dueMs: 3_600_000,
      flag: false,
    });
  });

  it('never fails, and is never sent again, at any age and with any history', () => {
    fc.assert(
      fc.property(
        fc.record({ queries: fc.integer({ min: 0, max: 5_000 }), ageMs: fc.nat(), final: fc.boolean() }),
        (part) => {
          const { effect } = decideLate({ ...part, route: ['one', 'two'] });
          return effect === 'succeed' || effect === 'wait';
        },
      ),
    );
  });
});

describe('"never heard of it"', () => {
  it('fails the purchase at the third such answer after the grace', () => {
    const third = progress({ queries: 4, notFound: 2, attemptAgeMs: graceMs });
    assert.deepEqual(decide(answer('not_found'), third), {
      effect: 'fail',
      reason: 'not_found',
    });
  });

  it('does not fail it at the second, nor at the tenth within the grace', () => {
    assert.equal(
      decide(answer('not_found'), progress({ queries: 4, notFound: 1, attemptAgeMs: graceMs })).effect,
      'wait',
    );
    const early = progress({ queries: 9, notFound: 9, attemptAgeMs: graceMs - 1 });
    assert.equal(decide(answer('not_found'), early).effect, 'wait');
  });

  it('counts moves of a test clock as waiting, with three answers required all the same', () => {
    const moved = { attemptAgeMs: 3_600_000, movedMs: 3_600_000 };
    const next = { effect: 'wait', dueMs: 0, flag: false };
    assert.deepEqual(decide(answer('not_found'), progress(moved)), next);
    assert.deepEqual(decide(answer('not_found'), progress({ ...moved, notFound: 1, queries: 1 })), next);
    const third = decide(answer('not_found'), progress({ ...moved, notFound: 2, queries: 2 }));
    assert.deepEqual(third, { effect: 'fail', reason: 'not_found' });
    // A database clock that was set forward does not count.
    const set = progress({ attemptAgeMs: 3_600_000, notFound: 2, queries: 0 });
    assert.equal(decide(answer('not_found'), set).effect, 'wait');
  });

  it('queries again when the grace ends, not long after', () => {
    const decision = decidePurchase(
      answer('not_found'),
      false,
      progress({ queries: 6, attemptAgeMs: 1_790_000 }),
      {
        notFoundGraceMs: 1_800_000,
        fulfilmentMs,
        unsentMs,
      },
    );
    assert.deepEqual(decision, { effect: 'wait', dueMs: 10_000, flag: false });
  });

  it('is not believed before a third of the grace, whenever the database clock is set forward', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(15_000, 60_000, 1_800_000),
        fc.nat(1_800_000),
        fc.integer({ min: 0, max: 100 * 3_600_000 }),
        (notFoundGraceMs, setAtMs, aheadMs) => {
          let nowMs = 0;
          let dueMs = 5_000;
          for (let queries = 0; ; queries += 1) {
            const dueAtMs = nowMs + dueMs;
            // What was due within the hours left out is due at once.
            nowMs = nowMs < setAtMs && setAtMs < dueAtMs ? Math.max(setAtMs, dueAtMs - aheadMs) : dueAtMs;
            const ageMs = nowMs >= setAtMs ? nowMs + aheadMs : nowMs;
            const stand = progress({ queries, notFound: queries, attemptAgeMs: ageMs, ageMs });
            const patience = { notFoundGraceMs, fulfilmentMs, unsentMs };
            const decision = decidePurchase(answer('not_found'), false, stand, patience);
            if (decision.effect === 'fail') return nowMs >= notFoundGraceMs / 3;
            assert.ok(decision.effect === 'wait');
            dueMs = decision.dueMs;
          }
        },
      ),
    );
  });

  it('is never sent again', () => {
    fc.assert(
      fc.property(fc.nat(9), fc.nat(), (notFound, attemptAgeMs) => {
        const stand = progress({ notFound, attemptAgeMs, route: ['one', 'two'] });
        return decide(answer('not_found'), stand).effect !== 'retry';
      }),
    );
  });
});

describe('an order that did not leave', () => {
  const notSent = answer('not_sent');

  it('is tried again after growing waits, any number of times', () => {
    const due = [1, 2, 3, 5, 6, 30].map((attempts) => decide(notSent, progress({ attempts })));
    assert.deepEqual(
      due.map((decision) => (decision.effect === 'retry' ? decision.dueMs : decision.effect)),
      [1_000, 2_000, 4_000, 16_000, 30_000, 30_000],
    );
  });

  it('goes to each other provider of its route at once, in turn', () => {
    const two = progress({ route: ['one', 'two'] });
    assert.deepEqual(decide(notSent, two), { effect: 'retry', dueMs: 0, provider: 'two' });
    const both = { ...two, attempts: 2, provider: 'two' };
    assert.deepEqual(decide(notSent, both), { effect: 'retry', dueMs: 1_000, provider: 'one' });
  });

  it('keeps a provider that could not be called as a candidate', () => {
    const stand = progress({ route: ['one', 'two'], attempts: 2, provider: 'two' });
    assert.deepEqual(decide(refusal('provider'), stand), { effect: 'retry', dueMs: 0, provider: 'one' });
    const refused = { ...stand, attempts: 3, provider: 'one', refused: ['two'] };
    assert.deepEqual(decide(notSent, refused), { effect: 'retry', dueMs: 2_000, provider: 'one' });
    assert.deepEqual(decide(refusal('provider'), refused), { effect: 'fail', reason: 'refused' });
  });

  it('fails only when it is too old', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2_000 }),
        fc.nat(2 * unsentMs),
        fc.constantFrom(['one'], ['one', 'two']),
        (attempts, ageMs, route) => {
          const decision = decide(notSent, progress({ attempts, ageMs, route }));
          if (ageMs >= unsentMs) return decision.effect === 'fail' && decision.reason === 'not_sent';
          return decision.effect === 'retry' && decision.dueMs <= unsentMs - ageMs;
        },
      ),
    );
  });
});
