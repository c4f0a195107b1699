/** Links to receipts: signed values are read back, and no other link is accepted. */
import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { inFours } from '../../../src/purchases/receipts/receipt.ts';
import { readReceiptLink, signReceiptLink } from '../../../src/purchases/receipts/receipt-link.ts';

const secret = createSecretKey(randomBytes(32));
const links = fc.record(
  {
    merchantId: fc.integer({ min: 1, max: 2_147_483_647 }),
    environment: fc.constantFrom('live', 'test'),
    purchaseId: fc.uuid(),
    revision: fc.integer({ min: 0, max: 65_535 }),
    expiresAt: fc.integer({ min: 0, max: 4_294_967_295 }).map((s) => new Date(s * 1_000)),
  },
  { noNullPrototype: true },
);

describe('a link to a receipt', () => {
  it('reads back the signed value', () => {
    fc.assert(
      fc.property(links, (link) => {
        const signed = signReceiptLink(secret, link);
        assert.match(signed, /^[A-Za-z0-9_-]{52}$/);
        assert.deepEqual(readReceiptLink(secret, signed), link);
      }),
    );
  });

  it('refuses a change of any byte, and another secret', () => {
    const other = createSecretKey(randomBytes(32));
    fc.assert(
      fc.property(links, fc.nat(38), fc.integer({ min: 1, max: 255 }), (link, at, flip) => {
        const bytes = Buffer.from(signReceiptLink(secret, link), 'base64url');
        assert.equal(readReceiptLink(other, bytes.toString('base64url')), undefined);
        bytes[at] = (bytes[at] ?? 0) ^ flip;
        assert.equal(readReceiptLink(secret, bytes.toString('base64url')), undefined);
      }),
    );
  });

  it('refuses any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => readReceiptLink(secret, text) === undefined));
  });
});

describe('a token', () => {
  it('shows a token in groups of four', () => {
    assert.equal(inFours('67343797460915245954'), '6734 3797 4609 1524 5954');
    assert.equal(inFours('6734-3797-46'), '6734 3797 46');
    assert.equal(inFours('Standard Token: 12'), 'Standard Token: 12');
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9]{1,40}$/), (digits) => {
        const groups = inFours(digits).split(' ');
        assert.equal(groups.join(''), digits);
        assert.ok(groups.slice(0, -1).every((group) => group.length === 4));
      }),
    );
  });
});
