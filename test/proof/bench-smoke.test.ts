/**
 * Every scenario of the benchmark runs, and all its requests succeed. Its figures are not checked.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { scenarioNames } from '../../bench/options.ts';
import type { ResultRow } from '../../bench/results.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const TIMEOUT_MS = 240_000;

type Refused = { readonly code: number; readonly stdout: string; readonly stderr: string };

async function bench(
  args: readonly string[],
  variables: NodeJS.ProcessEnv = {},
  entry = 'bench/main.ts',
): Promise<string> {
  // The run's database cluster is used if there is one. The embedded server has its own tests.
  const cluster = process.env.OJA_TEST_CLUSTER;
  const env = { ...process.env, ...(cluster && { DATABASE_URL: cluster }), ...variables };
  return (await run(process.execPath, [join(root, entry), ...args], { env, timeout: TIMEOUT_MS })).stdout;
}

test('every scenario runs, and no request of it fails', { timeout: TIMEOUT_MS }, async () => {
  const { rows } = JSON.parse(await bench(['--quick', '--json'])) as { rows: ResultRow[] };
  assert.deepEqual([...new Set(rows.map((row) => row.scenario))], scenarioNames);
  for (const row of rows) {
    assert.deepEqual(row.errors, {}, row.name);
    assert.ok(row.good > 0, `${row.name}: nothing was measured`);
    assert.doesNotMatch(`${row.figure} ${row.goal}`, /NaN|Infinity|undefined/, row.name);
  }
});

test('a small run of the ten million is loaded and measured', { timeout: TIMEOUT_MS }, async () => {
  const few = '--purchases 1200 --small 300 --merchants 10 --days 3 --rounds 1 --seconds 0.3 --json'.split(
    ' ',
  );
  const { rows } = JSON.parse(await bench(few, {}, 'lab/ten-million/main.ts')) as { rows: ResultRow[] };
  for (const row of rows) {
    assert.deepEqual(row.errors, {}, row.name);
    assert.ok(row.good > 0, `${row.name}: nothing was measured`);
    assert.doesNotMatch(`${row.figure} ${row.goal}`, /NaN|Infinity|undefined/, row.name);
  }
  const audits = rows.filter(({ name }) => name.startsWith('oja audit'));
  assert.deepEqual(
    audits.map(({ met }) => met),
    [true],
  );
});

test('a gateway that stops under the load fails the run', { timeout: TIMEOUT_MS }, async () => {
  const failed = await bench(['latency', '--quick', '--json'], { OJA_STOP_AT: 'before-call' }).then(
    () => undefined,
    (error: Refused) => error,
  );
  assert.equal(failed?.code, 1);
  assert.equal(failed.stdout, '', 'no figures');
});

test('refuses an unknown scenario, with the usage', async () => {
  const refused = await bench(['speed']).then(
    () => undefined,
    (error: Refused) => error,
  );
  assert.equal(refused?.code, 2);
  assert.match(refused.stderr, /speed[\s\S]*npm run bench/);
});
