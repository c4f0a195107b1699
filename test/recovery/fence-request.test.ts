/** The file by which a restore asks that the database starts fenced. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  fenceRequestPath,
  readFenceRequest,
  removeFenceRequest,
  writeFenceRequest,
} from '../../src/recovery/fence-request.ts';

test('the request to fence is read as it was written, until it is removed', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'oja-fence-request-'));
  try {
    assert.equal(await readFenceRequest(dataDir), undefined);
    await mkdir(join(dataDir, 'postgres'));
    const request = {
      backup: '20260301T010000Z-3fa9c1',
      taken_at: '2026-03-01T01:00:00.000Z',
      restored_at: '2026-03-02T01:00:00.000Z',
      until: null,
    };
    await writeFenceRequest(dataDir, request);
    assert.deepEqual(await readFenceRequest(dataDir), request);
    await removeFenceRequest(dataDir);
    assert.equal(await readFenceRequest(dataDir), undefined);
    for (const text of ['', '{}', JSON.stringify({ ...request, taken_at: 'yesterday' })]) {
      await writeFile(fenceRequestPath(dataDir), text);
      await assert.rejects(readFenceRequest(dataDir), { name: 'Error' });
    }
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
