/**
 * Before any test file runs: one database cluster for all of them, named to them in
 * `OJA_TEST_CLUSTER`.
 */
import { startTestCluster, type TestCluster } from './test-cluster.ts';

let cluster: TestCluster | undefined;

export async function globalSetup(): Promise<void> {
  cluster = await startTestCluster();
  process.env.OJA_TEST_CLUSTER = cluster.connectionString;
}

export async function globalTeardown(): Promise<void> {
  await cluster?.stop();
}
