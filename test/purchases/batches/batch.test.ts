/** The identity of batches and their rows, by properties. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  findDuplicates,
  hashRows,
  type RowPurchase,
  rowReference,
} from '../../../src/purchases/batches/batch.ts';
import { runs } from '../../support/budget.ts';

// Few values, so that rows repeat.
const row: fc.Arbitrary<RowPurchase> = fc
  .record({
    network: fc.constantFrom('MTN', 'GLO'),
    planCode: fc.constantFrom(undefined, 'MTN-1', 'MTN-2'),
    digits: fc.integer({ min: 1, max: 3 }),
    faceValue: fc.bigInt({ min: 1n, max: 3n }),
    phone: fc.constantFrom(undefined, '08031234567'),
    planKind: fc.constantFrom(undefined, 'share_and_sell' as const),
  })
  .map(({ digits, planKind, ...one }) => ({
    ...one,
    ...(one.planCode === undefined && { planKind }),
    product: one.planCode === undefined ? ('airtime' as const) : ('data' as const),
    msisdn: `080${digits}`,
    recipient: `23480${digits}`,
  }));
const rows = fc.array(row, { minLength: 1, maxLength: 12 });

function isSame(one: RowPurchase, other: RowPurchase): boolean {
  return (['product', 'network', 'planCode', 'planKind', 'recipient', 'faceValue', 'phone'] as const).every(
    (field) => one[field] === other[field],
  );
}

describe('the rows of a file', () => {
  it('a row repeats the first row that buys the same, and nothing else', () => {
    fc.assert(
      fc.property(rows, (file) => {
        for (const [index, duplicateOf] of findDuplicates(file).entries()) {
          const first = file.findIndex((one) => isSame(one, file[index] as RowPurchase));
          assert.equal(duplicateOf, first === index ? undefined : first + 1);
        }
      }),
      runs(200),
    );
  });

  it('rows have the same hash exactly when they buy the same in the same order', () => {
    fc.assert(
      fc.property(rows, rows, (one, other) => {
        const buysTheSame =
          one.length === other.length && one.every((row, index) => isSame(row, other[index] as RowPurchase));
        assert.equal(hashRows(one) === hashRows(other), buysTheSame);
      }),
      runs(200),
    );
  });

  it('rows have the same hash in any spelling of numbers and plans', () => {
    fc.assert(
      fc.property(rows, (file) => {
        const spelt = file.map((one) => ({
          ...one,
          msisdn: `+${one.recipient}`,
          planCode: one.planCode?.toLowerCase(),
          ...(one.product === 'airtime' && { planKind: one.planKind ?? ('vtu' as const) }),
        }));
        assert.equal(hashRows(spelt), hashRows(file));
      }),
      runs(100),
    );
  });

  it('rows have their own references, which a purchase accepts', () => {
    fc.assert(
      fc.property(rows, rows, (one, other) => {
        const references = new Set(
          [...new Set([hashRows(one), hashRows(other)])].flatMap((hash) =>
            [...one, ...other].map((_, index) => rowReference(hash, index + 1)),
          ),
        );
        const files = new Set([hashRows(one), hashRows(other)]).size;
        assert.equal(references.size, files * (one.length + other.length));
        for (const reference of references) assert.ok(reference.length <= 100);
      }),
      runs(50),
    );
  });
});
