/** The document of the admin API. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { operations } from '../../src/operations/registry.ts';
import { linters } from '../support/lint-openapi.ts';
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

it('has every operation, by its name, under its address', () => {
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

for (const [name, lint] of Object.entries(linters)) {
  it(`has nothing that the recommended rules of ${name} find`, async () => {
    assert.deepEqual(await lint(document), []);
    const spoilt = structuredClone(document);
    delete spoilt.paths['/admin/v1/merchants'].get.operationId;
    assert.match((await lint(spoilt)).join('\n'), /operation-operationId /);
  });
}
