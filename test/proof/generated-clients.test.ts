/**
 * Clients that are generated from the OpenAPI document compile the smallest order. The generators
 * take 150 MB, so they are no dependency: each run installs them into a temporary folder.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { makeDocument } from '../support/api-document.ts';

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'oja-clients-'));
after(() => rm(folder, { recursive: true }));

before(async () => {
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  await writeFile(join(folder, 'openapi.json'), await makeDocument());
  const packages = ['openapi-typescript@7', 'orval@7', 'typescript@5'];
  await run('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder });
});

const orders = `
export const airtime: AirtimeBody = {
  merchant: 'DEMO', msisdn: '08031234567', network: 'mtn', amount: '100.00', request_ref: 'order-1',
};
export const card: GiftCardOrderBody = { request_id: 'order-2', plan_id: 300002 };
`;

async function compile(file: string, text: string): Promise<void> {
  await writeFile(join(folder, file), text);
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--allowImportingTsExtensions'];
  await run(join(folder, 'node_modules', '.bin', 'tsc'), [...options, file], { cwd: folder });
}

test('types of openapi-typescript compile the smallest order', async () => {
  const cli = join(folder, 'node_modules', 'openapi-typescript', 'bin', 'cli.js');
  await run(process.execPath, [cli, 'openapi.json', '-o', 'types.ts'], { cwd: folder });
  const types = `import type { components } from './types.ts';
type AirtimeBody = components['schemas']['AirtimeBody'];
type GiftCardOrderBody = components['schemas']['GiftCardOrderBody'];`;
  await compile('with-types.ts', `${types}${orders}`);
  const wrong = orders.replace("'mtn'", "'nitel'");
  await assert.rejects(compile('with-wrong-types.ts', `${types}${wrong}`));
});

test('a client of orval compiles the smallest order', async () => {
  const cli = join(folder, 'node_modules', 'orval', 'dist', 'bin', 'orval.js');
  const flags = ['--input', 'openapi.json', '--output', 'client.ts', '--client', 'fetch'];
  await run(process.execPath, [cli, ...flags], { cwd: folder });
  const types = "import type { AirtimeBody, GiftCardOrderBody } from './client.ts';";
  await compile('with-client.ts', `${types}${orders}`);
});
