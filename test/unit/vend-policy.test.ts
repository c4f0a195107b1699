/** What each answer decides: the rules that keep "unknown" pending. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { ProviderAnswer } from '../../src/providers/provider.ts';
import { decideVend, providerOfAttempt, type VendProgress } from '../../src/vending/vend-policy.ts';

const graceMs = 15_000;
const evidence = { code: 'x', message: 'x' };
const answer = (kind: 'accepted' | 'unknown' | 'not_found' | 'not_sent'): ProviderAnswer => ({
  kind,
  ...evidence,
});
const success: ProviderAnswer = { kind: 'success', ...evidence };
const refusal = (fault: 'order' | 'provider'): ProviderAnswer => ({ kind: 'failed', fault, ...evidence });

function progress(part: Partial<VendProgress> = {}): VendProgress {
  return {
    attempts: 1,
    queries: 0,
    notFound: 0,
    attemptAgeMs: 0,
    ageMs: 0,
    flagged: false,
    route: ['one'],
    ...part,
  };
}

describe('an explicit word', () => {
  it('ends the vend', () => {
    assert.deepEqual(decideVend(success, progress(), graceMs), { effect: 'succeed' });
    assert.deepEqual(decideVend(refusal('order'), progress(), graceMs), {
      effect: 'fail',
      reason: 'refused',
    });
  });

  it("of a provider's own fault goes to the next provider, if there is one that has not been tried", () => {
    const two = progress({ route: ['one', 'two'] });
    assert.deepEqual(decideVend(refusal('provider'), two, graceMs), { effect: 'retry', dueMs: 0 });
    assert.deepEqual(decideVend(refusal('order'), two, graceMs), { effect: 'fail', reason: 'refused' });
    assert.deepEqual(decideVend(refusal('provider'), { ...two, attempts: 2 }, graceMs), {
      effect: 'fail',
      reason: 'refused',
    });
    assert.deepEqual(decideVend(refusal('provider'), progress(), graceMs), {
      effect: 'fail',
      reason: 'refused',
    });
  });
});

describe('doubt', () => {
  it('is asked about after 5, 10, 20, 40 seconds and so on to 10 minutes', () => {
    const due = [0, 1, 2, 3, 7, 50].map((queries) =>
      decideVend(answer('unknown'), progress({ queries }), graceMs),
    );
    assert.deepEqual(
      due.map((decision) => (decision.effect === 'wait' ? decision.dueMs : decision.effect)),
      [5_000, 10_000, 20_000, 40_000, 600_000, 600_000],
    );
  });

  it('is flagged after a day, once, and still pending', () => {
    const day = 24 * 3_600_000;
    const old = progress({ ageMs: day, attemptAgeMs: day, queries: 150 });
    assert.deepEqual(decideVend(answer('accepted'), old, graceMs), {
      effect: 'wait',
      dueMs: 3_600_000,
      flag: true,
    });
    assert.deepEqual(decideVend(answer('accepted'), { ...old, flagged: true }, graceMs), {
      effect: 'wait',
      dueMs: 3_600_000,
      flag: false,
    });
    assert.equal(
      decideVend(answer('unknown'), progress({ ageMs: day - 1, queries: 9 }), graceMs).effect,
      'wait',
    );
  });

  it('never ends a vend, whatever its age and history', () => {
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
          route: fc.constantFrom(['one'], ['one', 'two']),
        }),
        (kind, stand) => decideVend(answer(kind), stand, graceMs).effect === 'wait',
      ),
    );
  });
});

describe('"never heard of it"', () => {
  it('fails the vend at the third such answer after the grace', () => {
    const third = progress({ notFound: 2, attemptAgeMs: graceMs });
    assert.deepEqual(decideVend(answer('not_found'), third, graceMs), {
      effect: 'fail',
      reason: 'not_found',
    });
  });

  it('does not at the second, nor at the tenth within the grace', () => {
    assert.equal(
      decideVend(answer('not_found'), progress({ notFound: 1, attemptAgeMs: graceMs }), graceMs).effect,
      'wait',
    );
    const early = progress({ notFound: 9, attemptAgeMs: graceMs - 1 });
    assert.equal(decideVend(answer('not_found'), early, graceMs).effect, 'wait');
  });

  it('is asked again when the grace ends, not long after', () => {
    const decision = decideVend(
      answer('not_found'),
      progress({ queries: 6, attemptAgeMs: 1_790_000 }),
      1_800_000,
    );
    assert.deepEqual(decision, { effect: 'wait', dueMs: 10_000, flag: false });
  });

  it('is never sent again', () => {
    fc.assert(
      fc.property(fc.nat(9), fc.nat(), (notFound, attemptAgeMs) => {
        const stand = progress({ notFound, attemptAgeMs, route: ['one', 'two'] });
        return decideVend(answer('not_found'), stand, graceMs).effect !== 'retry';
      }),
    );
  });
});

describe('an order that did not leave', () => {
  it('is tried again, three times in all, then failed', () => {
    const decide = (attempts: number) => decideVend(answer('not_sent'), progress({ attempts }), graceMs);
    assert.deepEqual(decide(1), { effect: 'retry', dueMs: 1_000 });
    assert.deepEqual(decide(2), { effect: 'retry', dueMs: 3_000 });
    assert.deepEqual(decide(3), { effect: 'fail', reason: 'not_sent' });
  });

  it('goes to the next provider at once', () => {
    const two = progress({ route: ['one', 'two'] });
    assert.deepEqual(decideVend(answer('not_sent'), two, graceMs), { effect: 'retry', dueMs: 0 });
  });
});

describe('the provider of an attempt', () => {
  it('is each of the route in turn', () => {
    assert.deepEqual(
      [1, 2, 3].map((number) => providerOfAttempt(['one', 'two'], number)),
      ['one', 'two', 'one'],
    );
  });
});
