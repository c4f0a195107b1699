/**
 * Searches of gift cards are cached, so that their text need not be written again. The cache is
 * limited.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexGoods } from '../../src/catalog/goods-index.ts';
import { searchGiftCards } from '../../src/catalog/search-goods.ts';
import { aGiftCard } from '../support/goods.ts';

const plan = aGiftCard();

test('returns a repeated search of a list from memory, until 32 others came after it', () => {
  const { live } = indexGoods([plan], [], []).giftCards;
  const first = searchGiftCards(live, { search: 'SHOP' });
  assert.deepEqual(
    first.map((listed) => listed.plan.planId),
    [1],
  );
  for (let i = 0; i < 31; i += 1) searchGiftCards(live, { search: `other ${i}` });
  assert.equal(searchGiftCards(live, { search: 'SHOP' }), first);
  for (let i = 0; i < 32; i += 1) searchGiftCards(live, { search: `another ${i}` });
  assert.notEqual(searchGiftCards(live, { search: 'SHOP' }), first);
  assert.deepEqual(searchGiftCards(live, { search: 'SHOP' }), first);
});

test('searches a reloaded catalog again', () => {
  const before = searchGiftCards(indexGoods([plan], [], []).giftCards.live, { brand: 'shop' });
  const withdrawn = indexGoods([{ ...plan, active: false }], [], []).giftCards.live;
  assert.equal(before.length, 1);
  assert.equal(searchGiftCards(withdrawn, { brand: 'shop' }).length, 0);
});
