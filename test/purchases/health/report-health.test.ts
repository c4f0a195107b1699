/** The state of a provider as one process reports it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Limiter } from '../../../src/providers/http/limiter.ts';
import type { Provider } from '../../../src/providers/provider.ts';
import { CallCounts } from '../../../src/purchases/health/call-counts.ts';
import { type FloatReading, HealthReport } from '../../../src/purchases/health/report-health.ts';

const clock = { nowMs: 1_000, elapsedMs: (): number => clock.nowMs };

/** The provider `one`, which a test changes, and `bare`, which makes no calls. */
function open() {
  const counts = new CallCounts(clock.elapsedMs);
  const orders = new Limiter({ callsMax: 8, perSecond: 5, waitingMax: 10 });
  const now: { breaker: 'closed' | 'open'; float?: FloatReading } = { breaker: 'closed' };
  const one = { limiters: { orders, reads: orders }, breakerState: () => now.breaker };
  const report = new HealthReport({
    sql: undefined as never,
    gatewayId: 'here',
    clock,
    counts,
    providers: new Map([
      ['one', one as unknown as Provider],
      ['bare', {} as unknown as Provider],
    ]),
    floatOf: (name) => (name === 'one' ? now.float : undefined),
    credentialsVersionOf: (name) => (name === 'one' ? 4 : 0),
  });
  const look = (name = 'one') => {
    const state = report.look().get(name);
    assert.ok(state);
    return state;
  };
  const call = (kind: 'success' | 'unknown'): void =>
    counts.onAnswer({ provider: 'one', operation: 'purchase', kind, code: 'x', latencyMs: 1 });
  return { now, look, call };
}

it('reports the limiter, and the rate of calls since the last report', () => {
  const { look, call } = open();
  const limits = { calls: 0, calls_max: 8, waiting: 0, per_second_max: 5 };
  assert.deepEqual(look().limiter, { ...limits, per_second: 0 });
  for (let calls = 0; calls < 3; calls += 1) call('success');
  clock.nowMs += 2_000;
  assert.deepEqual(look().limiter, { ...limits, per_second: 1.5 });
  clock.nowMs += 2_000;
  assert.equal(look().limiter.per_second, 0);
  assert.equal(look().credentials_version, 4);
});

it('reports a provider without calls, limits and float as closed and idle', () => {
  const { breaker, limiter, float, last_call: lastCall, broken_ms: brokenMs } = open().look('bare');
  assert.deepEqual([breaker, float, lastCall, brokenMs], ['closed', null, null, 0]);
  assert.deepEqual(limiter, { calls: 0, calls_max: 0, waiting: 0, per_second: 0, per_second_max: 0 });
});

it('reports for how long calls have no answer, until one has', () => {
  const { look, call } = open();
  call('unknown');
  clock.nowMs += 700;
  call('unknown');
  const silent = look();
  assert.deepEqual(silent.unanswered, { calls: 2, for_ms: 700 });
  assert.deepEqual([silent.last_call?.age_ms, silent.last_answer], [0, null]);
  call('success');
  clock.nowMs += 50;
  assert.deepEqual(look().unanswered, { calls: 0, for_ms: 0 });
  assert.deepEqual(look().last_answer, { result: 'success', age_ms: 50 });
});

it('reports since when the breaker is open, from the start again after it was closed', () => {
  const { now, look } = open();
  now.breaker = 'open';
  assert.equal(look().broken_ms, 0);
  clock.nowMs += 900;
  assert.equal(look().broken_ms, 900);
  now.breaker = 'closed';
  assert.equal(look().broken_ms, 0);
  now.breaker = 'open';
  assert.equal(look().broken_ms, 0);
});

it('reports the float with its age once it was read, and for how long it cannot be read', () => {
  const { now, look } = open();
  const money = { amount: 1_250_50n, currency: 'NGN' } as const;
  now.float = { money: undefined, readAtMs: undefined, failingSinceMs: clock.nowMs };
  assert.deepEqual([look().float, look().float_failing_ms], [null, 1]);
  now.float = { money, readAtMs: clock.nowMs, failingSinceMs: undefined };
  clock.nowMs += 300;
  assert.deepEqual(look().float, { amount: '1250.50', currency: 'NGN', age_ms: 300 });
  assert.equal(look().float_failing_ms, 0);
});
