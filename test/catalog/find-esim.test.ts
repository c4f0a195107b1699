/** An eSIM is found by its id in any letter case, and never instead of another. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findEsim, indexGoods } from '../../src/catalog/goods-index.ts';
import { anEsim } from '../support/goods.ts';

test('letter case does not matter unless plans differ only by it', () => {
  const index = indexGoods(
    [],
    ['NG-1GB-7D', 'aB1', 'Ab1'].map((planId) => anEsim({ planId })),
    [],
  );
  const found = (id: string): string | undefined => findEsim(index, id)?.planId;
  assert.equal(found('NG-1GB-7D'), 'NG-1GB-7D');
  assert.equal(found('ng-1gb-7d'), 'NG-1GB-7D');
  assert.equal(found('Ab1'), 'Ab1');
  assert.equal(found('aB1'), 'aB1');
  assert.equal(found('AB1'), undefined);
  assert.equal(found('NG-1GB-7'), undefined);
});
