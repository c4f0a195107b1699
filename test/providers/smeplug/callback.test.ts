/** Anybody can send a webhook: it names an order of ours, or it is nothing. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { mintUuid } from '../../../src/providers/reference-mark.ts';
import { parseSmeplugCallback } from '../../../src/providers/smeplug/callback.ts';
import { aPurchase, isBought } from '../../support/a-purchase.ts';
import { runs } from '../../support/budget.ts';

describe("SMEPlug's webhooks", () => {
  it('reads only our own reference', () => {
    const reference = mintUuid(aPurchase, isBought);
    const transaction = { status: 'success', reference: 'own-1', customer_reference: reference };
    assert.deepEqual(parseSmeplugCallback({ transaction }), { reference });
    for (const body of [
      null,
      [],
      {},
      { transaction: {} },
      { transaction: { reference } },
      { transaction: { customer_reference: 5 } },
      { transaction: { customer_reference: `${reference}\u0000` } },
      { transaction: { customer_reference: reference.repeat(100) } },
    ]) {
      assert.equal(parseSmeplugCallback(body), undefined);
    }
  });

  it('reads webhooks of any shape', () => {
    fc.assert(
      fc.property(fc.anything(), (body) => {
        parseSmeplugCallback(body);
      }),
      runs(300),
    );
  });
});
