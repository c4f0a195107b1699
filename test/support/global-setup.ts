/**
 * Before any test file runs: one database cluster for all of them, named to them in
 * `OJA_TEST_CLUSTER`.
 */
import { join } from 'node:path';
import { startTestCluster, type TestCluster } from './test-cluster.ts';

let cluster: TestCluster | undefined;

export async function globalSetup(): Promise<void> {
  cluster = await startTestCluster();
  process.env.OJA_TEST_CLUSTER = cluster.connectionString;
  // Most of what a short test does is to start, and every file starts with the same code.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'oja');
}

export async function globalTeardown(): Promise<void> {
  await cluster?.stop();
}
