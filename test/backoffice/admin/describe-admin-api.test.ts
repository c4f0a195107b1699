/** The document of the admin API. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { operations } from '../../../src/backoffice/operations/registry.ts';
import { type Admin, startAdmin } from './harness.ts';

let admin: Admin;
// biome-ignore lint/suspicious/noExplicitAny: it is looked into by path
let document: any;

before(async () => {
  admin = await startAdmin();
  // Without a token: it has no secret.
  document = (await admin.call('GET', '/openapi.json')).body;
});
after(() => admin[Symbol.asyncDispose]());

it('describes every operation by name and route', () => {
  const described = Object.entries(document.paths as Record<string, Record<string, { operationId: string }>>)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, `${method} ${path}`]),
    )
    .toSorted();
  const registered = operations
    .map(({ name, route }) => {
      const [method = '', path = ''] = route.split(' ');
      return [name, `${method.toLowerCase()} /admin/v1${path}`];
    })
    .toSorted();
  assert.deepEqual(described, registered);
});
