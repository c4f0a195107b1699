/**
 * The list of background jobs: every one has a name for metrics, and a line in the operator's page.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { listJobs } from '../../src/app/jobs.ts';

/** Nothing of it is run. */
const parts = { vending: {}, funding: {}, fundingSweepMs: 300_000, drainMs: 70_000 };
const jobs = listJobs(parts as Parameters<typeof listJobs>[0]);

const page = await readFile(join(import.meta.dirname, '..', '..', 'docs', 'operators', 'metrics.md'), 'utf8');

test('every job has a name of its own, and says what its failure means', () => {
  const names = jobs.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const { name, failure, everyMs } of jobs) {
    assert.match(name, /^[a-z]+(-[a-z]+)*$/);
    assert.notEqual(failure.trim(), '');
    assert.ok(everyMs > 0);
  }
});

test('what shows that a process lives goes on while it drains; what calls providers is not waited for without end', () => {
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
      ['second-looks', 70_000],
      ['webhooks', 20_000],
    ],
  );
});

test('the operator’s page lists every job, its interval and where it runs, and no other', () => {
  const told = [...page.matchAll(/^\| `([a-z-]+)` \| (every process|worker|api) \| ([^|]+) \|/gm)].map(
    ([, name, role, every]) => `${name} ${role} ${every}`,
  );
  const words = { all: 'every process', worker: 'worker', api: 'api' } as const;
  const seconds = (ms: number): string => (ms >= 60_000 ? `${ms / 60_000} min` : `${ms / 1_000} s`);
  assert.deepEqual(
    told,
    jobs.map(({ name, role, everyMs }) => `${name} ${words[role]} ${seconds(everyMs)}`),
  );
});
