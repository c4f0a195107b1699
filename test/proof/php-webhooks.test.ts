/** Webhooks taken by the client for PHP (sdk/php), signed by the reference library. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { ask, whyNoPhp } from '../sdk/run-php.ts';

const skip = whyNoPhp();
const variables = { OJA_URL: 'https://gateway.example', OJA_KEY: 'oja_test_1', OJA_SECRET: 'x' };

describe('webhooks in PHP', { skip }, () => {
  const present = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
  const old = `whsec_${Buffer.alloc(24, 2).toString('base64')}`;
  const body = JSON.stringify({
    id: 'evt_1',
    type: 'transaction.success',
    created_at: '2026-11-22T10:05:10.950+01:00',
    data: { state: 'success', code: '00', message: 'é', payload: { request_id: 'order-1' } },
  });

  type Hook = { body?: string; headers?: Record<string, unknown>; secrets?: unknown; now?: number };

  function headersOf(signer: string, ageS = 0, signed = body): Record<string, string> {
    const time = new Date(Date.now() - 1_000 * ageS);
    return {
      'webhook-id': 'evt_1',
      'webhook-timestamp': `${Math.floor(time.getTime() / 1_000)}`,
      'webhook-signature': new Webhook(signer).sign('evt_1', time, signed),
    };
  }

  async function unwrap(hooks: readonly Hook[]): Promise<string[]> {
    const program = `
      $said = [];
      foreach (json_decode(getenv('HOOKS'), true) as $hook) {
        try {
          $event = Oja\\Webhooks::unwrap($hook['body'], $hook['headers'], $hook['secrets']);
          $said[] = $event->type . ' ' . $event->outcome()->reference;
        } catch (Oja\\Exception\\OjaException $failure) {
          $said[] = (new ReflectionClass($failure))->getShortName() . (str_contains(print_r($failure, true), 'AQEBAQEB') ? ' with the secret' : '');
        }
      }
      return $said;`;
    const full = hooks.map((hook) => ({ body, headers: headersOf(present), secrets: present, ...hook }));
    return (await ask(program, { ...variables, HOOKS: JSON.stringify(full) })).answer;
  }

  it('accepts a good signature, with headers in any form', async () => {
    const headers = headersOf(present);
    const spelt = (
      name: (key: string) => string,
      value = (text: string): unknown => text,
    ): Record<string, unknown> =>
      Object.fromEntries(Object.entries(headers).map(([key, text]) => [name(key), value(text)]));
    const both = {
      ...headers,
      'webhook-signature': `${headersOf(old)['webhook-signature']} ${headers['webhook-signature']}`,
    };
    const hooks: Hook[] = [
      {},
      { headers: spelt((key) => key.toUpperCase()) },
      {
        headers: spelt(
          (key) => key,
          (text) => [text],
        ),
      },
      { headers: spelt((key) => `HTTP_${key.toUpperCase().replaceAll('-', '_')}`) },
      { headers: both },
      { headers: both, secrets: old },
      { headers: headersOf(old), secrets: [present, old] },
      { headers: headersOf(present, 290) },
      { headers: headersOf(present, -290) },
      { headers: { ...headers, 'webhook-signature': `v1a,AAAA ${headers['webhook-signature']} v2,x` } },
    ];
    assert.deepEqual(
      await unwrap(hooks),
      hooks.map(() => 'transaction.success order-1'),
    );
  });

  it('refuses any other signature', async () => {
    const headers = headersOf(present);
    const signature = headers['webhook-signature'] ?? '';
    const hooks: Hook[] = [
      { body: body.replace('order-1', 'order-2') },
      { body: `${body} ` },
      { body: '' },
      { headers: headersOf(old) },
      { headers: headersOf(old), secrets: [present] },
      { headers: headersOf(present, 310) },
      { headers: headersOf(present, -310) },
      { headers: { ...headers, 'webhook-timestamp': `${Number(headers['webhook-timestamp']) + 1}` } },
      { headers: { ...headers, 'webhook-id': 'evt_2' } },
      { headers: { ...headers, 'webhook-signature': signature.replace('v1,', '') } },
      { headers: { ...headers, 'webhook-signature': signature.replace('v1,', 'v1a,') } },
      { headers: { ...headers, 'webhook-signature': `${signature.slice(0, -2)}=` } },
      { headers: { ...headers, 'webhook-signature': '' } },
      { headers: { ...headers, 'webhook-timestamp': 'now' } },
      { headers: { ...headers, 'webhook-timestamp': ['1', '2'] } },
      { headers: {} },
      { body: 'no JSON', headers: headersOf(present, 0, 'no JSON') },
      { body: '[]', headers: headersOf(present, 0, '[]') },
    ];
    assert.deepEqual(
      await unwrap(hooks),
      hooks.map(() => 'WebhookInvalid'),
    );
    const secrets = ['', 'x', 'whsec_', 'whsec_AQEBAQEB', [], [present, ''], `${present}!`, present.slice(6)];
    assert.deepEqual(
      await unwrap(secrets.map((one) => ({ secrets: one }))),
      secrets.map(() => 'ConfigurationInvalid'),
    );
  });
});
