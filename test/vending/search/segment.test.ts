/** A segment is built in steps, which leave the process to requests. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SEGMENT_MAX } from '../../../src/vending/search/postings.ts';
import { buildSegment, type IndexedVend } from '../../../src/vending/search/segment.ts';

function vendAt(place: number): IndexedVend {
  return {
    merchantId: place % 100,
    environment: 'live',
    product: 'airtime',
    network: 'mtn',
    id: `0192f3aa-7b5e-7c11-9d2e-${place.toString(16).padStart(12, '0')}`,
    provider: 'vtpass',
    status: 'success',
    reason: 'none',
    faceValue: BigInt(place % 500),
    recipient: `0803${String(place).padStart(7, '0')}`,
    providerReferences: [`reference ${place}`],
    tokens: [],
  };
}

/** How many steps it takes, and what comes of them. */
function build(size: number) {
  const steps = buildSegment(Array.from({ length: size }, (_, place) => vendAt(place)));
  for (let count = 1; ; count += 1) {
    const step = steps.next();
    if (step.done === true) return { count, segment: step.value };
  }
}

describe('a segment of the search', () => {
  it('is built in many steps where it is large', () => {
    const { count, segment } = build(SEGMENT_MAX);
    assert.equal(segment.size, SEGMENT_MAX);
    // One for each of ten attributes and for the amounts, and some for the members.
    assert.ok(count >= 14, `${count} steps`);
  });

  it('is the same, whatever the order of its purchases', () => {
    const vends = Array.from({ length: 300 }, (_, place) => vendAt(place));
    const built = [vends, vends.toReversed()].map((some) => {
      const steps = buildSegment(some);
      for (;;) {
        const step = steps.next();
        if (step.done === true) return step.value;
      }
    });
    assert.deepEqual(built[0], built[1]);
  });
});
