/** The refusals that fail an order, and when. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  confirmRefusal,
  createScrubber,
  decideRefusal,
  isUnconfirmedRefusal,
  unconfirmed,
} from '../../src/providers/answers.ts';
import type { ProviderAnswer } from '../../src/providers/provider.ts';

const of = (fault: 'order' | 'provider'): Extract<ProviderAnswer, { kind: 'failed' }> => ({
  kind: 'failed',
  fault,
  code: '400',
  message: 'not acceptable: Invalid meter',
  ...(fault === 'order' && { telcoMessage: 'Invalid meter' }),
});
const notFound: ProviderAnswer = { kind: 'not_found', code: '404', message: 'no such order' };

test('stores an unconfirmed refusal as unknown, and recognizes it by its code', () => {
  for (const fault of ['order', 'provider'] as const) {
    const doubted = unconfirmed(of(fault));
    assert.equal(doubted.kind, 'unknown');
    assert.equal(doubted.delivered, undefined);
    assert.ok(isUnconfirmedRefusal(doubted));
  }
  for (const code of ['400', 'http_400', 'other_order', 'no_answer'])
    assert.ok(!isUnconfirmedRefusal({ code }));
});

test('confirms a refusal that is old enough by "not found", with its message and fault', () => {
  for (const fault of ['order', 'provider'] as const) {
    const { code, message } = unconfirmed(of(fault));
    const asked = (ageMs: number): ProviderAnswer =>
      confirmRefusal({ refusal: { code, message, ageMs } }, notFound, 30_000);
    assert.deepEqual(asked(29_999), notFound);
    const answer = asked(30_000);
    assert.ok(answer.kind === 'failed' && answer.fault === fault);
    assert.equal(answer.telcoMessage, fault === 'order' ? 'Invalid meter' : undefined);
  }
});

test('confirms a refusal by no other answer, and keeps "not found" without a refusal', () => {
  const { code, message } = unconfirmed(of('order'));
  for (const kind of ['success', 'accepted', 'unknown'] as const) {
    const answer: ProviderAnswer = { kind, code: 'x', message: 'x' };
    assert.deepEqual(confirmRefusal({ refusal: { code, message, ageMs: 1e9 } }, answer, 0), answer);
  }
  assert.deepEqual(confirmRefusal({}, notFound, 0), notFound);
});

test('lets only a refusal of our account stand at once, and only when the order is not found', () => {
  const lost: ProviderAnswer = { kind: 'unknown', code: 'no_answer', message: 'timed out' };
  const [order, provider] = [of('order'), of('provider')];
  assert.deepEqual(decideRefusal(provider, notFound, 30_000), provider);
  assert.deepEqual(decideRefusal(order, notFound, 30_000), unconfirmed(order));
  assert.deepEqual(decideRefusal(order, notFound, 0), order);
  for (const refused of [order, provider]) {
    assert.deepEqual(decideRefusal(refused, lost, 0), unconfirmed(refused));
    for (const found of [
      { ...lost, kind: 'success' },
      { ...lost, kind: 'accepted' },
      { ...lost, delivered: true },
    ])
      assert.deepEqual(decideRefusal(refused, found as ProviderAnswer, 0), found);
  }
});

test('removes a secret from a message, whole or cut off, but no common word', () => {
  const secret = 'sk_live_4f9a8b7c6d5e';
  const scrub = createScrubber(() => [secret, 'short']);
  const messageOf = (message: string): string =>
    scrub.answer({ kind: 'unknown', code: '400', message }).message;
  for (let length = 8; length <= secret.length; length += 1) {
    const message = messageOf(`no access with ${secret.slice(0, length)}`);
    assert.equal(message, 'no access with [key]', `${length} characters`);
  }
  assert.equal(messageOf(`${secret}, ${secret.slice(0, 12)}: short`), '[key], [key]: [key]');
  assert.equal(messageOf('sk_live is not shortened'), 'sk_live is not [key]ened');
});
