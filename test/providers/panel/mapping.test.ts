/**
 * Each documented reply of each family of panels, and that no other reply is final: requests,
 * replies, records in lists, balances, plans and customers.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { CallResult } from '../../../src/providers/http/call.ts';
import { openProviderUpstream } from '../../../src/providers/http/provider-upstream.ts';
import { createPanel } from '../../../src/providers/panel/connector.ts';
import type { PanelMapping, PanelOrder } from '../../../src/providers/panel/mapping-schema.ts';
import type { PresetName } from '../../../src/providers/panel/presets.ts';
import { readMapping } from '../../../src/providers/panel/read-mapping.ts';
import { readBalance, readCustomer, readPlans } from '../../../src/providers/panel/reads.ts';
import { findRecord, likenessOf, windowOf } from '../../../src/providers/panel/records.ts';
import { answerToPurchase, answerToQuery } from '../../../src/providers/panel/reply.ts';
import { fillRequest, orderOf, orderValues } from '../../../src/providers/panel/request.ts';
import { unreadablePlan } from '../../../src/providers/plan-facts.ts';
import type { ProviderAnswer, ProviderOrder } from '../../../src/providers/provider.ts';
import { runs } from '../../support/budget.ts';
import { reply } from '../connector-replies.ts';

const NETWORKS = {
  MTN: '1',
  GLO: '2',
  AIRTEL: '4',
  '9MOBILE': '3',
  DSTV: '2',
  'Ikeja Electric': '1',
  WAEC: '1',
};

function mappingOf(preset: PresetName, more: object = {}): PanelMapping {
  const read = readMapping(JSON.stringify({ preset, networks: NETWORKS, ...more }));
  assert.ok('mapping' in read, JSON.stringify(read));
  return read.mapping;
}

const REFERENCE = '01234567-89ab-8def-8123-456789abcdef';
const airtime: ProviderOrder = {
  reference: REFERENCE,
  product: 'airtime',
  network: 'MTN',
  recipient: '2348031234567',
  amount: 100_00n,
  currency: 'NGN',
};
const data: ProviderOrder = {
  ...airtime,
  product: 'data',
  amount: 250_00n,
  planCodes: { service_id: 'MTN', variation_code: '215' },
};
const meter: ProviderOrder = {
  ...airtime,
  product: 'ELECTRICITY',
  network: 'Ikeja Electric',
  recipient: '45002000001',
  amount: 2_000_00n,
  planCodes: { variation_code: 'prepaid' },
};

type Asked = { readonly order?: ProviderOrder; readonly isTrusted?: boolean };

function answer(
  mapping: PanelMapping,
  result: CallResult,
  { order = airtime, isTrusted = false }: Asked = {},
): ProviderAnswer {
  return answerToPurchase({ mapping, isTrusted, timeScale: 1 }, order, result);
}

function query(
  mapping: PanelMapping,
  result: CallResult,
  { order = airtime, isTrusted = false }: Asked = {},
): ProviderAnswer {
  return answerToQuery({ mapping, isTrusted, timeScale: 1 }, order, result);
}

function brief(one: ProviderAnswer): string {
  if (one.kind === 'failed') return `failed ${one.fault}`;
  return one.kind === 'unknown' && one.delivered ? 'unknown delivered' : one.kind;
}

function request(mapping: PanelMapping, order: ProviderOrder): unknown {
  const how = orderOf(mapping, order.product);
  assert.ok(how);
  const filled = fillRequest(mapping, 'the key', 'purchase', how.request, orderValues(mapping, order));
  if ('lacks' in filled) return filled;
  const { method, path, headers, body } = filled.request;
  return { method, path, headers, ...(body && { body }) };
}

const TOKEN = { accept: 'application/json', authorization: 'Token the key' };

const rowOfTopup = {
  id: 7,
  ident: '17c4f',
  network: 1,
  mobile_number: '08031234567',
  amount: '100',
  paid_amount: '97.0',
  balance_before: '20176.49999999992',
  balance_after: '20079.49999999992',
  Status: 'successful',
  create_date: '2026-11-27T09:00:30.123456',
};
const rowOfData = {
  ...rowOfTopup,
  amount: undefined,
  plan: 215,
  paid_amount: 215.0,
  balance_after: '19961.4999999',
};

describe('a kind of airtime', () => {
  it('sends a kind of airtime as the text of the mapping, and no kind without one', () => {
    const bodyOf = (mapping: PanelMapping, order: ProviderOrder) => {
      const how = orderOf(mapping, 'airtime');
      assert.ok(how);
      return fillRequest(mapping, 'key', 'purchase', how.request, orderValues(mapping, order));
    };
    const shared = { ...airtime, planKind: 'share_and_sell' } as const;
    const msorg = mappingOf('msorg');
    const typeOf = (order: ProviderOrder) => {
      const filled = bodyOf(msorg, order);
      return 'request' in filled && Reflect.get(Object(filled.request.body), 'airtime_type');
    };
    assert.deepEqual([airtime, shared].map(typeOf), ['VTU', 'Share and Sell']);
    const plain = mappingOf('msorg', { airtime_kinds: { share_and_sell: null } });
    assert.ok('request' in bodyOf(plain, airtime));
    assert.deepEqual(bodyOf(plain, shared), { lacks: 'airtime_kind' });
  });
});

describe('a mapping', () => {
  for (const preset of ['msorg', 'adex', 'php', 'smartrecharge'] as const) {
    it(`preset ${preset} requires only the ids of networks`, () => {
      assert.ok('mapping' in readMapping(JSON.stringify({ preset, networks: NETWORKS })));
      assert.ok('faults' in readMapping(JSON.stringify({ preset })));
    });
  }

  for (const [what, given] of Object.entries({
    'no JSON': '{',
    'no object': '[]',
    'an unknown preset': { preset: 'mine', networks: NETWORKS },
    'a misspelt field': { preset: 'msorg', networks: NETWORKS, balanse: {} },
    'a misspelt field inside': { preset: 'msorg', networks: NETWORKS, orders: { airtime: { pth: '/' } } },
    'an unknown product': { preset: 'msorg', networks: NETWORKS, orders: { BETTING: {} } },
    'a key that is never sent': { preset: 'msorg', networks: NETWORKS, auth: { value: 'Token' } },
    'a login that is never sent': {
      preset: 'adex',
      networks: NETWORKS,
      balance: { auth: { value: 'Basic {key}' } },
    },
    'a word with two meanings': {
      preset: 'msorg',
      networks: NETWORKS,
      statuses: { failed: ['Successful'] },
    },
    'a list that tells no numbers apart': {
      preset: 'msorg',
      networks: NETWORKS,
      orders: { airtime: { recipient: [] } },
    },
    'a list that tells no plans apart': {
      preset: 'msorg',
      networks: NETWORKS,
      orders: { data: { plan: null } },
    },
    'a success that nothing confirms': {
      preset: 'adex',
      networks: NETWORKS,
      trust: { success: 'provisional', confirm_by: ['record'] },
    },
    'a query in its path': {
      preset: 'msorg',
      networks: NETWORKS,
      balance: { request: { path: '/api/user?key=1' } },
    },
  })) {
    it(`refuses ${what}, without a value in the error`, () => {
      const read = readMapping(typeof given === 'string' ? given : JSON.stringify(given));
      assert.ok('faults' in read);
      assert.ok(read.faults.length > 0);
      assert.ok(!read.faults.join().includes('key=1'));
    });
  }

  it('replaces a list, adds to an object and removes a key that is null', () => {
    const mapping = mappingOf('msorg', {
      orders: { airtime: null, data: { request: { path: '/data/' } } },
      duplicates: ['twice'],
    });
    assert.equal(orderOf(mapping, 'airtime'), undefined);
    assert.equal(orderOf(mapping, 'data')?.request.path, '/data/');
    assert.deepEqual(orderOf(mapping, 'data')?.request.body, {
      network: '{network#}',
      mobile_number: '{phone}',
      plan: '{plan#}',
      Ported_number: true,
    });
    assert.deepEqual(mapping.duplicates, ['twice']);
  });
});

describe('a request', () => {
  it('builds airtime in the terms of each family', () => {
    assert.deepEqual(request(mappingOf('msorg'), airtime), {
      method: 'POST',
      path: '/api/topup/',
      headers: TOKEN,
      body: {
        network: 1,
        amount: 100,
        mobile_number: '08031234567',
        Ported_number: true,
        airtime_type: 'VTU',
      },
    });
    assert.deepEqual(request(mappingOf('adex'), airtime), {
      method: 'POST',
      path: '/api/topup/',
      headers: TOKEN,
      body: {
        network: 1,
        phone: '08031234567',
        amount: 100,
        plan_type: 'VTU',
        bypass: true,
        'request-id': REFERENCE,
      },
    });
    assert.deepEqual(request(mappingOf('php'), airtime), {
      method: 'POST',
      path: '/api/airtime/',
      headers: TOKEN,
      body: {
        network: '1',
        phone: '08031234567',
        amount: '100',
        ported_number: 'true',
        airtime_type: 'VTU',
        ref: REFERENCE,
      },
    });
    assert.deepEqual(request(mappingOf('smartrecharge'), airtime), {
      method: 'GET',
      path: '/api/v2/airtime/?api_key=the+key&product_code=1&phone=08031234567&amount=100',
      headers: { accept: 'application/json' },
    });
  });

  it('builds data with the id of the plan, as a number or as text', () => {
    const body = (mapping: PanelMapping, order: ProviderOrder): unknown =>
      (request(mapping, order) as { body: Record<string, unknown> }).body;
    const named = { ...data, planCodes: { variation_code: 'mtn_sme_1gb' } };
    assert.equal((body(mappingOf('msorg'), data) as { plan: unknown }).plan, 215);
    assert.equal((body(mappingOf('msorg'), named) as { plan: unknown }).plan, 'mtn_sme_1gb');
  });

  it('builds no request for a network, a plan or a kind of meter without an id', () => {
    const msorg = mappingOf('msorg');
    assert.deepEqual(request(msorg, { ...airtime, network: 'SMILE' }), { lacks: 'network' });
    assert.deepEqual(request(msorg, { ...airtime, network: 'toString' }), { lacks: 'network' });
    assert.deepEqual(request(msorg, { ...data, planCodes: {} }), { lacks: 'plan' });
    assert.deepEqual(request(msorg, { ...meter, planCodes: {} }), { lacks: 'meter_type' });
  });

  it('keeps an amount with kobo and a recipient with a slash', () => {
    const mapping = mappingOf('msorg', {
      orders: { airtime: { request: { path: '/api/{recipient}/' } } },
    });
    const made = request(mapping, { ...airtime, recipient: '12/34', amount: 100_50n });
    assert.deepEqual(made, { lacks: 'phone' });
    const { path, body } = request(
      mappingOf('msorg', { orders: { ELECTRICITY: { request: { path: '/api/{recipient}/' } } } }),
      {
        ...meter,
        recipient: '12/34?a=b',
        amount: 100_50n,
      },
    ) as { path: string; body: { amount: unknown } };
    assert.equal(path, '/api/12%2F34%3Fa%3Db/');
    assert.equal(body.amount, 100.5);
  });
});

describe('the answer of an msorg panel', () => {
  const msorg = mappingOf('msorg');

  it('calls a success provisional, with its id and its balances', () => {
    const said = answer(msorg, reply(rowOfTopup, 201));
    assert.equal(brief(said), 'accepted');
    assert.equal(said.code, 'provisional');
    assert.equal(said.providerId, '7');
    assert.match(said.message, /20176\.50 to 20079\.50/);
  });

  it('reads data as a success when the balance moved by its cost', () => {
    const said = answer(msorg, reply(rowOfData, 201), { order: data });
    assert.ok(said.kind === 'success');
    assert.equal(said.cost, 215_00n);
    const unmoved = { ...rowOfData, balance_after: rowOfData.balance_before };
    assert.equal(answer(msorg, reply(unmoved, 201), { order: data }).code, 'provisional');
    const other = { ...rowOfData, balance_after: '19000' };
    assert.equal(answer(msorg, reply(other, 201), { order: data }).code, 'provisional');
  });

  it('reads a success at once when the operator trusts it', () => {
    assert.equal(brief(answer(msorg, reply(rowOfTopup, 201), { isTrusted: true })), 'success');
  });

  for (const [Status, expected] of [
    ['processing', 'accepted'],
    ['pending', 'accepted'],
    ['Pending', 'accepted'],
    ['failed', 'failed order'],
    ['refunded', 'unknown'],
    ['success', 'unknown'],
    ['', 'unknown'],
    [null, 'unknown'],
    [1, 'unknown'],
  ] as const) {
    it(`reads the status ${JSON.stringify(Status)} as ${expected}`, () => {
      assert.equal(brief(answer(msorg, reply({ ...rowOfTopup, Status }, 201))), expected);
      assert.equal(brief(query(msorg, reply({ ...rowOfTopup, Status }))), expected);
    });
  }

  for (const [body, status, expected] of [
    [{ error: ["You can't topup due to insufficient balance ₦12"] }, 400, 'failed provider'],
    [{ plan: ['Invalid pk "215" - object does not exist.'] }, 400, 'failed provider'],
    [{ error: 'This plan is not available' }, 400, 'failed provider'],
    [{ detail: 'Invalid token.' }, 401, 'failed provider'],
    // With another HTTP status the same words prove nothing.
    [{ error: ["You can't topup due to insufficient balance ₦12"] }, 200, 'unknown'],
    [{ error: ["You can't topup due to insufficient balance ₦12"] }, 403, 'unknown'],
    [{ error: ['Transaction already exist'] }, 400, 'unknown'],
    [{ error: ['already exist: insufficient balance'] }, 400, 'unknown'],
    [{ error: ['Please try again'] }, 400, 'unknown'],
    [{ error: 'network' }, 200, 'unknown'],
    [{ mobile_number: ['This field is required.'] }, 400, 'unknown'],
    [{ detail: 'Not found.' }, 404, 'unknown'],
    [{}, 200, 'unknown'],
    [{}, 429, 'unknown'],
    [[], 201, 'unknown'],
    ['successful', 201, 'unknown'],
    [rowOfTopup, 400, 'unknown'],
    [rowOfTopup, 500, 'unknown'],
    [{ ...rowOfTopup, Status: 'failed' }, 500, 'unknown'],
    [{ ...rowOfTopup, Status: 'failed' }, 400, 'unknown'],
    // A record is no refusal before execution, and its repeat may be the one that failed.
    [{ ...rowOfTopup, Status: 'queued', api_response: 'insufficient balance' }, 400, 'unknown'],
    [{ ...rowOfTopup, Status: 'failed', api_response: 'Transaction already exist' }, 201, 'unknown'],
    [{ ...rowOfTopup, Status: 'processing', api_response: 'already exist' }, 201, 'accepted'],
  ] as const) {
    it(`reads HTTP ${status} ${JSON.stringify(body).slice(0, 60)} as ${expected}`, () => {
      assert.equal(brief(answer(msorg, reply(body, status))), expected);
    });
  }

  it('reads a page, a redirect or an empty reply as unknown', () => {
    for (const result of [
      { kind: 'lost', reason: 'HTTP 200 with a body that is not JSON', status: 200 },
      { kind: 'lost', reason: 'HTTP 301 with a body that is not JSON', status: 301 },
      { kind: 'lost', reason: 'ECONNRESET' },
      { kind: 'reply', status: 301, body: rowOfTopup },
    ] as const satisfies readonly CallResult[]) {
      assert.equal(brief(answer(msorg, result)), 'unknown');
      assert.equal(brief(query(msorg, result)), 'unknown');
    }
    const redirected = answer(msorg, { kind: 'lost', reason: 'no JSON', status: 301 });
    assert.equal(redirected.code, 'redirected');
  });

  it('reads not_sent only when the call did not leave, and never from a query', () => {
    const unsent = { kind: 'not_sent', reason: 'breaker open' } as const;
    assert.equal(brief(answer(msorg, unsent)), 'not_sent');
    assert.equal(brief(query(msorg, unsent)), 'unknown');
  });

  it('reads another number as another order, and another amount as a delivery for a person', () => {
    const stranger = { ...rowOfTopup, mobile_number: '08099999999' };
    assert.equal(answer(msorg, reply(stranger, 201), { isTrusted: true }).code, 'other_order');
    const less = { ...rowOfTopup, amount: '50' };
    assert.equal(brief(answer(msorg, reply(less, 201), { isTrusted: true })), 'unknown delivered');
    const plan = { ...rowOfData, plan: 999 };
    assert.equal(brief(answer(msorg, reply(plan, 201), { order: data })), 'unknown delivered');
    assert.equal(
      brief(answer(msorg, reply({ ...rowOfTopup, mobile_number: '8031234567' }, 201))),
      'accepted',
    );
  });

  it('reads a query as a success if it still succeeds after the confirmation time', () => {
    const aged = (sentMs: number): ProviderAnswer =>
      query(msorg, reply(rowOfTopup), { order: { ...airtime, sentMs } });
    assert.equal(aged(599_999).code, 'provisional');
    assert.equal(brief(aged(600_000)), 'success');
  });

  it('reads a query of data, but none of airtime, as a success once our balance moved', () => {
    const unsaid = { balance_before: undefined, balance_after: undefined };
    const debited = (row: object, order: ProviderOrder): string =>
      brief(query(msorg, reply({ ...row, ...unsaid }), { order: { ...order, isDebited: true } }));
    assert.equal(debited(rowOfData, data), 'success');
    assert.equal(debited(rowOfTopup, airtime), 'accepted');
    const unmoved = query(msorg, reply({ ...rowOfData, ...unsaid }), { order: data });
    assert.equal(unmoved.code, 'provisional');
  });

  it('reads the token of a prepaid meter, also inside a text', () => {
    const row = {
      meter_number: meter.recipient,
      amount: '2000.00',
      Status: 'successful',
      api_response: 'Token: 1234-5678-9012-3456-7890',
    };
    const said = answer(msorg, reply(row, 201), { order: meter, isTrusted: true });
    assert.ok(said.kind === 'success');
    assert.deepEqual(said.goods, { token: '12345678901234567890' });
    const [one, two, token] = ['11112222333344445555', '66667777888899990000', '12345678901234567890'];
    const text = `Tokens: ${one} (KCT1), ${two} (KCT2), ${token} (Token)`;
    const keyed = answer(msorg, reply({ ...row, api_response: text }, 201), {
      order: meter,
      isTrusted: true,
    });
    assert.deepEqual(keyed.kind === 'success' && keyed.goods, { token, kct1: one, kct2: two });
    for (const api_response of ['ok', `${one}, ${two}, ${token}`, `Token: ${one} (KCT1)`]) {
      const late = answer(msorg, reply({ ...row, api_response }, 201), { order: meter, isTrusted: true });
      assert.ok(late.kind === 'success');
      assert.equal(late.goods, undefined, api_response);
    }
  });
});

describe('a record in the list of an msorg panel', () => {
  const msorg = mappingOf('msorg');
  const how = orderOf(msorg, 'airtime') as PanelOrder;
  const list = how.lookup?.list;
  assert.ok(list);
  // 09:00 in Lagos.
  const window = windowOf(list, Date.parse('2026-11-27T08:00:00Z'));

  function find(rows: readonly Record<string, unknown>[], more: Partial<ProviderOrder> = {}): string {
    assert.ok(list);
    const found = findRecord(list, how, msorg.reply.id, { ...airtime, ...more }, rows, window);
    if (found.kind === 'record') return String(found.record.id);
    assert.equal(found.kind, 'unknown');
    return found.code;
  }

  it('finds the record by number, amount and time', () => {
    assert.equal(find([{ ...rowOfTopup, id: 9, mobile_number: '08035555555' }, rowOfTopup]), '7');
    assert.equal(find([{ ...rowOfTopup, amount: '100.0' }]), '7');
    assert.equal(find([{ ...rowOfTopup, create_date: '2026-11-27T08:10:00Z' }]), '7');
    assert.equal(find([{ ...rowOfTopup, create_date: '2026-11-27 09:14:59+0100' }]), '7');
  });

  it('concludes nothing from an absent record', () => {
    for (const other of [
      { mobile_number: '08035555555' },
      { mobile_number: undefined },
      { amount: '50' },
      { amount: undefined },
      { create_date: '2026-11-27T08:58:00' },
      { create_date: '2026-11-27T09:17:00' },
      { create_date: 'yesterday' },
      { id: undefined },
    ]) {
      assert.equal(find([{ ...rowOfTopup, ...other }]), 'not_listed', JSON.stringify(other));
    }
    assert.equal(find([]), 'not_listed');
  });

  it('ignores the record of another purchase', () => {
    assert.equal(find([rowOfTopup], { otherIds: ['7'] }), 'not_listed');
    assert.equal(find([rowOfTopup, { ...rowOfTopup, id: 8 }], { otherIds: ['7'] }), '8');
  });

  it('ignores several candidates, and finds one when pages overlap', () => {
    assert.equal(find([rowOfTopup, { ...rowOfTopup, id: 8 }]), 'several_records');
    assert.equal(find([rowOfTopup, rowOfTopup]), '7');
  });
});

describe('orders that are alike', () => {
  it('treats orders whose records cannot be distinguished as similar', () => {
    for (const more of [{ network: 'GLO' }, { recipient: '08031234567' }, { planCodes: { x: 'y' } }]) {
      assert.equal(likenessOf({ ...airtime, ...more }), likenessOf(airtime));
    }
    // The price of a plan may change.
    assert.equal(likenessOf({ ...data, amount: 1n }), likenessOf(data));
    for (const other of [{ amount: 1n }, { recipient: '2348031234568' }]) {
      assert.notEqual(likenessOf({ ...airtime, ...other }), likenessOf(airtime));
    }
    assert.notEqual(likenessOf({ ...data, planCodes: { variation_code: '216' } }), likenessOf(data));
  });

  it('similar orders have one record at most: property', () => {
    const order = fc.record({
      product: fc.constantFrom('airtime', 'data'),
      recipient: fc.constantFrom('2348031234567', '08031234567', '2348035555555'),
      amount: fc.constantFrom(100_00n, 215_00n),
      plan: fc.constantFrom('100', '215'),
    });
    const msorg = mappingOf('msorg');
    fc.assert(
      fc.property(order, order, (one, other) => {
        const of = ({ plan, ...rest }: typeof one): ProviderOrder => ({
          ...airtime,
          ...rest,
          planCodes: { variation_code: plan },
        });
        const how = orderOf(msorg, one.product);
        const list = how?.lookup?.list;
        assert.ok(how && list);
        const row = {
          id: 1,
          mobile_number: other.recipient,
          create_date: '2026-11-27T08:00:00Z',
          ...(other.product === 'data' ? { plan: other.plan } : { amount: `${other.amount / 100n}` }),
        };
        const window = windowOf(list, Date.parse('2026-11-27T08:00:00Z'));
        const found = findRecord(list, how, msorg.reply.id, of(one), [row], window);
        if (found.kind === 'record') assert.equal(likenessOf(of(one)), likenessOf(of(other)));
      }),
      runs(200),
    );
  });
});

describe('a key in a query string', () => {
  it('is removed from an answer however the panel quotes it', async () => {
    const key = "a!b(c)*d~e'f g+h/i=j";
    const settings = {
      baseUrl: 'https://panel.example',
      key,
      mapping: mappingOf('smartrecharge'),
      provisional: 'async' as const,
      timeScale: 1,
      notFoundGraceMs: 1_000,
      connectionsMax: 1,
      deadlineMs: 1_000,
    };
    const upstream = openProviderUpstream({ ...settings, provider: 'panel' });
    for (const quoted of [key, encodeURIComponent(key), new URLSearchParams({ key }).toString().slice(4)]) {
      const call = async (): Promise<CallResult> =>
        reply({ error: `no route for ?api_key=${quoted}&x` }, 404);
      await using panel = createPanel(settings, { ...upstream, call });
      const { message } = await panel.purchase(airtime);
      assert.ok(message.includes('[key]&x'), message);
      const status = async (): Promise<CallResult> =>
        reply({ error_code: quoted, data: { recharge_id: quoted.toUpperCase(), text_status: quoted } });
      await using other = createPanel(settings, { ...upstream, call: status });
      const said = await other.purchase(airtime);
      assert.deepEqual([said.code, said.providerId, said.message], ['[key]', '[key]', '[key]']);
    }
  });
});

describe('a list of several pages', () => {
  const at = (secondsAgo: number): string => new Date(Date.now() - 1_000 * secondsAgo).toISOString();
  const page = (rows: readonly object[], status = 200): CallResult => reply({ results: rows }, status);
  const others = { ...rowOfTopup, id: 1, mobile_number: '08035555555' };

  async function look(...pages: readonly CallResult[]): Promise<string> {
    const asked = pages.values();
    const settings = {
      baseUrl: 'https://www.panel.example/',
      key: 'the key',
      mapping: mappingOf('msorg'),
      provisional: 'final' as const,
      timeScale: 1,
      notFoundGraceMs: 1_000,
      connectionsMax: 1,
      deadlineMs: 1_000,
    };
    const upstream = openProviderUpstream({ ...settings, provider: 'panel' });
    const call = async (): Promise<CallResult> => asked.next().value ?? page([]);
    await using panel = createPanel(settings, { ...upstream, call });
    assert.equal(panel.oneAlike?.place, 'panel.example');
    const found = await panel.query({ ...airtime, sentMs: 60_000 });
    return found.kind === 'unknown' ? found.code : found.kind;
  }

  it('reads until the list ends, or is older than the order', async () => {
    const own = { ...rowOfTopup, create_date: at(30) };
    const rest = { ...others, create_date: at(40) };
    assert.equal(await look(page([rest]), page([own]), page([{ detail: 'Invalid page.' }], 404)), 'success');
    const old = { ...rowOfTopup, id: 5, create_date: at(4_000) };
    assert.equal(await look(page([own, old]), page([{ ...own, id: 8 }])), 'success');
  });

  it('confirms a success by no page that is older than `confirm_after_s`', async () => {
    let nowMs = Date.now();
    const settings = {
      baseUrl: 'https://www.panel.example/',
      key: 'the key',
      mapping: mappingOf('msorg', {
        orders: {
          airtime: { trust: { success: 'provisional', confirm_by: ['record'], confirm_after_s: 300 } },
        },
      }),
      provisional: 'async' as const,
      timeScale: 1,
      notFoundGraceMs: 1_000,
      connectionsMax: 1,
      deadlineMs: 1_000,
      now: () => new Date(nowMs),
    };
    const upstream = openProviderUpstream({ ...settings, provider: 'panel' });
    const sentAtMs = nowMs - 200_000;
    const own = { ...rowOfTopup, create_date: new Date(sentAtMs).toISOString() };
    // The list takes so long to arrive that the order is old enough by its end.
    const call = async (): Promise<CallResult> => {
      nowMs += 150_000;
      return page([own, { ...others, create_date: new Date(sentAtMs - 4_000_000).toISOString() }]);
    };
    await using panel = createPanel(settings, { ...upstream, call });
    const ask = async (reference: string): Promise<string> =>
      (await panel.query({ ...airtime, reference, sentMs: nowMs - sentAtMs })).kind;
    assert.equal(await ask('the first'), 'accepted');
    // This query shares the page, which was requested 200 s after the order.
    assert.equal(await ask('the second'), 'accepted');
    assert.equal(await ask('the first'), 'success');
  });

  it('decides nothing while a page is unreadable', async () => {
    const own = { ...rowOfTopup, create_date: at(30) };
    assert.equal(await look(page([own]), page([{ ...own, id: 8 }])), 'several_records');
    assert.equal(await look(page([own]), page([], 500)), 'http_500');
    assert.equal(await look(page([own]), { kind: 'lost', reason: 'ECONNRESET' }), 'no_answer');
    assert.equal(await look(page([own]), { kind: 'not_sent', reason: 'breaker open' }), 'not_queried');
  });
});

describe('the answer of an adex panel', () => {
  const adex = mappingOf('adex');
  const good = {
    network: 'MTN',
    'request-id': REFERENCE,
    transid: 'AIRTIME_1',
    amount: 100,
    status: 'success',
    message: 'successfully purchase MTN VTU to 08031234567',
    phone_number: '08031234567',
    oldbal: '1,000.00',
    newbal: 903,
    response: 'You have topped up',
  };

  it('reads a success with its cost and the message of the network', () => {
    const said = answer(adex, reply(good));
    assert.ok(said.kind === 'success');
    assert.equal(said.cost, 97_00n);
    assert.equal(said.telcoMessage, 'You have topped up');
  });

  for (const [body, status, expected] of [
    [{ ...good, status: 'process' }, 200, 'accepted'],
    [{ ...good, status: 'fail' }, 200, 'failed order'],
    [{ ...good, status: 'fail' }, 403, 'unknown'],
    [{ ...good, 'request-id': 'other' }, 200, 'unknown'],
    [{ ...good, phone_number: '08099999999' }, 200, 'unknown'],
    [{ ...good, status: 'successful' }, 200, 'unknown'],
    [{ status: 'fail', message: 'Insufficient balance' }, 403, 'failed provider'],
    [{ status: 'fail', message: 'Number Blocked' }, 403, 'failed order'],
    [{ status: 'fail', message: 'This is not a MTN Number => 0805' }, 403, 'failed order'],
    // A repeated request id looks like a refusal, and the first order may have been delivered.
    [{ status: 'fail', message: 'Request ID Exits Before' }, 403, 'unknown'],
    [{ status: 'fail', message: 'Referrence ID Used' }, 403, 'unknown'],
    [{ status: 'fail', message: 'Transaction Plan Id Exits' }, 403, 'unknown'],
    [{ status: 'fail', message: 'The request-id has already been taken.' }, 403, 'unknown'],
    [{ status: 'fail', message: 'kindly re try after some mins' }, 403, 'unknown'],
    [{ status: 'fail' }, 403, 'unknown'],
  ] as const) {
    it(`reads HTTP ${status} ${JSON.stringify(body).slice(0, 70)} as ${expected}`, () => {
      assert.equal(brief(answer(adex, reply(body, status))), expected);
    });
  }

  it('reads the PINs of an exam, as text with commas', () => {
    const order: ProviderOrder = { ...airtime, product: 'EDUCATION', network: 'WAEC' };
    const body = { 'request-id': REFERENCE, status: 'success', pin: '012345678901', serial: 'WRN012345678' };
    const said = answer(adex, reply(body), { order });
    assert.ok(said.kind === 'success');
    assert.deepEqual(said.goods, { pins: [{ pin: '012345678901', serial: 'WRN012345678' }] });
    const numbers = answer(adex, reply({ ...body, pin: 12345678901 }), { order });
    assert.ok(numbers.kind === 'success');
    assert.equal(numbers.goods, undefined);
  });
});

describe('the answer of a php panel', () => {
  const php = mappingOf('php');
  for (const [body, status, expected] of [
    [{ status: 'success', Status: 'successful' }, 200, 'success'],
    [{ status: 'fail', Status: 'failed', msg: 'network error' }, 400, 'unknown'],
    [{ status: 'fail', Status: 'failed', msg: 'Server Connection Error' }, 400, 'unknown'],
    [{ status: 'fail', Status: 'failed' }, 200, 'failed order'],
    [{ status: 'success', Status: 'successful' }, 400, 'unknown'],
    [{ status: 'fail', msg: 'Insufficient balance fund your wallet and try again' }, 400, 'failed provider'],
    [{ status: 'fail', msg: 'Sorry, MTN is not available at the moment' }, 400, 'failed provider'],
    [{ status: 'fail', msg: 'Authorization token not found the key' }, 401, 'failed provider'],
    [{ status: 'fail', msg: 'Minimum airtime you can purchase is 100' }, 400, 'failed order'],
    [{ status: 'fail', msg: 'Transaction Ref Already Exist' }, 400, 'unknown'],
    [{ status: 'fail', msg: 'Possible Transaction Duplicate, Please Verify' }, 400, 'unknown'],
    [{ status: 'fail', msg: 'Could Not Complete Transaction' }, 400, 'unknown'],
    [{ status: 'success' }, 200, 'unknown'],
  ] as const) {
    it(`reads HTTP ${status} ${JSON.stringify(body).slice(0, 70)} as ${expected}`, () => {
      assert.equal(brief(answer(php, reply(body, status))), expected);
    });
  }
});

describe('the answer of a smartrecharge panel', () => {
  const smart = mappingOf('smartrecharge');
  const body = (error_code: unknown): unknown => ({ error_code, data: { recharge_id: 55 } });
  it('reads a query by the text of the order too', () => {
    const queried = (text_status: string) =>
      brief(query(smart, reply({ error_code: 1986, data: { recharge_id: 55, text_status } })));
    assert.equal(queried('COMPLETED'), 'success');
    for (const text of ['RECEIVED', 'PENDING', 'FAILED', 'REVERSED']) assert.equal(queried(text), 'unknown');
  });

  for (const [code, first, later] of [
    [1986, 'accepted', 'success'],
    ['1986', 'accepted', 'success'],
    [1981, 'accepted', 'accepted'],
    [1987, 'unknown', 'unknown'],
    [undefined, 'unknown', 'unknown'],
  ] as const) {
    it(`reads ${code} as ${first}, and as ${later} in a query`, () => {
      assert.equal(brief(answer(smart, reply(body(code)))), first);
      assert.equal(brief(query(smart, reply(body(code)))), later);
    });
  }
});

describe('status fields that disagree', () => {
  it('reads contradictory status fields as unknown', () => {
    const mapping = mappingOf('php', {
      statuses: {
        fields: ['Status', 'status'],
        success: ['successful', 'success'],
        failed: ['failed', 'fail'],
      },
    });
    assert.equal(brief(answer(mapping, reply({ Status: 'successful', status: 'success' }))), 'success');
    assert.equal(brief(answer(mapping, reply({ Status: 'successful', status: 'fail' }))), 'unknown');
    assert.equal(brief(answer(mapping, reply({ Status: 'successful', status: 'odd' }))), 'unknown');
  });
});

describe('any other reply', () => {
  const words = ['successful', 'success', 'failed', 'fail', 'processing', 'pending', 'process'];
  for (const preset of ['msorg', 'adex', 'php', 'smartrecharge'] as const) {
    it(`never reads another reply of a ${preset} panel as final`, () => {
      const mapping = mappingOf(preset);
      const value = fc.oneof(fc.string(), fc.integer({ max: 1_900 }), fc.boolean(), fc.constant(null));
      fc.assert(
        fc.property(
          fc.record(
            { Status: value, status: value, error_code: value, msg: fc.string() },
            { requiredKeys: [] },
          ),
          fc.integer({ min: 100, max: 599 }),
          (body, status) => {
            const said = Object.values(body).map((one) => String(one).trim().toLowerCase());
            fc.pre(!words.some((word) => said.includes(word)));
            assert.equal(brief(answer(mapping, reply(body, status))), 'unknown');
            assert.equal(brief(query(mapping, reply(body, status))), 'unknown');
          },
        ),
        runs(200),
      );
    });
  }
});

describe('balances, plans and customers', () => {
  const msorg = mappingOf('msorg');

  it('reads a balance as a number, as text and with commas', () => {
    const of = (mapping: PanelMapping, body: unknown): bigint | undefined =>
      readBalance(mapping, reply(body))?.amount;
    assert.equal(of(msorg, { user: { Account_Balance: 20176.49999999992 } }), 20_176_50n);
    assert.equal(of(msorg, { user: { wallet_balance: '₦1,234.00' } }), 1_234_00n);
    assert.equal(of(mappingOf('adex'), { status: 'success', balance: '1,234.00' }), 1_234_00n);
    assert.equal(of(msorg, { user: { Account_Balance: '-5' } }), undefined);
    assert.equal(of(msorg, { user: {} }), undefined);
    assert.equal(readBalance(msorg, { kind: 'lost', reason: 'cut' }), undefined);
  });

  it('reads the plans of a network with kind, size and price', () => {
    const row = {
      id: 215,
      plan: '1GB',
      plan_type: 'SME',
      month_validate: '30 days',
      plan_amount: '215.0',
      new: 1,
    };
    const body = { MTN_PLAN: [row, { plan: 'no id' }, null], GLO_PLAN: 'gone' };
    assert.deepEqual(readPlans(msorg, 'MTN', reply(body)), [
      {
        code: '215',
        name: '1GB SME 30 days',
        price: 215_00n,
        fixed: true,
        cost: 215_00n,
        kind: 'sme',
        sizeMb: 1_000,
        days: 30,
      },
      unreadablePlan,
      unreadablePlan,
    ]);
    assert.equal(readPlans(msorg, 'GLO', reply(body)), undefined);
    assert.equal(readPlans(msorg, 'toString', reply(body)), undefined);
  });

  it('rejects a customer only on the answer that says so', () => {
    const verify = orderOf(msorg, 'CABLE')?.verify;
    assert.ok(verify);
    const kind = (body: unknown, status = 200): string => readCustomer(verify, reply(body, status)).kind;
    assert.equal(kind({ invalid: false, name: 'ADA OBI' }), 'verified');
    assert.equal(kind({ invalid: true, name: 'INVALID_SMARTCARDNO' }), 'rejected');
    for (const unclear of [{ invalid: true, status: 500 }, {}, [], { name: '' }]) {
      assert.equal(kind(unclear, 'status' in unclear ? 500 : 200), 'unavailable');
    }
    assert.equal(readCustomer(verify, { kind: 'lost', reason: 'cut' }).kind, 'unavailable');
  });
});
