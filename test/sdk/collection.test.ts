/** The collections for Postman and Bruno: current, complete, and played against a gateway. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { collectionFolders } from '../../sdk/tools/collection/requests.ts';
import { listRoutes, type OpenApi } from '../../site/generate/document.ts';
import { deliveryStories, testStories } from '../../src/core/products/test-stories.ts';
import { runOja } from '../cli/harness.ts';
import { merchantCode, openSharedGateway } from '../e2e/gateway-under-test.ts';
import { readDocument } from '../support/api-document.ts';
import { brunoFolder, makeCollections, postmanFile, root } from '../support/write-collection.ts';
import { type Collection, playCollection } from './play-collection.ts';

const gateway = await openSharedGateway();
const document = (await readDocument()) as unknown as OpenApi;
const collection = JSON.parse(readFileSync(join(root, postmanFile), 'utf8')) as Collection;
const requests = collectionFolders(document).flatMap((folder) => folder.requests);

describe('the collections', () => {
  it('the collection for Postman matches npm run collection', async () => {
    for (const [path, text] of await makeCollections()) {
      if (!path.startsWith(brunoFolder)) assert.equal(readFileSync(join(root, path), 'utf8'), text, path);
    }
  });

  it('the collection for Bruno has a file for each request, with both environments', async () => {
    const paths = [...(await makeCollections()).keys()].filter((path) => path.startsWith(brunoFolder));
    const files = paths.map((path) => path.slice(brunoFolder.length + 1));
    for (const path of ['bruno.json', 'environments/Oja test.bru', 'environments/Oja live.bru'])
      assert.ok(files.includes(path), path);
    const written = files.filter((path) => path.includes('/') && !/^environments|folder\.bru$/.test(path));
    assert.equal(written.length, requests.length);
  });

  it('the collections have every operation of the API', () => {
    const operations = new Set(requests.map(({ operationId }) => operationId));
    assert.deepEqual(
      listRoutes(document)
        .map(({ operation }) => operation.operationId)
        .filter((id) => !operations.has(id)),
      [],
    );
  });

  it('the collections have every story of the sandbox', () => {
    const bodies = requests.map(({ body }) => JSON.stringify(body ?? {}));
    for (const { id } of [...testStories, ...deliveryStories])
      assert.ok(
        bodies.some((body) => new RegExp(`(?:08000000|10000000|oja-)${id}\\b`).test(body)),
        id,
      );
  });

  it('the collections hold no credentials', () => {
    for (const name of ['test', 'live']) {
      const file = join(root, 'console', 'public', `oja-${name}.postman_environment.json`);
      const { values } = JSON.parse(readFileSync(file, 'utf8')) as {
        values: { key: string; value: string; type: string }[];
      };
      const secrets = values.filter(({ key }) => key === 'key' || key === 'secret');
      assert.deepEqual(
        secrets.map(({ value, type }) => ({ value, type })),
        [
          { value: '', type: 'secret' },
          { value: '', type: 'secret' },
        ],
      );
    }
  });
});

describe('the collection, played against a gateway with test credentials', () => {
  const settings = { OJA_DATA_DIR: gateway.dataDir, DATABASE_URL: gateway.databaseUrl };

  async function oja(...args: string[]): Promise<string> {
    const { code, out, err } = await runOja(settings, args);
    assert.equal(code, 0, err);
    return out;
  }

  it('gets the answer that each request names', async () => {
    const merchant = merchantCode();
    await oja('merchant', 'mtn-line', 'add', merchant, '08031234567', 'Shop', '--env', 'test');
    const issued = await oja(
      'voucher',
      'issue',
      merchant,
      '--value',
      '5000',
      '--count',
      '1',
      '--env',
      'test',
      '--json',
    );
    const [code = ''] = /(?:[0-9A-Z]{4}-){3}[0-9A-Z]{4}/.exec(issued) ?? [];
    const given = { ...gateway.credentials.test, base_url: gateway.url, merchant, voucher_code: code };
    const checks = await playCollection(collection, given, 60);
    assert.deepEqual(
      checks.filter(({ failure }) => failure !== undefined),
      [],
    );
    assert.ok(checks.length >= requests.length);
  });

  it('notices a refused request', async () => {
    const [health] = collection.item.filter(({ name }) => name === 'Wallet');
    assert.ok(health);
    const checks = await playCollection(
      { ...collection, item: [health] },
      { key: 'oja_test_none', secret: 'none', base_url: gateway.url, merchant: merchantCode() },
    );
    assert.ok(checks.every(({ failure }) => failure !== undefined));
  });
});
