/** The types that the client has are those of the document, and it has a method for all of it. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import methods from '../../sdk/methods.json' with { type: 'json' };
import { Oja } from '../../sdk/src/index.ts';
import { emitTypes, type OpenApiDocument } from '../../sdk/tools/emit-types.ts';
import { readDocument } from '../support/api-document.ts';
import { sdkPage, withMethods } from '../support/write-sdk-types.ts';

const document = (await readDocument()) as unknown as OpenApiDocument;
const ids = Object.values(document.paths).flatMap((path) =>
  Object.values(path).map(({ operationId }) => operationId),
);

describe('the types of the client', () => {
  it('the types match the document: if not, run npm run sdk-types', async () => {
    const kept = await readFile(new URL('../../sdk/src/generated/api.ts', import.meta.url), 'utf8');
    assert.equal(kept, emitTypes(document));
  });

  it('the page of the client lists its methods: if not, run npm run sdk-types', async () => {
    const page = await readFile(sdkPage, 'utf8');
    assert.equal(page, withMethods(page));
  });

  it('detects a difference', () => {
    const changed = structuredClone(document) as {
      components: { schemas: Record<string, { type: string }> };
    };
    changed.components.schemas.Added = { type: 'string' };
    assert.match(emitTypes(changed as OpenApiDocument), /export type Added = string;/);
  });

  it('refuses types that it cannot express', () => {
    const odd = { paths: {}, components: { schemas: { Odd: { type: 'tuple' } } } };
    assert.throws(() => emitTypes(odd), /no type is known for a schema of type tuple/);
  });
});

describe('the methods of the client', () => {
  const oja = new Oja({ key: 'k', secret: 's', baseUrl: 'https://gateway.example' });
  const resources = oja as unknown as Record<string, Record<string, unknown>>;

  it('the methods have a name for each operation', () => {
    const named = Object.keys(methods);
    assert.deepEqual(named.toSorted(), ids.toSorted());
    assert.equal(new Set(Object.values(methods)).size, named.length);
  });

  for (const [operation, name] of Object.entries(methods)) {
    it(`${name} is ${operation}`, () => {
      const [resource = '', method = ''] = name.split('.');
      assert.equal(typeof resources[resource]?.[method], 'function');
    });
  }
});
