/** Codes of vouchers: read back however they are typed, and noticed when they are mistyped. */
import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import {
  hashVoucherCode,
  hintOfCode,
  newVoucherCode,
  readVoucherCode,
  showVoucherCode,
} from '../../../src/wallet/vouchers/voucher-code.ts';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

test('reads a code in any spelling', () => {
  for (let round = 0; round < 200; round += 1) {
    const code = newVoucherCode();
    const shown = showVoucherCode(code);
    assert.match(shown, /^.{4}-.{4}-.{4}-.{4}$/);
    for (const typed of [
      code,
      shown,
      ` ${shown.toLowerCase()} `,
      shown.replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l'),
    ]) {
      assert.equal(readVoucherCode(typed), code);
    }
    assert.equal(hintOfCode(code), code.slice(-4));
  }
});

test('detects any one wrong character', () => {
  const code = newVoucherCode();
  for (let place = 0; place < code.length; place += 1) {
    for (const other of alphabet.replace(code.charAt(place), '')) {
      assert.equal(readVoucherCode(code.slice(0, place) + other + code.slice(place + 1)), undefined);
    }
  }
  for (const text of ['', code.slice(1), `${code}0`, code.replace(/.$/, 'U'), code.replace(/.$/, 'ß')]) {
    assert.equal(readVoucherCode(text), undefined);
  }
});

test('hashes a code differently in each environment and under each pepper', () => {
  const [one, other] = [createSecretKey(randomBytes(32)), createSecretKey(randomBytes(32))];
  const code = newVoucherCode();
  const hash = hashVoucherCode(one, 'live', code);
  assert.equal(hash.length, 32);
  assert.ok(hash.equals(hashVoucherCode(one, 'live', code)));
  assert.ok(!hash.equals(hashVoucherCode(one, 'test', code)));
  assert.ok(!hash.equals(hashVoucherCode(other, 'live', code)));
});
