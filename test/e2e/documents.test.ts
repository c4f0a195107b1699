/**
 * GET /openapi.json of a gateway: the document that the tests validate every answer against
 * (test/api/openapi.test.ts), whose example bodies can be sent.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readDocument } from '../support/api-document.ts';
import { newReference, openGatewayUnderTest } from './gateway-under-test.ts';

// Own gateway: the document's examples buy for the demo's merchant.
const gateway = await openGatewayUnderTest();

type Media = { readonly examples: Readonly<Record<string, { readonly value: object }>> };
type Document = {
  readonly info: { readonly version: string };
  readonly externalDocs?: { readonly url: string };
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          { readonly requestBody?: { readonly content: { readonly 'application/json'?: Media } } }
        >
      >
    >
  >;
};

const page = await gateway.call('GET', '/openapi.json', { as: 'nobody' });
assert.equal(page.status, 200);
const document: Document = page.body;

it('the document is the one that the tests validate every answer against', async () => {
  // It also states its version and the address of its guides.
  const { info, externalDocs } = document;
  assert.match(info.version, /^\d+\.\d+\.\d+$/);
  assert.equal(externalDocs?.url, '/guides/');
  assert.deepEqual({ ...(await readDocument()), info, externalDocs }, document);
  assert.match(String(page.headers['content-type']), /^application\/json/);
});

it('example bodies can be sent as they are', async () => {
  const { body: made } = await gateway.call('POST', '/v1/webhooks/endpoints', {
    body: { url: 'https://shop.example/webhooks' },
  });
  // More pending rows than a batch buys at once: it continues until it is stopped.
  const rows = Array.from({ length: 40 }, (_, row) => `08000000401,MTN,${100 + row}`);
  const { body: batch } = await gateway.call('POST', '/v1/batches', {
    body: { csv: ['Phone,Network,Amount', ...rows].join('\n') },
  });
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  for (const { path, method, operation } of operations) {
    const { examples = {} } = operation.requestBody?.content['application/json'] ?? {};
    for (const { value: example } of Object.values(examples)) {
      const name = 'client_request_id' in example ? 'client_request_id' : 'request_ref';
      const body = { ...example, [name]: newReference() };
      const url = path.replace('{id}', (path.includes('batches') ? batch : made).data.id);
      const answer = await gateway.call(method === 'post' ? 'POST' : 'PATCH', url, { body });
      // The example's voucher was never issued: it is valid input and refused.
      const refused = path === '/v1/giftcards/redeem' && answer.body.reason === 'no_such_voucher';
      assert.equal(answer.status, refused ? 400 : 200, `${path}: ${answer.text}`);
    }
  }
});
