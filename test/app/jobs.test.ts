/**
 * The list of background jobs: each has a name for metrics and describes what its failure means.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listJobs } from '../../src/app/jobs.ts';

/** No job is run. */
const parts = { purchases: {}, funding: {}, fundingSweepMs: 300_000, drainMs: 70_000 };
const jobs = listJobs(parts as Parameters<typeof listJobs>[0]);

test('every job has a unique name and describes its failure', () => {
  const names = jobs.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const { name, failure, everyMs } of jobs) {
    assert.match(name, /^[a-z]+(-[a-z]+)*$/);
    assert.notEqual(failure.trim(), '');
    assert.ok(everyMs > 0);
  }
});

test('heartbeats continue while the process drains; calls to providers are awaited for a bounded time', () => {
  assert.deepEqual(
    jobs.filter((job) => job.untilDrained).map(({ name }) => name),
    ['heartbeat', 'dead-gateways', 'forgotten-purchases'],
  );
  const bounded = jobs.filter((job) => job.stopWithinMs !== undefined);
  assert.deepEqual(
    bounded.map(({ name, stopWithinMs }) => [name, stopWithinMs]),
    [
      ['purchases', 70_000],
      ['late-goods', 70_000],
      ['batches', 70_000],
      ['second-looks', 70_000],
      ['catalog-syncs', 70_000],
      ['webhooks', 20_000],
    ],
  );
});
