/** What has no room is refused before anything is written. */
import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { BackupError } from '../../src/backup/backup-error.ts';
import { requireSpace } from '../../src/backup/disk-space.ts';

test('a disk that is too small is named, with what there is and what is needed', async () => {
  const path = join(tmpdir(), 'not', 'there', 'yet');
  await requireSpace(path, 1, 'a backup');
  await assert.rejects(
    requireSpace(path, 2 ** 60, 'a backup'),
    (error) =>
      error instanceof BackupError && error.code === 'disk_full' && /[KMGT]iB.*TiB/.test(error.message),
  );
});
