/** A QR code is drawn once while it is cached, and a limited number waits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limits } from '../../../src/core/limits.ts';
import { QrCodes } from '../../../src/core/qrcode/qr-codes.ts';
import { refusedFor } from '../../support/refusals.ts';

const live = { pool: 'live', group: 1, member: 'a' } as const;
const pngSignature = '89504e470d0a1a0a';

test('draws the same text once, and another text separately', async () => {
  await using codes = new QrCodes();
  const first = codes.draw(live, 'LPA:1$one');
  assert.equal(codes.draw(live, 'LPA:1$one'), first);
  const [one, other] = [await first, await codes.draw(live, 'LPA:1$other')];
  assert.equal(one.subarray(0, 8).toString('hex'), pngSignature);
  assert.notDeepEqual(one, other);
});

test('keeps no larger buffer for a cached code', async () => {
  await using codes = new QrCodes();
  const png = await codes.draw(live, 'LPA:1$one');
  assert.equal(png.buffer.byteLength, png.length);
});

test('rejects a code that could not be drawn, and tries again the next time', async () => {
  await using codes = new QrCodes();
  // A QR code cannot hold this much.
  const tooLong = 'x'.repeat(5_000);
  const refused = codes.draw(live, tooLong);
  await assert.rejects(refused);
  const again = codes.draw(live, tooLong);
  assert.notEqual(again, refused);
  await assert.rejects(again);
});

test('gives a merchant its share of the queue, and another merchant its own', async () => {
  await using codes = new QrCodes();
  const most = limits.qrCodes.pools.test.waiting;
  const test = { pool: 'test', group: 1, member: 'a' } as const;
  const asked = Array.from({ length: most + 5 }, (_, at) => codes.draw(test, `LPA:1$${at}`));
  const other = codes.draw({ pool: 'test', group: 2, member: 'b' }, 'LPA:1$other');
  const refusals = await Promise.allSettled(asked);
  const refused = refusals.filter((drawn) => drawn.status === 'rejected');
  assert.ok(refused.length > 5, `${refused.length} are refused`);
  for (const { reason } of refused) assert.ok(refusedFor('qr_codes_full')(reason));
  assert.equal((await other).subarray(0, 8).toString('hex'), pngSignature);
  // The failure is not cached: the queue has room again.
  assert.ok((await codes.draw(test, `LPA:1$${most + 4}`)).length > 0);
});
