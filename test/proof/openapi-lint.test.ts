/**
 * The OpenAPI documents of the API and of the admin API under Redocly's recommended rules, without
 * one error or warning. `test/e2e/documents.test.ts` holds the document of a running gateway equal
 * to this one.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAdmin } from '../backoffice/admin/harness.ts';
import { readDocument } from '../support/api-document.ts';
import { installLinter } from '../support/lint-openapi.ts';

const lintOpenapi = await installLinter();

// biome-ignore lint/suspicious/noExplicitAny: it is spoilt below, by path
const document: any = await readDocument();

/** The same document with an error in several places: proves that the linter finds each kind. */
function spoilt(): typeof document {
  const copy = structuredClone(document);
  const { get } = copy.paths['/v1/wallet/balance'];
  delete get.operationId;
  get.responses['200'].content['application/json'].examples.prepaid.value.state = 'fine';
  return copy;
}

test('the linter finds nothing', async () => {
  assert.deepEqual(await lintOpenapi(document), []);
});

test('the linter finds a missing id and an untrue example', async () => {
  const found = (await lintOpenapi(spoilt())).join('\n');
  assert.match(found, /operation-operationId /);
  assert.match(found, /media-type-example.*examples\/prepaid/);
});

test('the linter finds nothing in the admin API, and a missing id there', async () => {
  await using admin = await startAdmin();
  // biome-ignore lint/suspicious/noExplicitAny: it is spoilt by path
  const { body }: { body: any } = await admin.call('GET', '/openapi.json');
  assert.deepEqual(await lintOpenapi(body), []);
  delete body.paths['/admin/v1/merchants'].get.operationId;
  assert.match((await lintOpenapi(body)).join('\n'), /operation-operationId /);
});
