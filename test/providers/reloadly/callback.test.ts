/** Reloadly's webhooks: which are trusted, and their effects. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { parseReloadlyCallback, signReloadlyCallback } from '../../../src/providers/reloadly/callback.ts';

const KEY = 'simulator-signing-secret';
const NOW = new Date('2026-11-21T12:00:00Z');
const TIME = String(NOW.getTime() / 1_000);
const REFERENCE = '0d3b1f0e-7a51-4b87-9f0c-0b8f6f1f8a11';
const BODY = {
  type: 'giftcard_transaction.status',
  data: { transactionId: 7, customIdentifier: REFERENCE, status: 'SUCCESSFUL' },
};

type Changes = { raw?: string; body?: unknown; time?: string; signature?: string | string[]; key?: string };

function parse({
  body = BODY,
  raw = JSON.stringify(body),
  time = TIME,
  key = KEY,
  signature,
}: Changes = {}): unknown {
  const headers = {
    'x-reloadly-signature': signature ?? signReloadlyCallback(raw, time, KEY),
    'x-reloadly-request-timestamp': time,
  };
  return parseReloadlyCallback({ raw, body, headers }, key, NOW);
}

describe('a webhook of Reloadly', () => {
  it('signs the bytes, a colon and the time', () => {
    const expected = createHmac('sha256', KEY).update(`{"a":1}:${TIME}`).digest('hex');
    assert.equal(signReloadlyCallback('{"a":1}', TIME, KEY), expected);
  });

  it('reads the order of a signed webhook at any depth', () => {
    assert.deepEqual(parse(), { reference: REFERENCE });
    assert.deepEqual(parse({ body: { data: { transaction: BODY.data } } }), { reference: REFERENCE });
    const spaced = JSON.stringify(BODY, null, 2);
    assert.deepEqual(parse({ raw: spaced }), { reference: REFERENCE });
    const shouted = signReloadlyCallback(JSON.stringify(BODY), TIME, KEY).toUpperCase();
    assert.deepEqual(parse({ signature: shouted }), { reference: REFERENCE });
  });

  it('reads its time in seconds, milliseconds and as a date', () => {
    for (const time of [TIME, `${TIME}000`, NOW.toISOString()]) {
      assert.deepEqual(parse({ time }), { reference: REFERENCE }, time);
    }
  });

  it('reads no order when the signature is wrong', () => {
    const raw = JSON.stringify(BODY);
    const good = signReloadlyCallback(raw, TIME, KEY);
    for (const change of [
      { signature: '' },
      { signature: [good, good] },
      { signature: good.slice(1) },
      { signature: signReloadlyCallback(raw, TIME, 'another') },
      { signature: signReloadlyCallback(raw, String(Number(TIME) + 1), KEY) },
      { signature: good, raw: `${raw} ` },
      { key: '', signature: signReloadlyCallback(raw, TIME, '') },
    ]) {
      assert.equal(parse(change), undefined, JSON.stringify(change));
    }
    assert.equal(parseReloadlyCallback({ raw, body: BODY, headers: {} }, KEY, NOW), undefined);
  });

  it('reads no order when the webhook is older than five minutes, from the future, or without a time', () => {
    const at = (seconds: number): string => String(Number(TIME) + seconds);
    assert.deepEqual(parse({ time: at(-299) }), { reference: REFERENCE });
    for (const time of [at(-301), at(301), '', 'yesterday', '7'])
      assert.equal(parse({ time }), undefined, time);
  });

  it('reads no order when the webhook names none of ours', () => {
    const bodies = [null, [], 'text', 5, {}, { data: null }, { data: { customIdentifier: 7 } }];
    const odd = ['', 'short', `${REFERENCE}; drop table`, 'x'.repeat(65)];
    for (const body of [...bodies, ...odd.map((customIdentifier) => ({ data: { customIdentifier } }))]) {
      assert.equal(parse({ body }), undefined, JSON.stringify(body));
    }
  });
});
