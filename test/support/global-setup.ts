/**
 * Before any test file runs: one database cluster for all of them, named to them in
 * `OJA_TEST_CLUSTER`, a bundle of the gateway, named in `OJA_TEST_GATEWAY`, and the OpenAPI
 * document that answers are held to, in a file.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { documentVariable, makeDocument } from './api-document.ts';
import { bundleGateway, type GatewayBundle } from './bundle-gateway.ts';
import { startTestCluster, type TestCluster } from './test-cluster.ts';

let cluster: TestCluster | undefined;
let folder: string | undefined;
let bundle: GatewayBundle | undefined;

/** Node.js passes its own context; the runner passes the numbers of cells that its files need. */
export async function globalSetup(_context?: unknown, cells?: readonly number[]): Promise<void> {
  const [started] = await Promise.all([startTestCluster(cells), writeDocument(), writeBundle()]);
  cluster = started;
  process.env.OJA_TEST_CLUSTER = cluster.connectionString;
  // A short test mainly waits for its start, and every file starts with the same code.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'oja');
}

export async function globalTeardown(): Promise<void> {
  await cluster?.stop();
  await bundle?.[Symbol.asyncDispose]();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
}

async function writeDocument(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'oja-document-'));
  const path = join(folder, 'openapi.json');
  await writeFile(path, await makeDocument());
  process.env[documentVariable] = path;
}

async function writeBundle(): Promise<void> {
  bundle = await bundleGateway();
  process.env.OJA_TEST_GATEWAY = bundle.path;
}
