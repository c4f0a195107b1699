/** Each documented status of Acme, and that no other status is final. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { runs } from '../../../support/budget.ts';
import { readCallback, readOrder } from './mapping.ts';

const kinds: Readonly<Record<string, string>> = {
  done: 'success',
  working: 'accepted',
  refused: 'failed',
  never_heard: 'not_found',
};

function kindOf(body: unknown, status = 200): string {
  return readOrder({ kind: 'reply', status, body }, 100n).kind;
}

for (const [state, kind] of Object.entries(kinds)) {
  it(`reads ${state} as ${kind}`, () => assert.equal(kindOf({ state }), kind));
}

it('reads any other answer as unknown', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 200, max: 599 }), (body, status) => {
      const state = typeof body === 'object' && body !== null && 'state' in body ? body.state : undefined;
      fc.pre(!(String(state) in kinds));
      assert.equal(kindOf(body, status), 'unknown');
    }),
    runs(100),
  );
});

it('accepts a callback only with the key', () => {
  const callback = (key: string) => ({
    body: { id: 'order-1' },
    headers: { 'x-key': key },
    raw: '',
    receivedAt: new Date(0),
  });
  assert.deepEqual(readCallback(callback('secret'), 'secret'), { reference: 'order-1' });
  assert.equal(readCallback(callback('wrong!'), 'secret'), undefined);
});
