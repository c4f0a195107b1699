/** The jobs of a process whose cells are on several servers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jobsWithCells } from '../../src/app/cell-jobs.ts';
import type { Job } from '../../src/core/job.ts';

const job = (name: string): Job => ({
  name,
  role: 'all',
  everyMs: 1_000,
  failure: 'it failed',
  run: async () => 0,
});

test('runs jobs of rows of merchants in each cell, and others once', () => {
  const jobs = ['events', 'user-mails', 'backups'].map(job);
  assert.deepEqual(
    jobsWithCells(jobs, [jobs, jobs]).map(({ name }) => name),
    ['user-mails', 'backups', 'events-0', 'user-mails-0', 'events-1', 'user-mails-1'],
  );
});
