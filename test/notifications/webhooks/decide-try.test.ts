/** When an event is tried again, and when it is given up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decideTry,
  isGone,
  pauseAfterFailures,
  requestedPause,
} from '../../../src/notifications/webhooks/decide-try.ts';

const HOUR_MS = 3_600_000;

test('retries ten times in three days, with pauses that vary by a fifth', () => {
  const pauses = Array.from({ length: 9 }, (_, n) =>
    decideTry({ status: 500, retryAfterMs: undefined }, n + 1, 0.5),
  );
  const [s, m] = [1_000, 60_000];
  const expected = [5 * s, 5 * m, 30 * m, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS)];
  assert.deepEqual(
    pauses,
    expected.map((pauseMs) => ({ state: 'waiting', pauseMs })),
  );
  assert.deepEqual(decideTry({ status: undefined, retryAfterMs: undefined }, 10, 0.5), { state: 'failed' });
  for (const [random, pauseMs] of [
    [0, 4_000],
    [1, 6_000],
  ] as const) {
    assert.deepEqual(decideTry({ status: 404, retryAfterMs: undefined }, 1, random), {
      state: 'waiting',
      pauseMs,
    });
  }
});

test('treats any 2xx as delivered and 410 as gone', () => {
  for (const status of [200, 201, 202, 204, 299]) {
    assert.deepEqual(decideTry({ status, retryAfterMs: 9 }, 1, 0.5), { state: 'delivered' });
  }
  for (const status of [100, 301, 304, 400, 401, 410, 429, 500, undefined]) {
    assert.equal(decideTry({ status, retryAfterMs: undefined }, 1, 0.5).state, 'waiting', `${status}`);
    assert.equal(isGone({ status }), status === 410);
  }
});

test('lengthens a pause by Retry-After and never shortens it', () => {
  assert.deepEqual(decideTry({ status: 429, retryAfterMs: HOUR_MS }, 1, 0.5), {
    state: 'waiting',
    pauseMs: HOUR_MS,
  });
  assert.deepEqual(decideTry({ status: 503, retryAfterMs: 1 }, 2, 0.5), {
    state: 'waiting',
    pauseMs: 300_000,
  });
});

test('pauses an endpoint as requested, for an hour at most and only after a failure', () => {
  assert.deepEqual(
    [
      requestedPause({ status: 429, retryAfterMs: 600_000 }),
      requestedPause({ status: 503, retryAfterMs: 24 * HOUR_MS }),
      requestedPause({ status: 500, retryAfterMs: undefined }),
      requestedPause({ status: 200, retryAfterMs: 600_000 }),
      requestedPause({ status: undefined, retryAfterMs: undefined }),
    ],
    [600_000, HOUR_MS, 0, 0, 0],
  );
});

test('pauses an endpoint after ten consecutive failures, for a minute at most', () => {
  assert.deepEqual(
    [0, 9, 10, 19, 20, 30, 60, 70, 1_000_000, Number.MAX_SAFE_INTEGER].map(pauseAfterFailures),
    [0, 0, 1_000, 1_000, 2_000, 4_000, 32_000, 60_000, 60_000, 60_000],
  );
});
