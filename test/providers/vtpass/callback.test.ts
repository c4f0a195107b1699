/** Anybody can send a callback: it names an order of ours, or it is nothing. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseVtpassCallback } from '../../../src/providers/vtpass/callback.ts';
import { runs } from '../../support/budget.ts';

const REFERENCE = '202611210130abcdefghijklmnopqrstuvwx';

describe("VTpass's callbacks", () => {
  it('reads the reference only from an update of a transaction', () => {
    const data = { requestId: REFERENCE, code: '000' };
    assert.deepEqual(parseVtpassCallback({ type: 'transaction-update', data }), { reference: REFERENCE });
    for (const body of [
      null,
      [],
      'x',
      {},
      { type: 'variations-update', data },
      { type: 'transaction-update' },
      { type: 'transaction-update', data: {} },
      { type: 'transaction-update', data: { requestId: 5 } },
      { type: 'transaction-update', data: { requestId: `${REFERENCE}\u0000` } },
      { type: 'transaction-update', data: { requestId: REFERENCE.repeat(100) } },
    ]) {
      assert.equal(parseVtpassCallback(body), undefined);
    }
  });

  it('reads callbacks of any shape', () => {
    fc.assert(
      fc.property(fc.anything(), (body) => {
        parseVtpassCallback(body);
      }),
      runs(300),
    );
  });
});
