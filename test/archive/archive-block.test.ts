/** Blocks of archives that were written before attempts had an account are read as without one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameBlock, readBlock, toBlock, writeBlock } from '../../src/archive/archive-block.ts';

const vend = '01a1fde3-bf58-7da4-871a-a34d1849a001';
const before = [vend, 1, 'vtpass', 'R1', 'first of the route', '2026-01-02T03:04:05+00:00'];

test('a row of before has no account', () => {
  const text = JSON.stringify({ merchant_id: 7, attempts: [before], answers: [] });
  const read = readBlock(text, 'blocks/000001.json');
  assert.ok(isSameBlock(read, toBlock(7, [JSON.stringify([...before, null])], [])));
  assert.ok(!isSameBlock(read, toBlock(7, [JSON.stringify([...before, '1f2e3d4c'])], [])));
});

test('a row with an account keeps it', () => {
  const block = toBlock(7, [JSON.stringify([...before, '1f2e3d4c'])], []);
  assert.ok(isSameBlock(readBlock(writeBlock(block), 'blocks/000001.json'), block));
});
