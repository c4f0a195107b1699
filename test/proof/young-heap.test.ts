/**
 * A purchase's allocations are collected while they are young
 * (docs/decisions/0421-avoid-set-for-short-lived-objects.md). In the proof, because V8 decides
 * when it collects: the figures differ from run to run.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createTestDatabase } from '../support/database.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());

/** The megabytes that a separate program prints. */
async function measure(
  program: string,
  options: readonly string[],
  args: readonly string[],
): Promise<number> {
  const path = join(import.meta.dirname, program);
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', ...options, path, ...args]);
  return Number(stdout);
}

describe('the old part of the heap', () => {
  it('a bag keeps almost no short-lived items in the old heap, and a set keeps many', async () => {
    const smallest = ['--max-semi-space-size=1'];
    const bag = await measure('churn.ts', smallest, ['Bag']);
    const set = await measure('churn.ts', smallest, ['Set']);
    assert.ok(bag < 3, `${bag} MB`);
    assert.ok(set > 2 * Math.max(bag, 1), `a set would do as well: ${set} MB`);
  });

  it('statements leave little in the old heap, and much with the promises of the driver', async () => {
    const oja = await measure('promoted.ts', [], ['oja', clone.connectionString]);
    const driver = await measure('promoted.ts', [], ['driver', clone.connectionString]);
    assert.ok(oja < 10, `${oja} MB`);
    assert.ok(driver > 2 * Math.max(oja, 5), `the driver's would do as well: ${driver} MB`);
  });
});
