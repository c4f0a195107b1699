/** Lists of words in sentences. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listWords } from '../../src/core/list-words.ts';

test('joins words as in a sentence', () => {
  assert.equal(listWords([], 'or'), '');
  assert.equal(listWords(['airtime'], 'or'), 'airtime');
  assert.equal(listWords(['airtime', 'data'], 'and'), 'airtime and data');
  assert.equal(listWords(['a', 'b', 'c'], 'or'), 'a, b or c');
});
