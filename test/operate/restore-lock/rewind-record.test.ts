/** The records of the seen database that processes keep. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { forgetSeen, seenFolder } from '../../../src/operate/restore-lock/rewind-record.ts';

const DAY_MS = 24 * 3_600_000;

test('keeps the newest and recent records, and removes the rest', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'oja-seen-'));
  const folder = seenFolder(dataDir);
  const now = new Date('2026-11-21T12:00:00Z');
  try {
    await mkdir(folder);
    for (const [name, ageDays] of [
      ['oldest.json', 4],
      ['newest.json', 3],
      // Left by a process that was killed before it renamed the file: it is ignored.
      ['killed.json.new', 2],
      ['young.json.new', 0],
    ] as const) {
      const path = join(folder, name);
      await writeFile(path, '{}');
      const at = new Date(now.getTime() - ageDays * DAY_MS);
      await utimes(path, at, at);
    }
    await forgetSeen(dataDir, now);
    assert.deepEqual((await readdir(folder)).sort(), ['newest.json', 'young.json.new']);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test('ignores a file that disappears', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'oja-seen-'));
  const folder = seenFolder(dataDir);
  try {
    await mkdir(folder);
    // Listed, and not found: as a file that another process renames in between.
    await symlink('nowhere', join(folder, 'renamed.json.new'));
    await forgetSeen(dataDir, new Date());
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
