/**
 * Orders of gift cards and eSIMs with test credentials: their goods, their refusals, and that goods
 * are sealed at rest.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setProduct } from '../../src/merchants/operations/set-product.ts';
import type { Answer } from '../support/gateway.ts';
import { oja } from './bills.ts';
import {
  airtime,
  assertRefused,
  eventually,
  footprint,
  newReference,
  openSharedGateway,
} from './gateway-under-test.ts';
import { openShop, type Shop } from './shop.ts';

const gateway = await openSharedGateway();

const cardOrders = '/v1/giftcards/orders';
const esimOrders = '/v1/esim/orders';
const CARD = 300002;
const ESIM = 'NG-1GB-7D';

// biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by path
type Body = Readonly<Record<string, any>>;

const aCard = (fields: Body = {}): Body => ({ request_id: newReference(), plan_id: CARD, ...fields });
const anEsim = (fields: Body = {}): Body => ({ request_id: newReference(), plan_id: ESIM, ...fields });

function order(path: string, body: unknown): Promise<Answer> {
  return gateway.call('POST', path, { body });
}

function look(path: string, reference: unknown): Promise<Answer> {
  return gateway.call('GET', `${path}/${encodeURIComponent(String(reference))}`);
}

function finished(path: string, reference: unknown): Promise<Answer> {
  return eventually('the order is final', async () => {
    const answer = await look(path, reference);
    return answer.body.response_code === '02' ? undefined : answer;
  });
}

async function enable({ code }: Shop, ...products: readonly ('GIFTCARD' | 'ESIM')[]): Promise<void> {
  for (const product of products) {
    const terms = { merchantCode: code, environment: 'test', product, enabled: true } as const;
    await gateway.database.transaction((tx) => setProduct(tx, terms, 'test'));
  }
}

/** Orders what is delivered at once and comes ten minutes late, with a test clock of its own. */
async function orderLate(product: 'GIFTCARD' | 'ESIM') {
  const shop = await openShop(gateway);
  await enable(shop, product);
  const as = shop.test;
  const late = { request_id: `oja-140-${newReference()}`.slice(0, 40) };
  const [orders, body] = product === 'ESIM' ? [esimOrders, anEsim(late)] : [cardOrders, aCard(late)];
  const ordered = await eventually('the product is enabled', async () => {
    const answer = await gateway.call('POST', orders, { body, as });
    return answer.status === 403 ? undefined : answer;
  });
  const advance = async (advanceS: number): Promise<void> => {
    const answer = await gateway.call('POST', '/v1/test/clock', { body: { advance_s: advanceS }, as });
    assert.equal(answer.status, 200, answer.text);
  };
  return { shop, as, path: `${orders}/${body.request_id}`, advance, ordered };
}

/** The payload of a status repeats the whole answer to the order. */
function assertTold(payload: Body, { created_at: _at, ...data }: Body): void {
  assert.deepEqual(Object.fromEntries(Object.keys(data).map((name) => [name, payload[name]])), data);
}

describe('an order of gift cards', () => {
  it('succeeds at once, with as many cards as were ordered, at the quote times the quantity', async () => {
    const quote = await gateway.call('GET', `/v1/giftcards/plans/${CARD}/quote`);
    const body = aCard({ quantity: 3 });
    const answer = await order(cardOrders, body);
    assert.equal(answer.status, 200, answer.text);
    const { data } = answer.body;
    assert.deepEqual([answer.body.status, answer.body.response_code], ['success', '00']);
    assert.equal(data.cards.length, 3);
    assert.equal(new Set(data.cards.map((card: Body) => card.card_number)).size, 3);
    assert.equal(data.request_id, body.request_id);
    assert.equal(data.product, 'GIFTCARD');
    assert.equal(typeof data.merchant_id, 'number');
    assert.equal(typeof data.product_title, 'string');
    assert.match(data.created_at, /^\d{4}-\d\d-\d\dT/);
    const kobo = (naira: string): number => Math.round(Number(naira) * 100);
    assert.equal(kobo(data.amount), 3 * kobo(quote.body.data.ngn_price));
    assert.deepEqual((await look(cardOrders, body.request_id)).body, answer.body);
  });

  it('is pending without cards, and later a success with them', async () => {
    const body = aCard({ plan_id: 990001 });
    const answer = await order(cardOrders, body);
    assert.deepEqual([answer.status, answer.body.status, answer.body.response_code], [200, 'pending', '02']);
    assert.ok(!('cards' in answer.body.data));
    const later = await finished(cardOrders, body.request_id);
    assert.equal(later.body.response_code, '00');
    assert.equal(later.body.data.cards.length, 1);
  });

  it('is pending until its cards are there, even if the provider has delivered them', async () => {
    const { shop, as, path, advance, ordered } = await orderLate('GIFTCARD');
    assert.deepEqual([ordered.body.response_code, ordered.body.data.cards], ['02', undefined]);
    const queries = async (): Promise<bigint> => {
      const [row] = await gateway.database.query<{ queries: bigint }>(
        'select queries from pending_purchases where merchant_id = $1',
        [shop.id],
      );
      return BigInt(row?.queries ?? 0);
    };
    // The sync deadline and all its queries have passed.
    await advance(300);
    await eventually('it was queried', async () => ((await queries()) > 0n ? true : undefined));
    const { body: looked } = await gateway.call('GET', path, { as });
    assert.deepEqual([looked.response_code, looked.data.cards], ['02', undefined]);
    await advance(300);
    const later = await eventually('its cards are there', async () => {
      const answer = await gateway.call('GET', path, { as });
      return answer.body.response_code === '02' ? undefined : answer;
    });
    assert.deepEqual([later.body.response_code, later.body.data.cards.length], ['00', 1]);
  });

  it('fails when the provider reports it, and charges nothing', async () => {
    const before = await gateway.call('GET', '/v1/wallet/balance');
    const answer = await order(cardOrders, aCard({ plan_id: 990002 }));
    assert.deepEqual([answer.status, answer.body.status, answer.body.response_code], [200, 'failed', '01']);
    assert.ok(!('cards' in answer.body.data));
    const after = await gateway.call('GET', '/v1/wallet/balance');
    assert.equal(after.body.result.available, before.body.result.available);
  });

  it('fails without money, and is refused where the product is not enabled', async () => {
    const shop = await openShop(gateway, { balance: 0n });
    const refused = await gateway.call('POST', cardOrders, { body: aCard(), as: shop.test });
    assertRefused(refused, 403);
    await enable(shop, 'GIFTCARD', 'ESIM');
    const answer = await eventually('the product is enabled', async () => {
      const tried = await gateway.call('POST', cardOrders, { body: aCard(), as: shop.test });
      return tried.status === 403 ? undefined : tried;
    });
    assert.deepEqual(
      [answer.status, answer.body.response_code, answer.body.data.reason],
      [200, '01', 'insufficient_funds'],
    );
    const esim = anEsim();
    const failed = await gateway.call('POST', esimOrders, { body: esim, as: shop.test });
    assert.equal(failed.body.response_code, '01', failed.text);
    const path = `${esimOrders}/${esim.request_id}/qrcode`;
    const none = await gateway.call('GET', path, { as: shop.test });
    assertRefused(none, 404, { reason: 'qr_code_never' });
  });

  it('finds an order by the status of its reference, and in no list', async () => {
    const body = aCard({ quantity: 2 });
    const { body: bought } = await order(cardOrders, body);
    const status = await gateway.call('GET', `/v1/transactions/status?request_id=${body.request_id}`);
    assert.deepEqual([status.body.state, status.body.code], ['success', '00']);
    assert.equal(status.body.payload.msisdn, '');
    assertTold(status.body.payload, bought.data);
    assert.equal(status.body.payload.quantity, 2);
    const { body: feed } = await gateway.call('GET', '/v1/events');
    const event = feed.data.find(({ data }: Body) => data.payload?.request_id === body.request_id);
    const { cards: _cards, reference_code: _code, ...told } = status.body.payload;
    assert.deepEqual(event.data.payload, told);
    const other = await gateway.call('POST', '/v1/transactions/airtime/sync', { body: airtime() });
    assert.equal(other.body.response_code, '00');
    const list = await gateway.call('GET', '/v1/transactions?limit=100');
    assert.ok(list.body.result.items.length > 0);
    assert.ok(
      list.body.result.items.every((row: Body) => row.product !== 'GIFTCARD' && row.product !== 'ESIM'),
    );
    assert.equal(list.body.result.page_info.total_items, list.body.result.items.length);
  });

  it('refuses a wrong order before anything is stored', async () => {
    const cases: readonly (readonly [Body, number, string])[] = [
      [aCard({ quantity: 0 }), 400, 'quantity'],
      [aCard({ quantity: 6 }), 400, 'quantity'],
      [aCard({ quantity: 1.5 }), 400, 'quantity'],
      [aCard({ quantity: '2' }), 400, 'quantity'],
      [aCard({ plan_id: 1 }), 400, 'plan_id'],
      [aCard({ plan_id: '300002' }), 400, 'plan_id'],
      [aCard({ plan_id: 990003 }), 400, 'plan_id'],
      [aCard({ plan_id: 990004 }), 400, 'plan_id'],
      [aCard({ plan_id: undefined }), 422, 'plan_id'],
      [aCard({ request_id: undefined }), 422, 'request_id'],
      [aCard({ request_id: 'x'.repeat(101) }), 400, 'request_id'],
      [aCard({ request_id: 5 }), 400, 'request_id'],
      [aCard({ send_via: 'email' }), 422, 'destination'],
      [aCard({ send_via: 'email', destination: 'nobody' }), 400, 'destination'],
      [aCard({ send_via: 'sms', destination: '0123' }), 400, 'destination'],
      [aCard({ send_via: 'pigeon', destination: 'a@example.com' }), 400, 'send_via'],
    ];
    const before = await footprint(gateway.database);
    for (const [body, status, field] of cases) {
      assertRefused(await order(cardOrders, body), status, field);
    }
    assert.deepEqual(await footprint(gateway.database), before);
  });

  it('refuses a used key with its first outcome, whichever product used it', async () => {
    const body = aCard();
    const first = await order(cardOrders, body);
    for (const [path, again] of [
      [cardOrders, body],
      [esimOrders, anEsim({ request_id: body.request_id })],
    ] as const) {
      const second = await order(path, again);
      assertRefused(second, 422, 'request_id');
      assert.equal(second.body.data.internal_reference, first.body.data.internal_reference);
    }
    assertRefused(await look(esimOrders, body.request_id), 404);
    assertRefused(await look(cardOrders, newReference()), 404);
  });
});

describe('an order of an eSIM', () => {
  it('an eSIM is pending first, then has its ICCID and a QR code', async () => {
    const body = anEsim();
    const answer = await order(esimOrders, body);
    assert.deepEqual([answer.status, answer.body.response_code], [200, '02'], answer.text);
    assert.ok(!('iccid' in answer.body.data));
    const early = await look(`${esimOrders}/${body.request_id}`, 'qrcode');
    assertRefused(early, 404, { reason: 'qr_code_not_ready' });
    const { data } = (await finished(esimOrders, body.request_id)).body;
    assert.match(data.iccid, /^89\d{17}$/);
    assert.ok(luhn(data.iccid));
    assert.equal(data.lpa, `LPA:1$${data.smdp_address}$${data.activation_code}`);
    assert.equal(typeof data.redemption_instructions, 'string');
    const status = await gateway.call('GET', `/v1/transactions/status?request_id=${body.request_id}`);
    assertTold(status.body.payload, data);
    const response = await fetch(`${gateway.url}${esimOrders}/${body.request_id}/qrcode`, {
      headers: {
        'x-merchant-key': gateway.credentials.test.key,
        'x-merchant-secret': gateway.credentials.test.secret,
      },
    });
    assert.equal(response.headers.get('content-type'), 'image/png');
    assert.deepEqual([...new Uint8Array(await response.arrayBuffer()).slice(1, 4)], [0x50, 0x4e, 0x47]);
  });

  it('queries the provider for a missing ICCID whenever its merchant polls', async () => {
    const { shop, as, path, advance } = await orderLate('ESIM');
    const poll = async () => (await gateway.call('GET', path, { as })).body;
    await advance(60);
    const final = await eventually('it is a success', async () => {
      const body = await poll();
      return body.response_code === '02' ? undefined : body;
    });
    assert.deepEqual([final.response_code, final.data.iccid], ['00', undefined]);
    // As while a process queries: no other process takes it, and the test clock leaves it.
    await gateway.database.query(
      `update pending_fulfilments
       set lease_id = gen_random_uuid(), due_at = now() + interval '1 day'
       where merchant_id = $1`,
      [shop.id],
    );
    await advance(600);
    const told = await eventually('a poll brings the ICCID', async () => {
      const body = await poll();
      return body.data.iccid === undefined ? undefined : body;
    });
    assert.match(told.data.lpa, /^LPA:1\$/);
    const left = await gateway.database.query('select from pending_fulfilments where merchant_id = $1', [
      shop.id,
    ]);
    assert.equal(left.length, 0);
  });

  it('an eSIM plan for failures fails', async () => {
    const body = anEsim({ plan_id: 'TEST-FAIL' });
    const answer = await order(esimOrders, body);
    assert.equal(answer.body.response_code, '01');
    assertRefused(await look(`${esimOrders}/${body.request_id}`, 'qrcode'), 404);
  });

  it('refuses a wrong eSIM order before anything is stored', async () => {
    const cases: readonly (readonly [Body, number, string])[] = [
      [anEsim({ request_id: 'x'.repeat(41) }), 400, 'request_id'],
      [anEsim({ plan_id: 5 }), 404, 'plan_id'],
      [anEsim({ plan_id: 'NO-SUCH' }), 404, 'plan_id'],
      [anEsim({ plan_id: undefined }), 422, 'plan_id'],
      [anEsim({ request_id: undefined }), 422, 'request_id'],
    ];
    const before = await footprint(gateway.database);
    for (const [body, status, field] of cases) {
      assertRefused(await order(esimOrders, body), status, field);
    }
    assert.deepEqual(await footprint(gateway.database), before);
  });
});

describe('a product without a provider', () => {
  const card = `/v1/giftcards/plans/${CARD}`;
  const availability = `${card}/availability`;
  const esim = `/v1/esim/plans/${ESIM}`;
  const paths = {
    GIFTCARD: ['/v1/giftcards/catalog', `${card}/quote`, availability],
    ESIM: ['/v1/esim/catalog', esim, `${esim}/quote`],
  };
  const ask = (path: string) => gateway.call('GET', path);
  const until = (status: number, path: string) =>
    eventually(`${path} is ${status}`, async () => ((await ask(path)).status === status ? true : undefined));

  for (const product of ['GIFTCARD', 'ESIM'] as const) {
    it(`refuses a product without a provider everywhere: ${product}`, async () => {
      const [catalog = ''] = paths[product];
      await oja(gateway, 'route', 'remove', 'test', product, '*', '--yes');
      await until(503, catalog);
      for (const path of paths[product]) {
        const answer = await ask(path);
        assertRefused(answer, 503, { reason: 'no_provider' });
      }
      if (product === 'GIFTCARD') {
        const body = { plan_id: CARD };
        const quoted = await gateway.call('POST', '/v1/giftcards/quote', { body });
        assertRefused(quoted, 503, { reason: 'no_provider' });
        assert.equal(quoted.body.message, (await ask(catalog)).body.message);
      }
      const ordered = product === 'ESIM' ? order(esimOrders, anEsim()) : order(cardOrders, aCard());
      assertRefused(await ordered, 503, { reason: 'no_provider' });
      assert.notEqual((await ordered).body.message, (await ask(catalog)).body.message);
      await oja(gateway, 'route', 'set', 'test', product, '*', 'sandbox');
      await until(200, catalog);
      for (const path of paths[product]) assert.equal((await ask(path)).status, 200, path);
    });
  }

  it('shows a product as not available while its provider is paused', async () => {
    await oja(gateway, 'provider', 'pause', 'sandbox', '--product', 'GIFTCARD', '--reason', 'a test');
    await until(503, availability);
    assertRefused(await ask(availability), 503, { reason: 'selling_paused' });
    assertRefused(await order(cardOrders, aCard()), 503);
    for (const path of ['/v1/giftcards/catalog', `${card}/quote`]) {
      assert.equal((await ask(path)).status, 200, path);
    }
    await oja(gateway, 'provider', 'resume', 'sandbox', '--product', 'GIFTCARD');
    await until(200, availability);
  });
});

describe('the goods of orders', () => {
  it('stores no goods of orders in clear', async () => {
    const { body: bought } = await order(cardOrders, aCard());
    const esim = anEsim();
    await order(esimOrders, esim);
    const { data } = (await finished(esimOrders, esim.request_id)).body;
    const secrets = [
      bought.data.cards[0].card_number,
      bought.data.cards[0].pin,
      data.activation_code,
      data.iccid,
    ];
    const { database } = gateway;
    const tables = await database.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public'",
    );
    assert.ok(tables.some(({ name }) => name === 'sealed_goods'));
    for (const { name } of tables) {
      const rows = await database.query<{ text: string }>(`select t::text as text from ${name} t`);
      for (const { text } of rows) {
        // The microseconds of a time can be equal to a PIN of six digits.
        const stored = text.replaceAll(/(?<=:\d\d)\.\d+/g, '');
        for (const secret of secrets) assert.ok(!stored.includes(secret), `${name} has goods in clear`);
      }
    }
  });
});

function luhn(text: string): boolean {
  const sum = [...text].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 === 1 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
