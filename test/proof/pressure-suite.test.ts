/**
 * The pressure suite runs: one row is played and reports its figures. Its limit is not checked,
 * because parallel tests use the processors.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const entry = join(import.meta.dirname, '..', '..', 'bench', 'pressure', 'main.ts');
const TIMEOUT_MS = 120_000;

type Ended = { readonly code: unknown; readonly stdout: string; readonly stderr: string };

/** The run's database cluster serves, where there is one. */
function runSuite(...args: readonly string[]): Promise<Ended> {
  const cluster = process.env.OJA_TEST_CLUSTER;
  const env = { ...process.env, ...(cluster && { DATABASE_URL: cluster }) };
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, ...args], { env, timeout: TIMEOUT_MS }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : error.code, stdout, stderr });
    });
  });
}

test('plays a row and prints its figures, and exits 1 when it misses a limit', async () => {
  const { code, stdout, stderr } = await runSuite('locked', '--quick', '--json');
  assert.notEqual(stdout, '', stderr);
  const { rows } = JSON.parse(stdout) as { rows: { name: string; after: string; passed: boolean }[] };
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['locked'],
  );
  assert.match(rows[0]?.after ?? '', /^B: [1-9][0-9]* purchases, the longest [0-9.]+ ms/, stderr);
  assert.equal(code, rows[0]?.passed ? 0 : 1);
});

test('refuses an unknown row, with the usage', async () => {
  const { code, stderr } = await runSuite('speed');
  assert.equal(code, 2);
  assert.match(stderr, /speed[\s\S]*npm run pressure/);
});
