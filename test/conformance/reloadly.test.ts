/**
 * The Reloadly connector against the simulated one: the common suite, then errors that only
 * Reloadly can make.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, before, describe, it } from 'node:test';
import { readDemoGiftCards } from '../../simulator/catalog.ts';
import type { OrderedItem, ProviderOrder } from '../../src/providers/provider.ts';
import { reloadly } from '../../src/providers/reloadly/index.ts';
import { faultsOfProvider, unclearPurchases, unclearQueries, unclearReplies } from './bad-line.ts';
import { giftCard } from './products.ts';
import { goodsOf, plain, providerSuite } from './provider-suite.ts';
import { ACCOUNT, cardOrder, openReloadlyBench, unreachable } from './reloadly-bench.ts';
import type { ConnectorBench } from './simulator-bench.ts';

providerSuite('Reloadly', giftCard, openReloadlyBench);

describe('Reloadly over a bad line', () => {
  let bench: ConnectorBench;
  before(async () => {
    bench = await openReloadlyBench();
  });
  after(async () => {
    await bench[Symbol.asyncDispose]();
  });

  const newOrder = async (rule: Record<string, unknown>): Promise<ProviderOrder> =>
    cardOrder(bench.provider, await bench.arrangeFault(rule));

  unclearPurchases(() => ({ bench, newOrder }), unclearReplies);

  const unread = [
    'cut_before',
    'error_5xx',
    'broken_json',
    'html_page',
    'odd_reply',
    'no_reply',
    'rate_limited',
  ];
  unclearQueries(() => ({ bench, newOrder }), unread);
  faultsOfProvider(() => ({ bench, newOrder }), ['float_out', 'no_access']);

  for (const fault of unread) {
    it(`cards that meet ${fault} leave the success without them, and arrive with the next query`, async () => {
      const order = await newOrder({ fault, operation: 'goods', times: 1 });
      const answer = plain(await bench.provider.purchase(order), bench.secrets);
      assert.equal(answer.kind, 'success', answer.message);
      assert.deepEqual(goodsOf(answer), {});
      assert.ok(goodsOf(await bench.provider.query(order)).cards !== undefined);
      assert.equal(await bench.deliveries(order.reference), 1);
    });
  }

  it('a query answered with a stranger’s record is unknown', async () => {
    const order = await newOrder({ fault: 'stranger_record', operation: 'requery' });
    assert.equal((await bench.provider.purchase(order)).kind, 'success');
    const answer = await bench.provider.query(order);
    assert.deepEqual([answer.kind, answer.code], ['unknown', 'other_order']);
  });

  it('a query about an order of another card, value or quantity is unknown', async () => {
    const order = cardOrder(bench.provider);
    assert.equal((await bench.provider.purchase(order)).kind, 'success');
    const item = order.item as OrderedItem;
    for (const other of [
      { ...order, planCodes: { product_id: '9200777' } },
      { ...order, item: { ...item, unitPrice: 30_00n } },
      { ...order, item: { ...item, quantity: 3 } },
    ]) {
      assert.equal((await bench.provider.query(other)).code, 'other_order');
    }
    assert.equal((await bench.provider.query(order)).kind, 'success');
  });

  it('a success of another value is a delivery that only a person can settle', async () => {
    const order = await newOrder({ fault: 'other_amount' });
    const answer = await bench.provider.purchase(order);
    assert.ok(answer.kind === 'unknown' && answer.delivered, answer.kind);
    const asked = await newOrder({ fault: 'other_amount', operation: 'requery' });
    assert.equal((await bench.provider.purchase(asked)).kind, 'success');
    const told = await bench.provider.query(asked);
    assert.ok(told.kind === 'unknown' && told.delivered, told.kind);
  });

  it('a query in another letter case finds no order of ours', async () => {
    const order = cardOrder(bench.provider);
    assert.equal((await bench.provider.purchase(order)).kind, 'success');
    const shouted = { ...order, reference: order.reference.toUpperCase() };
    assert.equal((await bench.provider.query(shouted)).kind, 'not_found');
  });

  it('an unavailable card fails; too many calls are not executed, and so not sent', async () => {
    const down = await bench.provider.purchase(await newOrder({ fault: 'biller_down' }));
    assert.ok(down.kind === 'failed' && down.fault === 'order', down.message);
    assert.ok(down.telcoMessage);
    assert.equal((await bench.provider.purchase(await newOrder({ fault: 'rate_limited' }))).kind, 'not_sent');
  });

  it('refuses an order for an unknown card or with a wrong value', async () => {
    const order = cardOrder(bench.provider);
    const item = order.item as OrderedItem;
    for (const wrong of [
      { ...order, planCodes: { product_id: '12345678' } },
      { ...order, item: { ...item, unitPrice: 500_01n } },
      { ...order, item: { ...item, quantity: 0 } },
    ]) {
      const answer = await bench.provider.purchase(wrong);
      assert.ok(answer.kind === 'failed' && answer.fault === 'order', answer.message);
      assert.equal(await bench.deliveries(wrong.reference), 0);
    }
  });

  it('orders one card or five, and pays for each', async () => {
    for (const quantity of [1, 5]) {
      const before = await bench.provider.balance();
      const order = cardOrder(bench.provider);
      const wanted = { ...order, item: { ...(order.item as OrderedItem), quantity } };
      const answer = await bench.provider.purchase(wanted);
      assert.ok(answer.kind === 'success' && answer.cost !== undefined, answer.message);
      assert.equal((goodsOf(answer).cards as unknown[]).length, quantity);
      const after = await bench.provider.balance();
      assert.deepEqual(before, { amount: (after?.amount ?? 0n) + answer.cost, currency: 'NGN' });
    }
  });
});

describe('Reloadly’s refusals without a code', () => {
  it('a refused order that was executed is no failure', async () => {
    await using bench = await openReloadlyBench();
    const rule = { fault: 'bare_refusal', delivered: true };
    const order = cardOrder(bench.provider, await bench.arrangeFault(rule));
    const answer = plain(await bench.provider.purchase(order), bench.secrets);
    assert.equal(answer.kind, 'success', answer.message);
    assert.equal((goodsOf(answer).cards as unknown[]).length, 2);
    assert.equal(await bench.deliveries(order.reference), 1);
  });

  it('fails a refused order when a search does not find it, with its message', async () => {
    await using bench = await openReloadlyBench();
    const order = cardOrder(bench.provider, await bench.arrangeFault({ fault: 'bare_refusal' }));
    const answer = plain(await bench.provider.purchase(order), bench.secrets);
    assert.ok(answer.kind === 'failed' && answer.fault === 'order', answer.kind);
    assert.equal(answer.telcoMessage, 'This product is currently not available');
  });

  it('believes a refusal only after its grace', async () => {
    await using bench = await openReloadlyBench({ refusalGraceMs: 30_000 });
    const order = cardOrder(bench.provider, await bench.arrangeFault({ fault: 'bare_refusal' }));
    const { kind, code, message } = await bench.provider.purchase(order);
    assert.equal(kind, 'unknown');
    const asked = async (ageMs: number): Promise<string> =>
      (await bench.provider.query({ ...order, refusal: { code, message, ageMs } })).kind;
    assert.equal(await asked(29_000), 'not_found');
    assert.equal(await asked(30_000), 'failed');
  });
});

describe('Reloadly’s identifiers', () => {
  it('a refused known identifier leaves the order unknown and delivers nothing twice', async () => {
    await using bench = await openReloadlyBench();
    const order = cardOrder(bench.provider);
    assert.equal((await bench.provider.purchase(order)).kind, 'success');
    const again = await bench.provider.purchase(order);
    assert.deepEqual([again.kind, again.code], ['unknown', 'CUSTOM_IDENTIFIER_ALREADY_USED']);
    assert.equal(await bench.deliveries(order.reference), 1);
  });

  it('counts one of two concurrent orders under one identifier, and reports the other', async () => {
    await using bench = await openReloadlyBench();
    const product = await bench.arrangeFault({ fault: 'slow', hold: true });
    const order = cardOrder(bench.provider, product);
    const both = Promise.all([bench.provider.purchase(order), bench.provider.purchase(order)]);
    await bench.untilHeld(product, 2);
    await bench.release(product);
    const answers = await both;
    assert.deepEqual(
      answers.map(({ kind }) => kind),
      ['success', 'success'],
    );
    assert.equal(await bench.deliveries(order.reference), 2, 'which is why nothing may be sent twice');
    const asked = await bench.provider.query(order);
    assert.equal(asked.kind, 'success');
    assert.match(asked.message, /\b2\b/);
  });

  it('posts an identifier once, and no fault makes the connector send it again', async () => {
    await using bench = await openReloadlyBench();
    for (const fault of ['cut_before', 'cut_after', 'error_5xx', 'timeout', 'broken_json']) {
      const order = cardOrder(bench.provider, await bench.arrangeFault({ fault, delivered: true }));
      await bench.provider.purchase(order);
      assert.equal((await bench.hits()).at(-1), 1, fault);
    }
  });
});

describe('Reloadly’s catalog', () => {
  let bench: ConnectorBench;
  before(async () => {
    bench = await openReloadlyBench();
  });
  after(async () => {
    await bench[Symbol.asyncDispose]();
  });

  const available = async (productId: string, item: Partial<OrderedItem> = {}): Promise<string> => {
    const order = cardOrder(bench.provider, productId);
    const query = { product: 'GIFTCARD', planCodes: { product_id: productId } };
    const answer = await bench.provider.checkAvailability?.(query);
    if (answer?.kind !== 'known') return answer?.kind ?? 'none';
    const { unitPrice, currency } = { ...(order.item as OrderedItem), ...item };
    const { sells } = answer;
    if (sells === undefined) return answer.fulfillment;
    assert.ok('min' in sells, 'it is a range');
    const isSold = sells.currency === currency && unitPrice >= sells.min && unitPrice <= sells.max;
    return isSold ? answer.fulfillment : 'not at that value';
  };

  it('reports whether a card is available at a value', async () => {
    assert.equal(await available('9990000'), 'immediate');
    assert.equal(await available('9990000', { unitPrice: 500_00n }), 'immediate');
    assert.equal(await available('9990000', { unitPrice: 500_01n }), 'not at that value');
    assert.equal(await available('9990000', { currency: 'EUR' }), 'not at that value');
    assert.equal(await available('12345678'), 'out_of_stock');
    const refused = await bench.arrangeFault({ fault: 'refused', operation: 'verify' });
    assert.equal(await available(refused), 'out_of_stock');
    const later = await bench.arrangeFault({ fault: 'biller_down', operation: 'verify' });
    assert.equal(await available(later), 'preorder');
  });

  it('reports availability as unknown when the query fails', async () => {
    for (const fault of ['error_5xx', 'cut_before', 'html_page', 'odd_reply', 'rate_limited', 'timeout']) {
      assert.equal(
        await available(await bench.arrangeFault({ fault, operation: 'verify' })),
        'unavailable',
        fault,
      );
    }
    assert.equal(await available('not-a-number'), 'unavailable');
  });

  it('lists the catalog page by page, and returns no list when a page is missing', async () => {
    const listings = await bench.provider.listCatalog?.('GIFTCARD');
    assert.ok(listings !== undefined);
    for (const { planCodes, price, minPrice, maxPrice } of listings) {
      assert.match(planCodes.product_id ?? '', /^\d+$/);
      assert.ok(price !== undefined ? price > 0n : (minPrice ?? 0n) < (maxPrice ?? 0n));
    }
    const sold = new Map(listings.map((one) => [`${one.planCodes.product_id} ${one.price ?? 'range'}`, one]));
    for (const { codes, value, currency, title } of await readDemoGiftCards()) {
      if (codes.reloadly === undefined) continue;
      const listing = sold.get(`${codes.reloadly.product_id} ${value ?? 'range'}`);
      assert.equal(listing?.currency, currency, `${title} is listed`);
    }
    assert.deepEqual(await bench.provider.listCatalog?.('ESIM'), []);
    await bench.addRule({ fault: 'error_5xx', operation: 'verify' });
    assert.equal(await bench.provider.listCatalog?.('GIFTCARD'), undefined);
  });
});

describe('Reloadly: its access token', () => {
  it('fetches one token for all waiting calls', async () => {
    await using bench = await openReloadlyBench({ connectionsMax: 32 });
    await bench.addRule({ fault: 'slow', operation: 'token', delay_ms: 200 });
    const orders = Array.from({ length: 20 }, (_, n) => cardOrder(bench.provider, String(9_300_000 + n)));
    const answers = await Promise.all(orders.map((order) => bench.provider.purchase(order)));
    assert.ok(answers.every((answer) => answer.kind === 'success'));
    assert.deepEqual(await bench.hits(), [1]);
  });

  it('renews a refused token once, and repeats every order under its identifier', async () => {
    await using bench = await openReloadlyBench({ connectionsMax: 32 });
    await bench.provider.purchase(cardOrder(bench.provider));
    // The first order to arrive has all tokens revoked.
    await bench.addRule({ fault: 'unauthorized', times: 1 });
    await bench.addRule({ fault: 'slow', operation: 'token', delay_ms: 100 });
    const orders = Array.from({ length: 10 }, (_, n) => cardOrder(bench.provider, String(9_300_000 + n)));
    const answers = await Promise.all(orders.map((order) => bench.provider.purchase(order)));
    assert.deepEqual([...new Set(answers.map((answer) => answer.kind))], ['success']);
    for (const order of orders) assert.equal(await bench.deliveries(order.reference), 1);
    assert.deepEqual(await bench.hits(), [1, 1]);
  });

  it('a token refused again is a fault of the provider: our access is off', async () => {
    await using bench = await openReloadlyBench();
    const order = cardOrder(bench.provider, await bench.arrangeFault({ fault: 'unauthorized' }));
    const answer = await bench.provider.purchase(order);
    assert.ok(answer.kind === 'failed' && answer.fault === 'provider', answer.kind);
    assert.equal(await bench.deliveries(order.reference), 0);
    assert.equal((await bench.hits())[0], 2, 'tried twice and no more');
    const asked = cardOrder(
      bench.provider,
      await bench.arrangeFault({ fault: 'unauthorized', operation: 'requery' }),
    );
    assert.equal((await bench.provider.purchase(asked)).kind, 'success');
    assert.equal((await bench.provider.query(asked)).kind, 'unknown', 'it refused the question only');
  });

  it('renews an expired token without a visible effect on an order', async () => {
    let now = Date.now();
    await using bench = await openReloadlyBench(
      { now: () => new Date(now) },
      { OJA_SIMULATOR_TOKEN_LIFE_S: '3600' },
    );
    await bench.addRule({ fault: 'slow', operation: 'token', delay_ms: 0 });
    const purchase = async (): Promise<void> => {
      assert.equal((await bench.provider.purchase(cardOrder(bench.provider))).kind, 'success');
    };
    await purchase();
    now += 50 * 60_000;
    await purchase();
    assert.deepEqual(await bench.hits(), [1]);
    now += 3_600_000;
    await purchase();
    assert.deepEqual(await bench.hits(), [2]);
  });

  it('without a token the order is not sent; a refused log-in is a fault of the provider', async () => {
    const faults = ['error_5xx', 'cut_before', 'html_page', 'odd_reply', 'refused', 'no_access'] as const;
    for (const fault of faults) {
      await using bench = await openReloadlyBench();
      await bench.addRule({ fault, operation: 'token' });
      const order = cardOrder(bench.provider);
      const answer = plain(await bench.provider.purchase(order), bench.secrets);
      if (fault === 'refused' || fault === 'no_access') {
        assert.ok(answer.kind === 'failed' && answer.fault === 'provider', answer.kind);
      } else {
        assert.equal(answer.kind, 'not_sent', answer.message);
      }
      assert.equal((await bench.provider.query(order)).kind, 'unknown');
      assert.equal(await bench.provider.balance(), undefined);
      assert.equal(await bench.deliveries(order.reference), 0);
    }
    await using bench = await openReloadlyBench({ clientSecret: 'wrong' });
    const answer = await bench.provider.purchase(cardOrder(bench.provider));
    assert.ok(answer.kind === 'failed' && answer.fault === 'provider', answer.kind);
  });

  it('waits for a token no longer than the deadline; a late one leaves the order unsent', async () => {
    await using bench = await openReloadlyBench({ deadlineMs: 1_000 });
    await bench.addRule({ fault: 'slow', operation: 'token', hold: true });
    assert.equal((await bench.provider.purchase(cardOrder(bench.provider))).kind, 'not_sent');
    await using slower = await openReloadlyBench();
    await slower.addRule({ fault: 'slow', operation: 'token', delay_ms: 300 });
    const late = cardOrder(slower.provider);
    assert.equal((await slower.provider.purchase(late, { sendWithinMs: 100 })).kind, 'not_sent');
    assert.equal((await slower.provider.query(late)).kind, 'not_found');
  });

  it('removes a token that the upstream quotes back from the answer', async () => {
    const token = 'a-token-that-must-not-be-shown';
    const server = createServer((request, response) => {
      const isToken = request.url === '/oauth/token';
      const refused = {
        errorCode: 'INVALID_PRODUCT',
        message: `bad header ${request.headers.authorization}`,
      };
      response.statusCode = isToken ? 200 : 404;
      response.end(JSON.stringify(isToken ? { access_token: token, expires_in: 3_600 } : refused));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    const url = `http://127.0.0.1:${address.port}`;
    await using provider = await reloadly.configure({ ...unreachable(), baseUrl: url }).open();
    const answer = plain(await provider.purchase(cardOrder(provider)), [token, ACCOUNT.clientSecret]);
    assert.equal(answer.kind, 'failed');
    assert.match(answer.message, /\[key\]/);
    server.close();
    server.closeAllConnections();
  });
});

describe('Reloadly: unreachable', () => {
  it('a refused connection is not_sent for an order and unknown for a query', async () => {
    await using provider = await reloadly.configure(unreachable()).open();
    const order = cardOrder(provider);
    assert.equal((await provider.purchase(order)).kind, 'not_sent');
    assert.equal((await provider.query(order)).kind, 'unknown');
    assert.equal(await provider.balance(), undefined);
    assert.equal(await provider.listCatalog?.('GIFTCARD'), undefined);
  });

  it('sends nothing for a caller that had already stopped waiting, or without a product id or an item', async () => {
    await using bench = await openReloadlyBench();
    const order = cardOrder(bench.provider);
    assert.equal((await bench.provider.purchase(order, { signal: AbortSignal.abort() })).kind, 'not_sent');
    const { planCodes: _, ...uncoded } = order;
    const { item: __, ...unnamed } = order;
    for (const [lacking, code] of [
      [uncoded, 'no_plan_code'],
      [{ ...order, planCodes: { product_id: '7a' } }, 'no_plan_code'],
      [unnamed, 'no_item'],
    ] as const) {
      const answer = await bench.provider.purchase(lacking);
      assert.ok(answer.kind === 'failed' && answer.fault === 'provider' && answer.code === code, answer.code);
    }
    assert.equal((await bench.provider.query(order)).kind, 'not_found');
  });
});
