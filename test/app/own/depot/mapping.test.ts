/** Each documented reply of Depot, and that no other reply is a payment. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { it } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../support/budget.ts';
import { accountOf, noticeOf, paymentOf } from './mapping.ts';

const paid = {
  reference: 'P-1',
  state: 'paid',
  kobo: 50_000,
  account: 'A-1',
  paid_at: '2026-11-01T10:00:00Z',
};

function reply(body: unknown, status = 200) {
  return { kind: 'reply', status, body } as const;
}

it('reads the states of an account', () => {
  const kindOf = (body: object) => accountOf(reply({ reference: 'A-1', ...body }), 'A-1').kind;
  assert.equal(kindOf({ state: 'open', number: '1234567890', name: 'SHOP' }), 'active');
  assert.equal(kindOf({ state: 'open' }), 'unavailable');
  assert.equal(kindOf({ state: 'opening' }), 'pending');
  assert.equal(kindOf({ state: 'refused' }), 'refused');
  assert.equal(kindOf({ state: 'constructor' }), 'unavailable');
  assert.equal(kindOf({ state: 'open', number: '1234567890', reference: 'A-2' }), 'unavailable');
});

it('reads a payment', () => {
  assert.deepEqual(paymentOf(reply(paid), 'P-1'), {
    kind: 'paid',
    payment: {
      reference: 'P-1',
      paidTo: { kind: 'reference', value: 'A-1' },
      amount: 500_00n,
      currency: 'NGN',
      paidAt: new Date('2026-11-01T10:00:00Z'),
    },
  });
  assert.equal(paymentOf(reply({ ...paid, state: 'pending' }), 'P-1').kind, 'not_paid');
});

it('reads no other reply as a payment', () => {
  // Any account is read: a payment to one that is not ours is kept in suspense.
  const field = fc.constantFrom('reference', 'state', 'kobo', 'paid_at');
  const other = fc.oneof(fc.jsonValue(), fc.tuple(field, fc.constantFrom(null, '', 0, -1, 0.5, 'x')));
  fc.assert(
    fc.property(other, fc.integer({ min: 200, max: 599 }), (drawn, status) => {
      const isChanged = Array.isArray(drawn) && Object.hasOwn(paid, String(drawn[0]));
      const body = isChanged ? { ...paid, [String(drawn[0])]: drawn[1] } : drawn;
      assert.equal(paymentOf(reply(body, status), 'P-1').kind, 'unavailable');
    }),
    runs(100),
  );
  for (const status of [201, 404, 500])
    assert.equal(paymentOf(reply(paid, status), 'P-1').kind, 'unavailable');
  assert.equal(paymentOf(reply(paid), 'P-2').kind, 'unavailable');
});

it('accepts a notice only with its signature', () => {
  const bytes = Buffer.from(JSON.stringify({ reference: 'P-1' }));
  const signature = createHmac('sha512', 'key').update(bytes).digest('hex');
  assert.deepEqual(noticeOf(bytes, signature, 'key'), { kind: 'payment', reference: 'P-1' });
  assert.equal(noticeOf(bytes, signature, 'other key'), undefined);
  assert.equal(noticeOf(Buffer.from('{}'), signature, 'key'), undefined);
});
