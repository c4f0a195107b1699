/** VTU.ng's webhooks: a good signature names an order, and nothing else does. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseVtungCallback, signVtungCallback } from '../../../src/providers/vtung/callback.ts';

const PIN = '12345';
const REFERENCE = '0d3b1f0e-7a51-8b87-9f0c-0b8f6f1f8a11';
const RAW = `{"order_id": 4711, "request_id": "${REFERENCE}", "status": "refunded"}`;

function parse(raw: string, signature: string | string[] | undefined, pin = PIN): unknown {
  return parseVtungCallback(raw, JSON.parse(raw), { 'x-signature': signature }, pin);
}

describe('a webhook of VTU.ng', () => {
  it('reads its order when the signature of the raw body is right', () => {
    const signature = signVtungCallback(RAW, PIN);
    assert.deepEqual(parse(RAW, signature), { reference: REFERENCE });
    assert.deepEqual(parse(RAW, signature.toUpperCase()), { reference: REFERENCE });
  });

  it('reads no order when the signature is missing, of another PIN or of another body', () => {
    const other = RAW.replace('refunded', 'failed');
    for (const signature of [
      undefined,
      '',
      'short',
      [signVtungCallback(RAW, PIN)],
      signVtungCallback(RAW, '54321'),
      signVtungCallback(other, PIN),
    ]) {
      assert.equal(parse(RAW, signature), undefined);
    }
    assert.equal(parse(RAW, signVtungCallback(RAW, ''), ''), undefined);
  });

  it('reads no order without an id of our form', () => {
    for (const body of [null, [], {}, { request_id: 7 }, { request_id: 'a b' }, { request_id: '' }]) {
      const raw = JSON.stringify(body);
      assert.equal(parse(raw, signVtungCallback(raw, PIN)), undefined, raw);
    }
  });
});
