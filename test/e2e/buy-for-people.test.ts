/**
 * Purchases that people make with a credential of their merchant: the price and the customer first,
 * then one purchase for one reference.
 */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { request } from 'undici';
import { runOja } from '../cli/harness.ts';
import { testMeter } from './bills.ts';
import { newReference, openSharedGateway, untilFinal } from './gateway-under-test.ts';
import { issueKey, openShop, type Shop } from './shop.ts';

const gateway = await openSharedGateway();
let token = '';
let own: string;

before(async () => {
  const made = await runOja({ DATABASE_URL: gateway.databaseUrl }, [
    ...['token', 'create', '--role', 'admin', '--name', 'ada'],
  ]);
  [token = ''] = made.out.split('\n');
  own = gateway.credentials.merchant;
});

type Told = {
  readonly http: number;
  readonly code: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by path, and the assertions judge its shape
  readonly data: any;
};

async function admin(
  merchant: string,
  action: 'quote' | 'buy',
  input: Record<string, string>,
): Promise<Told> {
  const url = `${gateway.adminUrl}/merchants/${merchant}/purchases/${action}`;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const { statusCode, body } =
    action === 'quote'
      ? await request(`${url}?${new URLSearchParams(input)}`, { headers })
      : await request(url, { method: 'POST', headers, body: JSON.stringify(input) });
  const told = (await body.json()) as { data?: unknown; reason?: string };
  return { http: statusCode, code: told.reason, data: told.data };
}

function airtime(fields: Record<string, string> = {}) {
  const { key: credential } = gateway.credentials.test;
  return { credential, product: 'airtime', network: 'MTN', amount: '100', number: '08000000101', ...fields };
}

const meter = {
  product: 'ELECTRICITY',
  network: 'Ikeja Electric',
  plan: '2001',
  number: testMeter,
  amount: '5000',
};

async function count(reference: string): Promise<number> {
  const rows = await gateway.database.query('select from purchases where reference = $1', [reference]);
  return rows.length;
}

describe('a quote', () => {
  it('returns the price, the remaining balance and the verified customer, and buys nothing', async () => {
    const plain = await admin(own, 'quote', airtime());
    assert.equal(plain.http, 200, JSON.stringify(plain));
    assert.equal(plain.data.customer, null);
    const [available, charge, remaining] = [
      plain.data.available,
      plain.data.charge,
      plain.data.remaining,
    ].map(Number);
    assert.equal(remaining, Number(available) - Number(charge));
    const bill = await admin(own, 'quote', airtime({ ...meter, phone: '08031234567' }));
    assert.equal(bill.data?.customer.state, 'verified', JSON.stringify(bill));
    assert.notEqual(bill.data?.customer.name, '');
    const rejected = await admin(
      own,
      'quote',
      airtime({ ...meter, number: '99999999999', phone: '08031234567' }),
    );
    assert.equal(rejected.data?.customer?.state ?? rejected.code, 'rejected', JSON.stringify(rejected));
    const again = await admin(own, 'quote', airtime());
    assert.equal(again.data.available, plain.data.available);
  });

  it('is refused as the purchase would be', async () => {
    for (const fields of [{ number: '0803' }, { network: 'NITEL' }, { amount: '1' }, { product: 'data' }]) {
      const refused = await admin(own, 'quote', airtime(fields));
      assert.deepEqual([refused.http, refused.code], [409, 'purchase_refused'], JSON.stringify(refused));
    }
  });
});

describe('a purchase', () => {
  it('is bought once under its reference, also by two at the same time', async () => {
    const reference = newReference();
    const bought = await Promise.all(
      [1, 2, 3].map(() => admin(own, 'buy', { ...airtime({ number: '08000000110' }), reference })),
    );
    assert.deepEqual(
      bought.map(({ http }) => http),
      [200, 200, 200],
      JSON.stringify(bought),
    );
    assert.deepEqual(bought.map(({ data }) => data.created).sort(), [false, false, true]);
    assert.equal(new Set(bought.map(({ data }) => data.id)).size, 1);
    assert.equal(await count(reference), 1);
    const changed = await admin(own, 'buy', {
      ...airtime({ number: '08000000110', amount: '200' }),
      reference,
    });
    assert.deepEqual([changed.http, changed.code], [409, 'purchase_refused']);
    assert.equal(await count(reference), 1);
  });

  it('refuses another customer’s phone or another plan under a used reference', async () => {
    const reference = newReference();
    const first = airtime({ ...meter, phone: '08031234567', reference });
    const bought = await admin(own, 'buy', first);
    assert.equal(bought.data?.created, true, JSON.stringify(bought));
    const again = await admin(own, 'buy', { ...first, number: meter.number });
    assert.deepEqual([again.data?.created, again.data?.id], [false, bought.data.id], JSON.stringify(again));
    for (const changed of [{ phone: '08031234568' }, { plan: '2002' }]) {
      const refused = await admin(own, 'buy', { ...first, ...changed });
      assert.deepEqual([refused.http, refused.code], [409, 'purchase_refused'], JSON.stringify(refused));
    }
    assert.equal(await count(reference), 1);
  });

  it('ends like that of a program', async () => {
    const reference = newReference();
    const { data } = await admin(own, 'buy', { ...airtime({ number: '08000000110' }), reference });
    assert.equal(data.created, true);
    const final = await untilFinal(gateway, reference);
    assert.ok(final);
  });

  it('is refused for a credential of another merchant, with an address list, or that has ended', async () => {
    const shop: Shop = await openShop(gateway);
    const bound = await issueKey(gateway, own, { environment: 'test', allowedIps: ['203.0.113.7'] });
    for (const [credential, status, code] of [
      [shop.test.key, 404, 'no_credential'],
      ['oja_test_nobody', 404, 'no_credential'],
      [bound.key, 409, 'credential_bound'],
    ] as const) {
      const reference = newReference();
      for (const action of ['quote', 'buy'] as const) {
        const sent = airtime({ credential });
        const refused = await admin(own, action, action === 'buy' ? { ...sent, reference } : sent);
        assert.deepEqual([refused.http, refused.code], [status, code], `${action} ${credential}`);
      }
      assert.equal(await count(reference), 0);
    }
    const ended = await issueKey(gateway, own, { environment: 'test' });
    await gateway.database.query('update credentials set revoked_at = now() where key_id = $1', [ended.key]);
    const refused = await admin(own, 'quote', airtime({ credential: ended.key }));
    assert.deepEqual([refused.http, refused.code], [409, 'credential_ended']);
  });
});
