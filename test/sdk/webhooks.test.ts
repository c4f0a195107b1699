/** Webhooks verified by the client, signed by the library of Standard Webhooks. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { signWebhook } from '../../sdk/src/fake/index.ts';
import { ConfigurationError, WebhookVerificationError, webhooks } from '../../sdk/src/index.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
const body =
  '{"id":"evt_1","type":"transaction.success","created_at":"2026-11-22T10:05:10+01:00","data":{"é":1}}';
const now = 1_795_341_910_000;

type Headers = Record<string, string>;

function signed(text = body, by = secret, at = now): Headers {
  return {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at / 1_000)),
    'webhook-signature': new Webhook(by).sign('evt_1', new Date(at), text),
  };
}

async function assertRefused(
  reason: string,
  headers: Headers,
  text = body,
  secrets = [secret],
): Promise<void> {
  await assert.rejects(webhooks.unwrap(text, headers, secrets, { now }), (error) => {
    assert.ok(error instanceof WebhookVerificationError);
    assert.equal(error.reason, reason);
    assert.ok(!error.message.includes(secret));
    return true;
  });
}

describe('a webhook', () => {
  it('unwraps a webhook with a valid signature, with headers and body in any form', async () => {
    const event = await webhooks.unwrap(body, signed(), secret, { now });
    assert.deepEqual(event, JSON.parse(body));
    const capitals = Object.fromEntries(
      Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value]),
    );
    for (const headers of [new Headers(signed()), capitals]) {
      assert.equal((await webhooks.unwrap(Buffer.from(body), headers, secret, { now })).id, 'evt_1');
    }
  });

  it('refuses a changed webhook', async () => {
    await assertRefused('wrong_signature', signed(), body.replace('evt_1', 'evt_2'));
    await assertRefused('wrong_signature', { ...signed(), 'webhook-id': 'evt_2' });
    await assertRefused('wrong_signature', { ...signed(), 'webhook-timestamp': String(now / 1_000 + 1) });
    await assertRefused('wrong_signature', signed(body, other));
    for (const signature of [
      'v1,',
      'v1,AAAA',
      'nonsense',
      signed()['webhook-signature']?.replace('v1,', 'v1a,') ?? '',
    ]) {
      await assertRefused('wrong_signature', { ...signed(), 'webhook-signature': signature });
    }
  });

  it('refuses a webhook that is too old, or of the future', async () => {
    const seconds = (count: number): number => now + count * 1_000;
    for (const near of [-300, 300])
      await webhooks.unwrap(body, signed(body, secret, seconds(near)), secret, { now });
    await assertRefused('too_old', signed(body, secret, seconds(-301)));
    await assertRefused('in_the_future', signed(body, secret, seconds(301)));
    const wide = { now, toleranceSeconds: 3_600 };
    await webhooks.unwrap(body, signed(body, secret, seconds(-3_600)), secret, wide);
    await assertRefused('bad_timestamp', { ...signed(), 'webhook-timestamp': '1e9' });
    await assertRefused('bad_timestamp', { ...signed(), 'webhook-timestamp': '-1' });
  });

  it('accepts either secret during a rotation, and several signatures', async () => {
    await webhooks.unwrap(body, signed(body, other), [secret, other], { now });
    const both = [signed(body, other), signed()].map((headers) => headers['webhook-signature']).join(' ');
    const headers = { ...signed(), 'webhook-signature': `v1a,whatever ${both}` };
    for (const secrets of [secret, other]) await webhooks.unwrap(body, headers, secrets, { now });
    await assertRefused('wrong_signature', signed(body, other), body, [secret]);
  });

  it('refuses a webhook without its headers, and one that is no event', async () => {
    for (const name of Object.keys(signed())) {
      const { [name]: _, ...rest } = signed();
      await assertRefused('missing_header', rest);
    }
    for (const text of ['[]', 'nonsense', '{}', '']) await assertRefused('bad_body', signed(text), text);
  });

  it('requires the raw body, and a secret', async () => {
    const parsed = JSON.parse(body) as unknown as string;
    await assert.rejects(webhooks.unwrap(parsed, signed(), secret, { now }), ConfigurationError);
    for (const wrong of ['', 'secret', 'whsec_', 'whsec_AAAA', 'whsec_!!!', []]) {
      await assert.rejects(webhooks.unwrap(body, signed(), wrong, { now }), ConfigurationError);
    }
  });

  it('the library accepts what the fake signs', async () => {
    const event = { id: 'evt_1', type: 'endpoint.test' };
    const webhook = await signWebhook(event, secret);
    assert.deepEqual(new Webhook(secret).verify(webhook.body, webhook.headers), event);
    assert.deepEqual(await webhooks.unwrap(webhook.body, webhook.headers, secret), event);
  });
});
