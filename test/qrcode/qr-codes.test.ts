/** A QR code is drawn once for as long as it is remembered. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QrCodes } from '../../src/qrcode/qr-codes.ts';

const pngSignature = '89504e470d0a1a0a';

test('the same text is drawn once, and another by itself', async () => {
  await using codes = new QrCodes();
  const first = codes.draw('LPA:1$one');
  assert.equal(codes.draw('LPA:1$one'), first);
  const [one, other] = [await first, await codes.draw('LPA:1$other')];
  assert.equal(one.subarray(0, 8).toString('hex'), pngSignature);
  assert.notDeepEqual(one, other);
});

test('what could not be drawn is refused and tried again the next time', async () => {
  await using codes = new QrCodes();
  // No QR code holds so much.
  const tooLong = 'x'.repeat(5_000);
  const refused = codes.draw(tooLong);
  await assert.rejects(refused, /could not be drawn/);
  const again = codes.draw(tooLong);
  assert.notEqual(again, refused);
  await assert.rejects(again, /could not be drawn/);
});
