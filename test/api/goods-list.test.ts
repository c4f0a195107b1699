/** A catalog's answer is written once per list, and its bytes keep no larger buffer in memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createListWriter } from '../../src/api/plumbing/goods-list.ts';
import type { Listed } from '../../src/catalog/goods-index.ts';

type Plan = { readonly name: string };

function listOf(...names: readonly string[]): readonly Listed<Plan>[] {
  return names.map((name) => ({ plan: { name }, ngnPrice: undefined, searchText: name }));
}

test('writes a list once, and another list separately', () => {
  const write = createListWriter<Plan>(({ plan }) => ({ title: plan.name }));
  const list = listOf('one', 'two');
  const body = write(list);
  assert.deepEqual(JSON.parse(body.toString()).data, [{ title: 'one' }, { title: 'two' }]);
  assert.equal(write(list), body);
  assert.notEqual(write(listOf('one', 'two')), body);
});

test('keeps no larger buffer for the list in memory', () => {
  const body = createListWriter<Plan>(({ plan }) => plan)(listOf('one'));
  assert.equal(body.buffer.byteLength, body.length);
});
