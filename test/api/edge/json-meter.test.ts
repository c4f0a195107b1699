/** The meter counts a JSON text while it arrives. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type JsonExcess, JsonMeter } from '../../../src/api/edge/json-meter.ts';
import { runs } from '../../support/budget.ts';

const limits = { depthMax: 8, membersMax: 50 };

/** The text in pieces of the given number of bytes. */
function meter(text: string, pieceBytes = 1_000_000): JsonExcess | undefined {
  const counted = new JsonMeter(limits);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    const excess = counted.read(bytes.subarray(at, at + pieceBytes));
    if (excess !== undefined) return excess;
  }
  return undefined;
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, item) => sum + 1 + membersOf(item), 0);
}

describe('the meter of a JSON text', () => {
  it('refuses a text that is too deep, open or closed', () => {
    assert.equal(meter('['.repeat(9)), 'too_deep');
    assert.equal(meter(`${'{"a":'.repeat(9)}1${'}'.repeat(9)}`), 'too_deep');
    assert.equal(meter(`${'['.repeat(8)}${']'.repeat(8)}`), undefined);
  });

  it('refuses a text with too many members on any level', () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}`, at])));
    assert.equal(meter(many), 'too_many_members');
    assert.equal(meter(`{"a":${many}}`), 'too_many_members');
    assert.equal(meter(JSON.stringify(Array.from({ length: 60 }, () => ({})))), 'too_many_members');
    assert.equal(meter(JSON.stringify({ list: Array.from({ length: 40 }, () => 1) })), undefined);
  });

  it('counts nothing inside a string', () => {
    const inside = '[{,"\\'.repeat(1_000);
    assert.equal(meter(JSON.stringify({ content: inside, [inside]: 1 })), undefined);
    assert.equal(meter(JSON.stringify({ content: inside }), 1), undefined);
  });

  it('admits bodies within the limits and refuses twice as much, in chunks of any size', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 12 }), fc.integer({ min: 1, max: 20 }), (text, pieceBytes) => {
        const value: unknown = JSON.parse(text);
        const excess = meter(text, pieceBytes);
        assert.equal(excess, meter(text));
        if (depthOf(value) > limits.depthMax || membersOf(value) > 2 * limits.membersMax) assert.ok(excess);
        else if (membersOf(value) < limits.membersMax / 2) assert.equal(excess, undefined);
      }),
      runs(200),
    );
  });
});
