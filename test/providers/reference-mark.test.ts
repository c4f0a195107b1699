/**
 * References at providers carry a mark of their purchase, which is distinguished from random ones.
 */
import assert from 'node:assert/strict';
import { createSecretKey, randomBytes, randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { toReference } from '../../src/providers/esimaccess/mapping.ts';
import {
  keyMarks,
  markOf,
  mintDigits,
  mintUuid,
  readMark,
  traceOf,
} from '../../src/providers/reference-mark.ts';
import { isBought } from '../support/a-purchase.ts';

const purchases = fc.record({
  environment: fc.constantFrom('test', 'live'),
  merchantId: fc.integer({ min: 1, max: 2 ** 20 - 1 }),
  reference: fc.string({ minLength: 1, maxLength: 100 }),
});

describe('marks in references', () => {
  it('reads a mark back from each form', () => {
    fc.assert(
      fc.property(
        purchases,
        fc.date({ min: new Date('2026-01-01'), max: new Date('2090-01-01'), noInvalidDate: true }),
        (of, at) => {
          const wanted = { merchantId: of.merchantId, mark: markOf(of), trace: traceOf(isBought) };
          const minute = at.toISOString().replace(/\D/g, '').slice(0, 12);
          const vtpass = minute + mintDigits(of, isBought);
          assert.match(vtpass, /^\d{12}[0-9a-z]{24}$/);
          assert.deepEqual(readMark(vtpass), wanted);
          const uuid = mintUuid(of, isBought);
          assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
          assert.deepEqual(readMark(uuid), wanted);
          assert.deepEqual(readMark(uuid.toUpperCase()), wanted);
          assert.deepEqual(readMark(toReference(at, uuid)), wanted);
        },
      ),
    );
  });

  it('gives each purchase its own mark while no two references are the same', () => {
    const of = { environment: 'live', merchantId: 7, reference: 'A-1' } as const;
    assert.notEqual(markOf(of), markOf({ ...of, environment: 'test' }));
    assert.notEqual(markOf(of), markOf({ ...of, merchantId: 8 }));
    assert.notEqual(markOf(of), markOf({ ...of, reference: 'A-2' }));
    const references = Array.from({ length: 10_000 }, () => mintUuid(of, isBought));
    assert.equal(new Set(references).size, 10_000);
    assert.ok(references.every((reference) => readMark(reference)?.mark === markOf(of)));
  });

  it('names the purchased plan, whatever the order of its codes', () => {
    const plan = { product: 'data', network: 'MTN', codes: { service_id: 'mtn-data', variation_code: 'm1' } };
    const same = { ...plan, codes: { variation_code: 'm1', service_id: 'mtn-data' } };
    assert.equal(traceOf(plan), traceOf(same));
    const traces = Array.from({ length: 1_000 }, (_, at) =>
      traceOf({ ...plan, codes: { ...plan.codes, variation_code: `plan-${at}` } }),
    );
    // About 890 of 4,096 match by chance.
    assert.ok(new Set(traces).size > 850);
    assert.ok(traces.every((trace) => trace >= 0 && trace < 4_096));
  });

  it('reads marks of the same installation only', () => {
    const keyed = (name: string) => keyMarks(createSecretKey(Buffer.from(name.padEnd(32, '.'))));
    const mint = (at: number) =>
      mintUuid({ environment: 'live', merchantId: 1 + (at % 100), reference: `A-${at}` }, isBought);
    keyed('ours');
    const [mark, references] = [
      markOf({ environment: 'live', merchantId: 1, reference: 'A-0' }),
      Array.from({ length: 20_000 }, (_, at) => mint(at)),
    ];
    keyed('theirs');
    assert.notEqual(markOf({ environment: 'live', merchantId: 1, reference: 'A-0' }), mark);
    const ours = references.filter((reference) => (readMark(reference)?.merchantId ?? 1e9) <= 100);
    assert.ok(ours.length <= 1, `${ours.length} of 20,000`);
    keyed('ours');
    for (const [at, reference] of references.entries()) {
      assert.equal(readMark(reference)?.merchantId, 1 + (at % 100));
    }
  });

  it('makes no mark for a merchant whose number is too high', () => {
    const tooHigh = { environment: 'live', merchantId: 2 ** 20, reference: 'A' } as const;
    assert.equal(readMark(mintUuid(tooHigh, isBought)), undefined);
  });

  it('reads no mark from references of 0.1.0 or of others', () => {
    const random = (): string => {
      let text = '';
      for (const byte of randomBytes(24)) text += (byte % 36).toString(36);
      return text;
    };
    let seen = 0;
    for (let count = 0; count < 20_000; count += 1) {
      assert.equal(readMark(randomUUID()), undefined);
      assert.equal(readMark(toReference(new Date(), randomUUID())), undefined);
      // The number and check of these are wrong. The rest names a merchant above a million.
      const read = readMark(`202611221030${random()}`);
      if (read !== undefined && read.merchantId <= 100) seen += 1;
    }
    assert.ok(seen <= 2, `${seen} of 20,000 taken for purchases of the first hundred merchants`);
    for (const text of [
      '',
      'sbx-1-2-3',
      'A-1',
      '202611221030',
      `${'z'.repeat(36)}`,
      `202611221030${'z'.repeat(24)}`,
    ])
      assert.equal(readMark(text), undefined, text);
  });
});
