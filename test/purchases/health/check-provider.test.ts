/** When a provider counts as unwell, well again, or unknown. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type CallCount, CallCounts, noCalls, resultOf } from '../../../src/purchases/health/call-counts.ts';
import { checkProvider } from '../../../src/purchases/health/check-provider.ts';
import {
  type LiveState,
  type ProviderSummary,
  successRate,
  summarize,
} from '../../../src/purchases/health/provider-state.ts';

const MINUTE_MS = 60_000;

function counted(counts: Partial<CallCount>): CallCount {
  return { ...noCalls(), ...counts };
}

const quiet: LiveState = {
  provider: 'one',
  gateway_id: 'a',
  role: 'all',
  host: 'h',
  pid: 1,
  within_1m: noCalls(),
  within_5m: noCalls(),
  within_60m: noCalls(),
  last_call: null,
  last_answer: null,
  float: null,
  float_failing_ms: 0,
  credentials_version: 0,
  limiter: { calls: 0, calls_max: 10, waiting: 0, per_second: 0, per_second_max: 0 },
  breaker: 'closed',
  broken_ms: 0,
  unanswered: { calls: 0, for_ms: 0 },
};

function summaryOf(...states: readonly Partial<LiveState>[]): ProviderSummary {
  const summary = summarize(states.map((state) => ({ ...quiet, ...state })));
  assert.ok(summary);
  return summary;
}

function verdictOf(...states: readonly Partial<LiveState>[]): string {
  const verdict = checkProvider('one', summaryOf(...states));
  return verdict.kind === 'unwell' ? verdict.trouble : verdict.kind;
}

describe('a provider', () => {
  it('is failing when enough calls were made and fewer than half succeeded', () => {
    const within = (success: number, unknown: number, refused = 0): Partial<LiveState> => {
      const counts = counted({ success, unknown, refused });
      return { within_1m: counts, within_5m: counts };
    };
    assert.equal(verdictOf(within(4, 6)), 'failing');
    assert.equal(verdictOf(within(5, 5)), 'undecided');
    assert.equal(verdictOf(within(8, 2)), 'well');
    // A few calls prove nothing about a rate, and an order's own fault is no one else's.
    assert.equal(verdictOf(within(1, 5)), 'undecided');
    assert.equal(verdictOf(within(9, 1, 90)), 'well');
    assert.equal(successRate(counted({ success: 9, unknown: 1, refused: 90, accepted: 5 })), 0.9);
    assert.equal(successRate(counted({ refused: 90 })), undefined);
  });

  it('is broken when any of its processes has held calls back for a minute', () => {
    const good = counted({ success: 50 });
    const well: Partial<LiveState> = { within_1m: good, within_5m: good };
    const broken = (broken_ms: number): Partial<LiveState> => ({ breaker: 'half_open', broken_ms });
    assert.equal(verdictOf(well, broken(MINUTE_MS)), 'broken');
    assert.equal(verdictOf(well, broken(MINUTE_MS - 1)), 'undecided');
    const { breaker, broken_in, processes } = summaryOf(well, broken(5_000));
    assert.deepEqual([breaker, broken_in, processes], ['half_open', 1, 2]);
  });

  it('is silent after three unanswered calls in a row over a minute, and no sooner', () => {
    const silent: Partial<LiveState> = {
      within_5m: counted({ success: 3, unreachable: 3 }),
      unanswered: { calls: 3, for_ms: MINUTE_MS },
      last_answer: { result: 'success', age_ms: 2 * MINUTE_MS },
    };
    assert.equal(verdictOf(silent), 'silent');
    assert.equal(verdictOf({ ...silent, last_answer: null }), 'silent');
    assert.equal(verdictOf({ ...silent, unanswered: { calls: 2, for_ms: 9 * MINUTE_MS } }), 'undecided');
    assert.equal(verdictOf({ ...silent, unanswered: { calls: 9, for_ms: MINUTE_MS - 1 } }), 'undecided');
    // Another process is answered.
    const other = { last_answer: { result: 'refused', age_ms: 1_000 } } as const;
    assert.equal(verdictOf(silent, other), 'undecided');
    // That was long ago, and there was no call since.
    assert.equal(verdictOf({ ...silent, within_5m: noCalls() }), 'well');
  });

  it('is silent when no one buys and it no longer reports our float', () => {
    const float = { amount: '1.00', currency: 'NGN', age_ms: 200_000 };
    assert.equal(verdictOf({ float, float_failing_ms: 180_000 }), 'silent');
    assert.equal(verdictOf({ float, float_failing_ms: 170_000 }), 'undecided');
    // Another process can read it.
    assert.equal(verdictOf({ float, float_failing_ms: 180_000 }, { float }), 'well');
    // Another process that never had the float proves nothing.
    assert.equal(verdictOf({ float, float_failing_ms: 180_000 }, {}), 'silent');
  });

  it('is well again without purchases, once its breaker lets a call through', () => {
    assert.equal(verdictOf({ breaker: 'half_open', broken_ms: 30_000 }), 'well');
    assert.equal(verdictOf({ breaker: 'open', broken_ms: 30_000 }), 'undecided');
    assert.equal(verdictOf({ within_5m: counted({ unknown: 1 }) }), 'undecided');
  });

  it('sums all processes, with the newest and the worst', () => {
    const float = { amount: '5.00', currency: 'NGN', age_ms: 9_000 };
    const summary = summaryOf(
      { within_5m: counted({ success: 2 }), last_answer: { result: 'success', age_ms: 900 }, float },
      { within_5m: counted({ success: 3, failed: 1 }), last_answer: { result: 'refused', age_ms: 50 } },
    );
    assert.deepEqual(summary.within_5m, counted({ success: 5, failed: 1 }));
    assert.deepEqual(summary.last_answer, { result: 'refused', age_ms: 50 });
    assert.deepEqual([summary.float, summary.limiter.calls_max], [float, 20]);
  });
});

describe('the calls of a process', () => {
  it('counts calls by the state of the provider that they show', () => {
    const purchase = { provider: 'one', operation: 'purchase', latencyMs: 1 } as const;
    const cases = [
      [{ ...purchase, kind: 'success' }, 'success'],
      [{ ...purchase, kind: 'failed', fault: 'provider' }, 'failed'],
      [{ ...purchase, kind: 'failed', fault: 'order' }, 'refused'],
      [{ ...purchase, kind: 'not_sent', code: 'unreachable' }, 'unreachable'],
      [{ ...purchase, kind: 'unknown', code: 'no_answer' }, 'unknown'],
      [{ ...purchase, operation: 'query', kind: 'not_found' }, 'accepted'],
      // Nothing was called, or nothing was bought.
      [{ ...purchase, kind: 'not_sent', code: 'lane_full' }, undefined],
      [{ ...purchase, operation: 'query', kind: 'unknown', code: 'not_queried' }, undefined],
      [{ ...purchase, operation: 'verify', kind: 'verified' }, undefined],
    ] as const;
    for (const [event, result] of cases) assert.equal(resultOf(event), result, JSON.stringify(event));
    // A refusal by the connector itself proves nothing about the provider.
    for (const fault of ['order', 'provider'] as const) {
      const event = { provider: 'one', operation: 'purchase', kind: 'failed', fault, latencyMs: 0 } as const;
      assert.equal(resultOf({ ...event, isUncalled: true }), undefined);
      assert.notEqual(resultOf({ ...event, isUncalled: false }), undefined);
    }
  });

  it('forgets calls minute by minute, and after an hour', () => {
    let nowMs = 1_000;
    const counts = new CallCounts(() => nowMs);
    const call = (kind: 'success' | 'unknown'): void =>
      counts.onAnswer({ provider: 'one', operation: 'purchase', kind, latencyMs: 1 });
    const answer = (): void => call('success');
    answer();
    nowMs += 4 * MINUTE_MS;
    answer();
    assert.deepEqual([counts.within('one', 1).success, counts.within('one', 5).success], [1, 2]);
    nowMs += MINUTE_MS;
    assert.deepEqual([counts.within('one', 1).success, counts.within('one', 5).success], [0, 1]);
    nowMs += 55 * MINUTE_MS;
    assert.equal(counts.within('one', 60).success, 1);
    answer();
    nowMs += 60 * MINUTE_MS;
    assert.equal(counts.within('one', 60).success, 0);
    assert.deepEqual([counts.last('one').calls, counts.last('two').calls], [3, 0]);
    const sinceMs = nowMs;
    call('unknown');
    nowMs += MINUTE_MS;
    call('unknown');
    assert.deepEqual(counts.last('one').unanswered, { calls: 2, sinceMs });
    answer();
    assert.equal(counts.last('one').unanswered.calls, 0);
  });
});
