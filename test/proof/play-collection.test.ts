/** The collection for Postman, played against a gateway. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { collectionFolders } from '../../sdk/tools/collection/requests.ts';
import type { OpenApi } from '../../site/generate/document.ts';
import { runOja } from '../cli/harness.ts';
import { merchantCode, openSharedGateway } from '../e2e/gateway-under-test.ts';
import { type Collection, playCollection } from '../sdk/play-collection.ts';
import { readDocument } from '../support/api-document.ts';
import { postmanFile, root } from '../support/write-collection.ts';

const gateway = await openSharedGateway();
const document = (await readDocument()) as unknown as OpenApi;
const collection = JSON.parse(readFileSync(join(root, postmanFile), 'utf8')) as Collection;
const requests = collectionFolders(document).flatMap((folder) => folder.requests);

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
