/**
 * The habits of Paystack, Monnify, Nomba and Reloadly at the simulated ones: lists of everybody's
 * rows, both spellings of a key, customers by code, identifiers that may be left out.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { payInto } from '../support/bank.ts';
import { ask } from './ask.ts';
import { openBench } from './bench.ts';

type Bench = Awaited<ReturnType<typeof openBench>>;
// biome-ignore lint/suspicious/noExplicitAny: looked into by path; the assertions judge it
type Answer = { readonly status: number; readonly body: any };

let bench: Bench;
before(async () => {
  bench = await openBench({ OJA_SIMULATOR_ASSIGN_MS: '0' });
});
after(() => bench[Symbol.asyncDispose]());

async function call(path: string, headers: Record<string, string>, sent?: unknown): Promise<Answer> {
  const { status, text } = await ask(`${bench.url()}${path}`, {
    method: sent === undefined ? 'GET' : 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    ...(sent !== undefined && { body: JSON.stringify(sent) }),
  });
  return { status, body: JSON.parse(text) };
}

describe('Paystack', () => {
  const headers = { authorization: 'Bearer sk_test_simulator' };
  const get = (path: string): Promise<Answer> => call(`/paystack${path}`, headers);

  /** Gives the number of the account. */
  async function assigned(email: string): Promise<string> {
    const person = { email, first_name: 'Ada', last_name: 'Obi', phone: '+2348031234567', country: 'NG' };
    await call('/paystack/dedicated_account/assign', headers, { ...person, preferred_bank: 'test-bank' });
    const { body } = await get(`/customer/${email}`);
    return body.data.dedicated_account.account_number;
  }

  it('lists all payments, or those of one customer, in both spellings of each key', async () => {
    const [ada, obi] = [await assigned('ada@example.com'), await assigned('obi@example.com')];
    for (const [account, amount] of [
      [ada, '100'],
      [obi, '200'],
      [ada, '300'],
    ] as const) {
      await payInto(bench.url(), account, amount, { notices: 0 });
    }
    const { customer_code: code, id } = (await get('/customer/ada@example.com')).body.data;
    const amounts = async (query: string): Promise<unknown> => {
      const { body } = await get(`/transaction?${query}`);
      return [body.data.map(({ amount }: { amount: number }) => amount), body.meta.total];
    };
    assert.deepEqual(await amounts(''), [[30_000, 20_000, 10_000], 3]);
    assert.deepEqual(await amounts('perPage=2'), [[30_000, 20_000], 3]);
    assert.deepEqual(await amounts('per_page=2&page=2'), [[10_000], 3]);
    for (const one of [`customer=${id}`, `customer=${code}`, `customer_code=${code}`]) {
      assert.deepEqual(await amounts(one), [[30_000, 10_000], 2], one);
    }
    assert.deepEqual(await amounts(`virtual_account_number=${obi}`), [[20_000], 1]);
    assert.deepEqual(await amounts(`customer_code=${code}&perPage=1`), [[30_000], 2]);
  });

  it('returns a cursor that ends in null', async () => {
    const first = (await get('/transaction?use_cursor=true&per_page=2')).body;
    assert.equal(first.data.length, 2);
    const rest = (await get(`/transaction?use_cursor=true&per_page=2&next=${first.meta.next}`)).body;
    assert.deepEqual([rest.data.length, rest.meta.next], [1, null]);
  });

  it('has "not found" under 400 for a payment, and 404 for a customer', async () => {
    const payment = await get('/transaction/verify/nothing');
    assert.deepEqual([payment.status, payment.body.status], [400, false]);
    assert.match(payment.body.message, /reference not found/i);
    const customer = await get('/customer/nobody@example.com');
    assert.deepEqual([customer.status, customer.body.message], [404, 'Customer not found']);
    const { customer_code: code } = (await get('/customer/ada@example.com')).body.data;
    assert.equal((await get(`/customer/${code}`)).body.data.email, 'ada@example.com');
  });
});

describe('Monnify', () => {
  it('lists the payments of an account, or all, and marks the end of its list', async () => {
    const basic = Buffer.from('MK_TEST_SIMULATOR:simulator-monnify-secret').toString('base64');
    const login = await call('/monnify/api/v1/auth/login', { authorization: `Basic ${basic}` }, {});
    const headers = { authorization: `Bearer ${login.body.responseBody.accessToken}` };
    const open = async (n: number): Promise<string> => {
      const { body } = await call('/monnify/api/v2/bank-transfer/reserved-accounts', headers, {
        contractCode: '1000000001',
        accountReference: `account-${n}`,
        accountName: 'Ada Obi',
        customerEmail: `ada${n}@example.com`,
        bvn: String(22_000_000_000 + n),
      });
      return body.responseBody.accounts[0].accountNumber;
    };
    const [one, two] = [await open(1), await open(2)];
    for (const number of [one, two, one]) await payInto(bench.url(), number, '100', { notices: 0 });
    const path = '/monnify/api/v1/bank-transfer/reserved-accounts/transactions?accountReference=account-1';
    const page = (await call(`${path}&page=0&size=1`, headers)).body.responseBody;
    // Counters may come as text.
    assert.deepEqual([page.content.length, Number(page.totalElements), Number(page.totalPages)], [1, 2, 2]);
    const all = (await call('/monnify/api/v1/transactions/search?size=100', headers)).body.responseBody;
    assert.equal(Number(all.totalElements), 3);
  });
});

describe('Nomba', () => {
  const ACCOUNT = '00000000-0000-4000-8000-00000000a001';

  it('accepts both versions and any letter case, and lists all of its account’s orders', async () => {
    const issued = await call(
      '/nomba/v1/auth/token/issue',
      { accountid: ACCOUNT },
      {
        grant_type: 'client_credentials',
        client_id: '00000000-0000-4000-8000-00000000c001',
        client_secret: 'simulator-client-secret-0123456789abcdefghij',
      },
    );
    const headers = { authorization: `Bearer ${issued.body.data.access_token}`, accountid: ACCOUNT };
    for (const [version, network] of [
      ['v1', 'MTN'],
      ['v2', 'mtn'],
    ] as const) {
      const order = { amount: 100, phoneNumber: '08031234567', network, merchantTxRef: `habit-${version}` };
      const { status } = await call(`/nomba/${version}/bill/topup`, headers, { ...order, senderName: 'Oja' });
      assert.equal(status, 200, version);
    }
    const references = async (path: string, filter?: unknown): Promise<string[]> => {
      const { body } = await call(`/nomba/v1/transactions/accounts${path}`, headers, filter);
      return body.data.results.map((row: { merchantTxRef: string }) => row.merchantTxRef).sort();
    };
    assert.deepEqual(await references(''), ['habit-v1', 'habit-v2']);
    assert.deepEqual(await references('', {}), ['habit-v1', 'habit-v2']);
    assert.deepEqual(await references('', { merchantTxRef: 'habit-v2' }), ['habit-v2']);
  });
});

describe('Reloadly', () => {
  const client = {
    client_id: 'simulator-client-id',
    client_secret: 'simulator-reloadly-secret-0123456789abcdefghij',
    grant_type: 'client_credentials',
  };
  const issue = (): Promise<Answer> =>
    call('/reloadly/oauth/token', {}, { ...client, audience: `${bench.url()}/reloadly` });

  it('creates an identifier if none is sent, and lists all orders without one', async () => {
    const headers = { authorization: `Bearer ${(await issue()).body.access_token}` };
    const order = { productId: 9_000_101, quantity: 1, unitPrice: 25, senderName: 'Oja' };
    const made = await call('/reloadly/orders', headers, order);
    assert.equal(made.status, 200);
    assert.match(made.body.customIdentifier, /./);
    const named = await call('/reloadly/orders', headers, { ...order, customIdentifier: 'habit-1' });
    assert.equal(named.body.customIdentifier, 'habit-1');
    const list = await call('/reloadly/reports/transactions?size=10&page=1', headers);
    assert.deepEqual(
      list.body.content.map((row: { customIdentifier: string }) => row.customIdentifier).sort(),
      [made.body.customIdentifier, 'habit-1'].sort(),
    );
  });

  it('refuses bad credentials with 403 on demand, and orders by a message without a code', async () => {
    await bench.fault({ fault: 'no_access', operation: 'token', provider: 'reloadly' });
    const refused = await issue();
    assert.deepEqual([refused.status, refused.body.error], [403, 'access_denied']);
    await bench.fault({ fault: 'bare_refusal', operation: 'pay', provider: 'reloadly' });
    const headers = { authorization: `Bearer ${(await issue()).body.access_token}` };
    const order = {
      productId: 9_000_102,
      quantity: 1,
      unitPrice: 25,
      senderName: 'Oja',
      customIdentifier: 'habit-2',
    };
    const { status, body } = await call('/reloadly/orders', headers, order);
    assert.equal(status >= 400 && status < 500, true);
    assert.deepEqual([body.errorCode, typeof body.message], [null, 'string']);
  });
});
