/** The simulated Reloadly by itself: its documented answers, and its books after a restart. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { parseReloadlyCallback } from '../../src/providers/reloadly/callback.ts';
import { eventually, openBench } from '../simulator/bench.ts';

type Bench = Awaited<ReturnType<typeof openBench>>;
type Answer = { readonly status: number; readonly body: Record<string, unknown> };

const CLIENT = {
  client_id: 'simulator-client-id',
  client_secret: 'simulator-reloadly-secret-0123456789abcdefghij',
  grant_type: 'client_credentials',
};

async function open(env: Record<string, string> = {}): Promise<{
  bench: Bench;
  call(method: string, path: string, body?: unknown, version?: string): Promise<Answer>;
  issue(changes?: object): Promise<Answer>;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const bench = await openBench(env);
  let token = '';
  const call = async (method: string, path: string, body?: unknown, version = 'v1'): Promise<Answer> => {
    const response = await fetch(`${bench.url()}/reloadly${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        accept: `application/com.reloadly.giftcards-${version}+json`,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const issue = async (changes: object = {}): Promise<Answer> => {
    const audience = `${bench.url()}/reloadly`;
    const answer = await call('POST', '/oauth/token', { ...CLIENT, audience, ...changes });
    if (answer.status === 200) token = String(answer.body.access_token);
    return answer;
  };
  return { bench, call, issue, [Symbol.asyncDispose]: () => bench[Symbol.asyncDispose]() };
}

function orderOf(customIdentifier: string, productId = 9_000_001): Record<string, unknown> {
  return { productId, quantity: 2, unitPrice: 25, customIdentifier, senderName: 'Oja', preOrder: false };
}

describe('the simulated Reloadly', () => {
  it('issues tokens to its client, for its audience, for its stated lifetime', async () => {
    await using reloadly = await open({ OJA_SIMULATOR_TOKEN_LIFE_S: '60' });
    assert.equal((await reloadly.call('GET', '/accounts/balance')).body.errorCode, 'INVALID_TOKEN');
    const wrong = await reloadly.issue({ client_secret: 'wrong' });
    assert.deepEqual([wrong.status, wrong.body.errorCode], [401, 'INVALID_CREDENTIALS']);
    const elsewhere = await reloadly.issue({ audience: 'https://topups.reloadly.com' });
    assert.deepEqual([elsewhere.status, elsewhere.body.errorCode], [400, 'INVALID_AUDIENCE']);
    assert.equal((await reloadly.issue()).body.expires_in, 60);
    assert.equal((await reloadly.call('GET', '/accounts/balance')).body.currencyCode, 'NGN');
  });

  it('refuses wrong orders, and records none of them', async () => {
    await using reloadly = await open();
    await reloadly.issue();
    const good = orderOf('id-1');
    for (const [changes, code] of [
      [{ productId: 77_777_777 }, 'INVALID_PRODUCT'],
      [{ productId: '9000001' }, 'INVALID_PRODUCT'],
      [{ unitPrice: 500.5 }, 'WRONG_PRODUCT_PRICE'],
      [{ unitPrice: '25' }, 'WRONG_PRODUCT_PRICE'],
      [{ quantity: 0 }, 'INVALID_INPUT_PROVIDED'],
      [{ quantity: 1.5 }, 'INVALID_INPUT_PROVIDED'],
      [{ senderName: '' }, 'INVALID_INPUT_PROVIDED'],
      [{ customIdentifier: '' }, 'INVALID_INPUT_PROVIDED'],
      [{ customIdentifier: 'x'.repeat(151) }, 'INVALID_INPUT_PROVIDED'],
    ] as const) {
      const answer = await reloadly.call('POST', '/orders', { ...good, ...changes });
      assert.equal(answer.body.errorCode, code, JSON.stringify(changes));
      assert.ok(answer.status >= 400);
    }
    assert.deepEqual(await reloadly.bench.books(), []);
    const taken = await reloadly.call('POST', '/orders', good);
    assert.deepEqual(
      [taken.status, taken.body.status],
      [200, 'SUCCESSFUL'],
      'no refusal used the identifier up',
    );
    const { customIdentifier: _, ...nameless } = good;
    const named = await reloadly.call('POST', '/orders', nameless);
    assert.equal(named.status, 200, 'an identifier is optional');
    assert.match(String(named.body.customIdentifier), /^[0-9a-f-]{36}$/);
  });

  it('knows its orders, their cards and its float after a restart', async () => {
    await using reloadly = await open();
    await reloadly.issue();
    const order = (await reloadly.call('POST', '/orders', orderOf('Id-1'))).body;
    const path = `/orders/transactions/${order.transactionId}/cards`;
    const cards = (await reloadly.call('GET', path, undefined, 'v2')).body;
    const float = (await reloadly.call('GET', '/accounts/balance')).body.balance;
    await reloadly.bench.restart();
    assert.equal((await reloadly.call('GET', path)).status, 401, 'tokens are forgotten');
    await reloadly.issue();
    assert.deepEqual((await reloadly.call('GET', path, undefined, 'v2')).body, cards);
    assert.equal((await reloadly.call('GET', '/accounts/balance')).body.balance, float);
    const found = (await reloadly.call('GET', '/reports/transactions?customIdentifier=iD-1&size=50&page=1'))
      .body;
    assert.deepEqual(found.content, [order]);
    assert.deepEqual(
      (await reloadly.call('GET', `/reports/transactions/${order.transactionId}`)).body,
      order,
    );
    const again = await reloadly.call('POST', '/orders', orderOf('Id-1'));
    assert.equal(again.body.errorCode, 'CUSTOM_IDENTIFIER_ALREADY_USED');
    const [line, ...more] = await reloadly.bench.books();
    assert.ok(line?.delivered_at !== undefined);
    assert.deepEqual(
      { ...line, delivered_at: '' },
      {
        provider: 'reloadly',
        reference: 'Id-1',
        product: 'GIFTCARD',
        recipient: '',
        amount: '50.00',
        currency: 'USD',
        delivered_at: '',
      },
    );
    assert.equal(more.length, 0);
  });

  it('executes two orders that arrive together, and remembers both', async () => {
    await using reloadly = await open();
    await reloadly.issue();
    await reloadly.bench.fault({ fault: 'slow', delay_ms: 2_000 });
    const answers = await Promise.all([1, 2].map(() => reloadly.call('POST', '/orders', orderOf('twice'))));
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    assert.notEqual(answers[0]?.body.transactionId, answers[1]?.body.transactionId);
    await reloadly.bench.restart();
    assert.equal((await reloadly.bench.books()).length, 2);
    await reloadly.issue();
    const found = await reloadly.call('GET', '/reports/transactions?customIdentifier=twice');
    assert.equal(found.body.totalElements, 2);
  });

  it('returns the claim link in version 2 only, and the last card of a late order later', async () => {
    await using reloadly = await open();
    await reloadly.issue();
    await reloadly.bench.fault({ fault: 'pending_fulfilments', fulfilment_ms: 3_000 });
    const { transactionId } = (await reloadly.call('POST', '/orders', orderOf('late'))).body;
    const path = `/orders/transactions/${transactionId}/cards`;
    const cards = async (version: string): Promise<Record<string, unknown>[]> =>
      (await reloadly.call('GET', path, undefined, version)).body as unknown as Record<string, unknown>[];
    assert.equal((await cards('v2')).length, 1);
    await eventually(async () => (await cards('v2')).length === 2);
    const [first] = await cards('v1');
    assert.deepEqual(Object.keys(first ?? {}), ['cardNumber', 'pinCode']);
    assert.deepEqual(Object.keys((await cards('v2'))[0] ?? {}), ['cardNumber', 'pinCode', 'redemptionUrl']);
    assert.equal((await reloadly.call('GET', '/orders/transactions/1/cards')).status, 404);
  });

  it('sends a webhook for an order that was processing, with a valid signature', async () => {
    const heard: { raw: string; headers: IncomingHttpHeaders }[] = [];
    const server = createServer((request, response) => {
      void readText(request).then((raw) => {
        heard.push({ raw, headers: request.headers });
        response.end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    const hook = `http://127.0.0.1:${address.port}/hooks`;
    await using reloadly = await open({ OJA_SIMULATOR_HOOKS_URL: hook });
    await reloadly.issue();
    await reloadly.bench.fault({ fault: 'pending_then_failed', settle_ms: 50 });
    const reference = 'order-0001';
    const { body: order } = await reloadly.call('POST', '/orders', orderOf(reference));
    assert.equal(order.status, 'PROCESSING');
    assert.equal(
      (await reloadly.call('GET', `/orders/transactions/${order.transactionId}/cards`)).status,
      404,
    );
    await eventually(async () => heard.length === 1);
    const [{ raw, headers } = { raw: '', headers: {} }] = heard;
    const webhook = { raw, body: JSON.parse(raw) as unknown, headers };
    assert.deepEqual(parseReloadlyCallback(webhook, 'simulator-signing-secret', new Date()), { reference });
    assert.equal(parseReloadlyCallback(webhook, 'another', new Date()), undefined);
    const settled = await reloadly.call('GET', `/reports/transactions/${order.transactionId}`);
    assert.equal(settled.body.status, 'REFUNDED');
    server.close();
    server.closeAllConnections();
  });

  it('lists its products in pages', async () => {
    await using reloadly = await open();
    await reloadly.issue();
    const first = (await reloadly.call('GET', '/products?size=20&page=1')).body;
    const total = Number(first.totalElements);
    assert.ok(total > 40);
    assert.equal((first.content as unknown[]).length, 20);
    assert.equal(first.last, false);
    const last = (await reloadly.call('GET', `/products?size=20&page=${Math.ceil(total / 20)}`)).body;
    assert.equal(last.last, true);
    assert.equal((await reloadly.call('GET', '/products/1')).body.errorCode, 'INVALID_PRODUCT');
  });
});
