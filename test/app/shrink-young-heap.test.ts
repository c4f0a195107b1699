/** The young heap before the gateway listens: its memory is released if the flag is set. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { memoryFlags } from '../../src/app/command-line/become-gateway.ts';

const path = join(import.meta.dirname, '..', '..', 'src', 'app', 'shrink-young-heap.ts');
const program = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { shrinkYoungHeap } from ${JSON.stringify(path)};
  const size = () => getHeapSpaceStatistics().find((s) => s.space_name === 'new_space').space_size;
  const kept = [];
  for (let i = 0; i < 500_000; i++) kept.push({ i });
  const before = size();
  shrinkYoungHeap();
  console.log(JSON.stringify({ before, after: size(), kept: kept.length }));
`;

async function sizes(flags: readonly string[]): Promise<{ before: number; after: number }> {
  const args = [...flags, '--input-type=module', '-e', program];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
}

describe('the young heap before the gateway listens', () => {
  it('releases its memory with the flags of npm start', async () => {
    const { before, after } = await sizes(memoryFlags);
    assert.ok(after < before / 4, `${before} bytes, then ${after}`);
  });

  it('is unchanged without --expose-gc', async () => {
    const { before, after } = await sizes(memoryFlags.filter((flag) => flag !== '--expose-gc'));
    assert.ok(after > before / 4, `${before} bytes, then ${after}`);
  });
});
