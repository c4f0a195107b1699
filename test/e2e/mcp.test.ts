/** The gateway as tools for agents, by the official client of MCP. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { awayFromMidnight } from '../support/away-from-midnight.ts';
import { type KeyPair, startGateway } from '../support/gateway.ts';
import {
  assertAudited,
  footprint,
  merchantCode,
  newNumber,
  newReference,
  openSharedGateway,
  walletOf,
} from './gateway-under-test.ts';
import { issueKey, openShop } from './shop.ts';

const gateway = await openSharedGateway();
await awayFromMidnight();
const { database, credentials } = gateway;

// biome-ignore lint/suspicious/noExplicitAny: a result is looked into by path, and the assertions judge its shape
type Told = any;
type Called = { readonly isError: boolean; readonly told: Told };
type Agent = AsyncDisposable & {
  readonly client: Client;
  call(name: string, sent?: Record<string, unknown>): Promise<Called>;
};

function agentOver(client: Client): Agent {
  return {
    client,
    call: async (name, sent = {}) => {
      const result = await client.callTool({ name, arguments: sent });
      const [content] = result.content as { type: string; text: string }[];
      const told = JSON.parse(content?.text ?? '');
      assert.deepEqual(result.structuredContent, told);
      assert.ok((content?.text.length ?? 0) < 65_536);
      return { isError: result.isError === true, told };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function overHttp(as: KeyPair, url = gateway.url, mode: 'legacy' | 'auto' = 'legacy'): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const headers = { 'x-merchant-key': as.key, 'x-merchant-secret': as.secret };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit: { headers } }));
  return agentOver(client);
}

function capped(
  purchaseCap: bigint,
  dailyCap: bigint,
  mcpPurchases = true,
  merchant = merchantCode(),
): Promise<KeyPair> {
  return issueKey(gateway, merchant, {
    environment: 'test',
    spending: { purchaseCap, dailyCap, mcpPurchases },
  });
}

function airtime(amount: string, more: object = {}): Record<string, unknown> {
  return { msisdn: newNumber(), network: 'mtn', amount, request_ref: newReference(), ...more };
}

const buyingTools = ['buy_airtime', 'buy_bill', 'buy_data', 'buy_esim', 'buy_gift_card'];

describe('an agent over HTTP', () => {
  let agent: Agent;
  let as: KeyPair;
  before(async () => {
    as = await capped(30_000n, 50_000n);
    agent = await overHttp(as);
  });
  after(() => agent[Symbol.asyncDispose]());

  it('finds tools that describe their input and whether they spend money', async () => {
    const { tools } = await agent.client.listTools();
    const buying = tools.filter(({ annotations }) => annotations?.destructiveHint === true);
    assert.deepEqual(buying.map(({ name }) => name).sort(), buyingTools);
    for (const { name, annotations, description, inputSchema } of tools) {
      assert.equal(annotations?.readOnlyHint, !buyingTools.includes(name), name);
      assert.equal(inputSchema.additionalProperties, false, name);
      assert.doesNotMatch(JSON.stringify(inputSchema), /"x-|"format"/, name);
      if (!buyingTools.includes(name)) continue;
      assert.ok(description?.includes('get_purchase'), name);
      assert.ok(
        inputSchema.required?.some((field) => field.startsWith('request_')),
        name,
      );
    }
    assert.ok((agent.client.getInstructions() ?? '').length > 0);
  });

  it('looks up, quotes and verifies', async () => {
    const plans = await agent.call('list_data_plans', { network: 'mtn', limit: 2, skip: 1 });
    assert.deepEqual([plans.isError, plans.told.items.length, plans.told.skipped], [false, 2, 1]);
    assert.ok(plans.told.total > 3 && plans.told.items[0].plan_code.startsWith('MTN-'));
    const bills = await agent.call('list_bill_plans', {
      product: 'electricity',
      network: 'Ikeja Electric',
    });
    assert.equal(bills.told.items[0].id, 2001);
    const cards = await agent.call('search_gift_cards', { search: 'amazon' });
    assert.ok(cards.told.total >= 1);
    const quote = await agent.call('quote_gift_card', { plan_id: 300002 });
    assert.match(quote.told.data.ngn_price, /^\d+\.\d\d$/);
    assert.equal(
      (await agent.call('check_gift_card', { plan_id: 300002, quantity: 2 })).told.data.available,
      true,
    );
    const esims = await agent.call('search_esims', { country: 'NG' });
    assert.ok(esims.told.items.length >= 1);
    const esim = await agent.call('quote_esim', { plan_id: 'NG-1GB-7D' });
    assert.match(esim.told.data.ngn_amount, /^\d+/);
    const customer = await agent.call('verify_customer', {
      product: 'ELECTRICITY',
      network: 'Ikeja Electric',
      plan_code: '2001',
      msisdn: '10000000001',
    });
    assert.equal(customer.told.result.customer_name, 'TEST CUSTOMER', JSON.stringify(customer.told));
    assert.equal((await agent.call('get_balance')).told.result.currency, 'NGN');
  });

  it('buys within its caps, is refused above each, and a repeat buys nothing', async () => {
    const sent = airtime('200.00');
    const bought = await agent.call('buy_airtime', sent);
    assert.deepEqual([bought.isError, bought.told.status], [false, 'success'], JSON.stringify(bought.told));
    assert.equal(bought.told.reference, sent.request_ref);
    const before = await footprint(database);
    const again = await agent.call('buy_airtime', sent);
    assert.equal(again.isError, true);
    assert.deepEqual([again.told.code, again.told.reason], [422, 'reference_used']);
    assert.equal(again.told.purchase.internal_reference, bought.told.data.internal_reference);
    assert.ok(again.told.next.includes('get_purchase'));
    assert.deepEqual(await footprint(database), before);
    const found = await agent.call('get_purchase', { reference: sent.request_ref });
    assert.deepEqual([found.isError, found.told.state], [false, 'success']);
    assert.equal((await agent.call('list_purchases')).told.result.items[0].request_id, sent.request_ref);

    const large = await agent.call('buy_airtime', airtime('300.01'));
    assert.equal(large.isError, true);
    assert.equal(large.told.data.reason, 'over_purchase_cap');
    assert.ok(large.told.response_message.includes('300.00'));
    const meter = {
      product: 'ELECTRICITY',
      network: 'Ikeja Electric',
      plan_code: '2001',
      msisdn: '10000000001',
    };
    const bill = await agent.call('buy_bill', { ...meter, amount: '300.00', request_ref: newReference() });
    assert.match(bill.told.data.token, /^\d{20}$/, JSON.stringify(bill.told));
    const more = await agent.call('buy_airtime', airtime('50.00'));
    assert.equal(more.isError, true);
    assert.equal(more.told.data.reason, 'over_daily_cap');
    assert.match(more.told.response_message, / 0\.00 .*500\.00/);
  });

  it('reports wrong arguments, and does nothing', async () => {
    const before = await footprint(database);
    const wrong: [string, Record<string, unknown>, string, string][] = [
      ['buy_airtime', { ...airtime('100'), amount: '-5' }, 'field_invalid', 'amount'],
      ['buy_airtime', { msisdn: '0803', network: 'mtn', amount: '1' }, 'arguments_invalid', 'request_ref'],
      ['buy_airtime', { ...airtime('100'), merchant: 'OTHER' }, 'arguments_invalid', 'merchant'],
      ['buy_data', { ...airtime('100'), plan_code: {} }, 'arguments_invalid', 'plan_code'],
      ['buy_esim', { request_id: newReference(), plan_id: 'NOTHING' }, 'esim_plan_unknown', 'plan_id'],
      ['get_purchase', { reference: '../wallet/balance', kind: 'esim' }, 'order_unknown', ''],
      ['get_purchase', { reference: '..', kind: 'gift_card' }, 'path_unknown', ''],
      ['list_data_plans', { network: '../../healthz' }, 'field_invalid', 'network'],
      ['quote_esim', {}, 'arguments_invalid', 'plan_id'],
    ];
    for (const [name, sent, reason, field] of wrong) {
      const { isError, told } = await agent.call(name, sent);
      assert.equal(isError, true, JSON.stringify(told));
      assert.equal(told.reason, reason, JSON.stringify(told));
      assert.ok(told.message.includes(field), told.message);
    }
    await assert.rejects(agent.client.callTool({ name: 'drop_tables', arguments: {} }), { code: -32_602 });
    assert.deepEqual(await footprint(database), before);
  });
});

describe('over /mcp', () => {
  it('a credential without purchases may look up, and buys nothing', async () => {
    await using agent = await overHttp(credentials.test);
    const { tools } = await agent.client.listTools();
    assert.ok(tools.length > 5 && tools.every(({ annotations }) => annotations?.readOnlyHint === true));
    await using buyer = await overHttp(await capped(10_000n, 10_000n));
    assert.notEqual(agent.client.getInstructions(), buyer.client.getInstructions());
    assert.equal((await agent.call('get_balance')).isError, false);
    const before = await footprint(database);
    for (const name of buyingTools) {
      const { isError, told } = await agent.call(name, airtime('100'));
      assert.deepEqual([isError, told.reason], [true, 'purchases_not_allowed']);
    }
    assert.deepEqual(await footprint(database), before);
  });

  it('shows spendable goods on request, to callers that may buy', async () => {
    await using buyer = await overHttp(await capped(100_000_00n, 200_000_00n));
    await using reader = await overHttp(credentials.test);
    const reference = newReference();
    const bought = await buyer.call('buy_gift_card', { plan_id: 300002, request_id: reference });
    assert.equal(bought.told.status, 'success', JSON.stringify(bought.told));
    const ask = { reference, kind: 'gift_card' };
    const cards = async (agent: Agent, reveal: boolean) =>
      JSON.stringify((await agent.call('get_purchase', { ...ask, reveal })).told.data.cards);
    const revealed = await cards(buyer, true);
    const [card] = JSON.parse(revealed);
    const values = [card.card_number, card.pin, card.claim_url].filter((value) => value !== undefined);
    assert.ok(values.length > 0, revealed);
    const withheld = [JSON.stringify(bought.told.data.cards), await cards(buyer, false)];
    for (const shown of [...withheld, await cards(reader, true)]) {
      assert.ok(!values.some((value) => shown.includes(value)), shown);
    }
  });

  it('another merchant finds no purchase, by any of its ids', async () => {
    const other = await openShop(gateway);
    await using agent = await overHttp(await capped(100_000_00n, 200_000_00n));
    await using stranger = await overHttp(other.test);
    const bought = {
      airtime_data_bill: await agent.call('buy_airtime', airtime('100.00')),
      gift_card: await agent.call('buy_gift_card', { plan_id: 300002, request_id: newReference() }),
      esim: await agent.call('buy_esim', { plan_id: 'NG-1GB-7D', request_id: newReference() }),
    };
    for (const [kind, { isError, told: sold }] of Object.entries(bought)) {
      assert.equal(isError, false, JSON.stringify(sold));
      const ids = [sold.reference, sold.data.internal_reference].filter((id) => id !== undefined);
      const asked = ids.map((reference) => ({ reference, kind }));
      assert.equal((await agent.call('get_purchase', asked[0])).isError, false, kind);
      for (const one of asked) {
        const { isError: isRefused, told } = await stranger.call('get_purchase', one);
        assert.deepEqual([isRefused, told.code], [true, 404], JSON.stringify(one));
      }
    }
    assert.equal((await stranger.call('list_purchases')).told.result.items.length, 0);
  });

  it('agents that race through two gateways never exceed a daily cap', async () => {
    await using other = await startGateway({
      databaseUrl: gateway.databaseUrl,
      simulatorUrl: gateway.simulatorUrl,
      dataDir: gateway.dataDir,
    });
    const shop = await openShop(gateway);
    const as = await capped(10_000n, 50_000n, true, shop.code);
    await using one = await overHttp(as);
    await using two = await overHttp(as, other.url);
    const bought = await Promise.all(
      Array.from({ length: 16 }, (_, index) =>
        (index % 2 === 0 ? one : two).call('buy_airtime', airtime('100.00')),
      ),
    );
    assert.equal(bought.filter(({ isError }) => !isError).length, 5);
    assert.equal((await walletOf(gateway, as)).available, '99500.00');
    await assertAudited(database);
  });

  it('refuses callers without credentials, pages of other origins, and malformed messages', async () => {
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const accept = 'application/json, text/event-stream';
    const post = (body: unknown, headers: Record<string, string> = {}, as: 'test' | 'nobody' = 'test') =>
      gateway.call('POST', '/mcp', { as, body, headers: { accept, ...headers } });
    assert.equal((await post(list)).status, 200);
    assert.equal((await post(list, {}, 'nobody')).status, 401);
    assert.equal((await post(list, { origin: 'http://rebound.example' })).status, 403);
    for (const body of [
      '{"jsonrpc"',
      '',
      'null',
      '[]',
      '42',
      '"x"',
      {},
      [list, 7],
      { ...list, id: {} },
      'x'.repeat(100),
    ]) {
      const answer = await post(body);
      assert.equal(answer.status, 400, `${JSON.stringify(body)}: ${answer.status} ${answer.text}`);
      const { error, reason } = answer.body;
      assert.ok(error?.code < 0 || reason === 'messages_not_single', answer.text);
    }
    assert.equal((await post('x'.repeat(70_000))).status, 400);
    for (const params of [
      [],
      7,
      {},
      { name: 5 },
      { name: 'get_balance', arguments: [] },
      { name: '__proto__' },
    ]) {
      const answer = await post({ ...list, method: 'tools/call', params });
      assert.ok(answer.status < 500, answer.text);
      assert.match(answer.text, /"error"/, JSON.stringify(params));
    }
    assert.match((await post({ ...list, method: 'nothing/there' })).text, /-32601/);
    for (const method of ['GET', 'DELETE', 'PUT'] as const) {
      const answer = await gateway.call(method, '/mcp');
      assert.deepEqual([answer.status, answer.headers.allow], [405, 'OPTIONS, POST']);
    }
  });
});

describe('the log of a gateway that agents call', () => {
  it('logs a line of JSON for each call, and nothing else', async () => {
    for (const mode of ['legacy', 'auto'] as const) {
      await using agent = await overHttp(credentials.test, gateway.url, mode);
      assert.equal((await agent.call('get_balance')).isError, false);
    }
    // The output before that is for people.
    const [, log] = gateway.output().split(/^oja admin API on .*\n/m);
    assert.ok(log !== undefined);
    assert.deepEqual(
      log.split('\n').filter((line) => line !== '' && !line.startsWith('{"')),
      [],
    );
  });
});
