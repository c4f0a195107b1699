/** Builds an error of every code of an operation. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OperationError } from '../../src/core/errors.ts';
import {
  fieldErrorsOf,
  type OperationErrorDetails,
  operationErrors,
} from '../../src/core/operation-errors.ts';

/** Parameters that are not texts, by name. A text parameter has its name as its value. */
const facts: Readonly<Record<string, unknown>> = {
  after: { rate: '154.53', margin: '3' },
  alarm: 7n,
  amount: 9_900n,
  available: 100_000n,
  basisPoints: 9_900,
  basisPointsMax: 2_000,
  before: { rate: '1545.25', margin: '3' },
  booked: 10_000n,
  charge: 9_700n,
  closableAt: new Date('2026-11-21T23:05:00Z'),
  count: 3,
  daysMax: 400,
  errors: ['a', 'b'],
  examples: [
    {
      product: 'airtime',
      network: 'MTN',
      planCode: '',
      provider: 'sandbox',
      currency: 'NGN',
      amount: 9_900n,
      cost: 97n,
      charge: 95n,
    },
  ],
  faults: ['line 2', 'line 3'],
  floor: 500n,
  held: 3_000n,
  known: ['a', 'b'],
  left: 2n,
  lengthMax: 100,
  max: 50,
  more: 3,
  names: ['A', 'B'],
  paid: 9_800n,
  perDay: 9_900n,
  perPurchase: 10_000n,
  places: [{ merchant: 'SHOP', environment: 'live' }],
  posted: 10_000n,
  providers: ['a', 'b'],
  purchases: 2,
  quantity: 2,
  references: ['a', 'b'],
  refunded: 9_800n,
  roles: ['finance', 'admin'],
  routes: ['live airtime MTN'],
  served: ['NGN'],
  since: new Date('2026-11-21T22:50:00Z'),
  sold: 10_050n,
  subjects: ['MTN 1 GB', 'GLO 2 GB'],
  testing: ['sandbox'],
  value: 50_000n,
};

/** Parameters of a single code for which the name or the choices are not enough. */
const factsOf: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  input_malformed: {
    errors: [
      { field: 'amount', kind: 'missing', wanted: 'an amount' },
      { field: 'environment', kind: 'wrong', wanted: 'test or live' },
      { field: 'memmo', kind: 'unknown', wanted: ['memo', 'key'] },
    ],
  },
  catalog_at_fault: { faults: [{ lines: [2], fault: 'no price' }] },
  goods_malformed: { wanted: 'cards' },
  second_person_needed: { instead: 'import' },
  provider_says_otherwise: { said: 'not_found' },
  voucher_value_malformed: { max: 50n },
};

function detailsOf(code: string): OperationErrorDetails {
  const samples: Readonly<Record<string, unknown>> = { ...facts, ...factsOf[code], code };
  return new Proxy({} as OperationErrorDetails, { get: (_, name) => samples[String(name)] ?? String(name) });
}

describe('operation errors', () => {
  for (const code of Object.keys(operationErrors)) {
    it(`${code} has a status and a message`, () => {
      const { status, message: text } = new OperationError(detailsOf(code));
      assert.ok([400, 403, 404, 409].includes(status), `${status}`);
      assert.equal(text, text.trim());
      assert.notEqual(text, '');
      assert.doesNotMatch(text, /undefined|\[object|NaN/);
    });
  }

  it('names each malformed field', () => {
    const faults = fieldErrorsOf(detailsOf('input_malformed'));
    assert.deepEqual(
      faults.map(({ field }) => field),
      ['amount', 'environment', 'memmo'],
    );
    for (const { message } of faults) assert.notEqual(message, '');
  });

  it('names each line of a file that is at fault', () => {
    const details: OperationErrorDetails<'catalog_at_fault'> = {
      code: 'catalog_at_fault',
      source: 'plans.csv',
      faults: [
        { lines: [2, 7], fault: 'twice in the file' },
        { lines: [], fault: 'the file has no price' },
      ],
    };
    assert.deepEqual(fieldErrorsOf(details), [
      { field: 'content.2', message: 'twice in the file' },
      { field: 'content.7', message: 'twice in the file' },
    ]);
    const { message } = new OperationError(details);
    for (const { fault } of details.faults) assert.ok(message.includes(fault), message);
  });
});
