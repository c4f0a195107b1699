/** The form of an identifier. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isUuid, newId } from '../../src/core/ids.ts';

test('an id is a UUID, and sorts after those made before it', () => {
  const ids = Array.from({ length: 2_000 }, newId);
  assert.ok(ids.every(isUuid));
  assert.deepEqual(ids, ids.toSorted());
});

test('rejects text that is not written as an id', () => {
  const id = newId();
  for (const text of ['', 'order-1', id.toUpperCase(), id.slice(1), `${id} `, id.replaceAll('-', '')]) {
    assert.equal(isUuid(text), false, text);
  }
});
