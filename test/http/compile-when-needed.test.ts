/** Schemas of routes are compiled by the first request that needs them, not by the start. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { compileWhenNeeded } from '../../src/http/plumbing/compile-when-needed.ts';

const unknownType = { type: 'object', properties: { name: { type: 'no such type' } } };
const named = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

function appWith(schema: object) {
  const app = Fastify({ schemaController: { compilersFactory: compileWhenNeeded() } });
  app.post('/', { schema }, () => ({ name: 'Ada', secret: 'kept' }));
  return app;
}

test('a start compiles nothing, the first request what it needs', async () => {
  for (const schema of [{ body: unknownType }, { response: { 200: unknownType } }]) {
    await using app = appWith(schema);
    await app.ready();
    const { statusCode } = await app.inject({ method: 'POST', url: '/', payload: { name: 'Ada' } });
    assert.equal(statusCode, 500);
  }
});

test('what is wrong is said of each request, and an answer holds what its schema names', async () => {
  await using app = appWith({ body: named, response: { 200: named } });
  const send = (payload: object) => app.inject({ method: 'POST', url: '/', payload });
  for (let round = 0; round < 2; round += 1) {
    const refused = await send({});
    assert.equal(refused.statusCode, 400);
    assert.match(refused.json().message, /required property 'name'/);
    const taken = await send({ name: 'Ada' });
    assert.deepEqual(taken.json(), { name: 'Ada' });
  }
});
