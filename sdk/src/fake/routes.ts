/** The routes that the fake gateway plays. */
import type { ErrorReason, Refusal } from '../generated/api.ts';
import { isObject } from '../read-answer.ts';
import { createAnswer, type FakePurchase, newPurchase, orderAnswer, statusAnswer } from './books.ts';
import { orderStoryOf, type Story, storyOf, unpaid } from './stories.ts';

export type FakeState = {
  readonly purchases: Map<string, FakePurchase>;
  /** The available balance. */
  kobo: number;
};

/** `lost`: the request was executed, and the answer is lost. */
export type FakeAnswer = Response | 'lost';

type Fields = Readonly<Record<string, unknown>>;

export function answerRequest(state: FakeState, url: URL, init: RequestInit): FakeAnswer {
  const body = typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : {};
  const fields: Fields = isObject(body) ? body : {};
  const route = `${init.method ?? 'GET'} ${url.pathname}`;
  const create = /^POST \/v1\/transactions(?:\/(airtime|data)\/(?:a?sync))?$/.exec(route);
  if (create !== null) return createPurchase(state, { product: create[1], ...fields });
  const order = /^POST \/v1\/(giftcards\/orders|esim\/orders|giftcards\/redeem)$/.exec(route);
  if (order !== null)
    return createOrder(state, order[1] === 'giftcards/orders' ? 'GIFTCARD' : 'ESIM', fields);
  const look = /^GET \/v1\/(?:giftcards|esim)\/orders\/([^/]+)$/.exec(route);
  if (look !== null) return found(state, decodeURIComponent(look[1] ?? ''), orderAnswer);
  switch (route) {
    case 'GET /v1/transactions/status':
      return found(state, url.searchParams.get('request_ref') ?? '', statusAnswer);
    case 'GET /v1/transactions':
      return list(state);
    case 'GET /v1/wallet/balance':
      return balance(state);
    default:
      return refusal(404, 'path_unknown', `The fake gateway does not play ${route}`);
  }
}

function createPurchase(state: FakeState, fields: Fields): FakeAnswer {
  const product = String(fields.product);
  const story = storyOf(product, String(fields.msisdn));
  const missing = ['merchant', 'msisdn', 'network', 'amount', 'request_ref'];
  const refused = judge(state, fields, missing, String(fields.request_ref));
  if (refused !== undefined) return refused;
  const amount = Number(fields.amount);
  if (typeof fields.amount !== 'string' || !(amount > 0)) {
    return refusal(400, 'field_invalid', 'amount must be an amount of naira as a string', {
      field: 'amount',
    });
  }
  return stored(state, createAnswer, {
    reference: String(fields.request_ref),
    product,
    network: String(fields.network),
    msisdn: String(fields.msisdn),
    amount: amount.toFixed(2),
    plan: String(fields.plan_code ?? ''),
    story,
  });
}

/** Every plan costs this much. */
const orderPrice = '15000.00';

function createOrder(state: FakeState, product: string, fields: Fields): FakeAnswer {
  const plan = fields.plan_id ?? fields.plan;
  const refused = judge(
    state,
    { ...fields, plan_id: plan },
    ['request_id', 'plan_id'],
    String(fields.request_id),
  );
  if (refused !== undefined) return refused;
  const story = orderStoryOf(String(fields.request_id));
  if ('refused' in story)
    return refusal(story.refused, story.reason, 'The card cannot be had now; nothing was stored');
  return stored(state, orderAnswer, {
    reference: String(fields.request_id),
    product,
    network: product,
    msisdn: '',
    amount: orderPrice,
    plan: String(plan),
    story,
  });
}

/** The first checks of the gateway: the reference, and missing fields. */
function judge(
  state: FakeState,
  fields: Fields,
  needed: readonly string[],
  reference: string,
): Response | undefined {
  const before = state.purchases.get(reference);
  if (before !== undefined) {
    const { status, response_code, data } = createAnswer(before);
    const { request_id, internal_reference } = data;
    return refusal(422, 'reference_used', 'This reference was used before; query its status', {
      field: 'request_ref',
      data: { request_id, internal_reference, status, response_code, ...compared(before, fields) },
    });
  }
  const missing = needed.find((name) => fields[name] === undefined || fields[name] === null);
  return missing === undefined
    ? undefined
    : refusal(422, 'field_missing', `${missing} is required`, { field: missing });
}

function compared(before: FakePurchase, fields: Fields): { differs: boolean; differing_fields: string[] } {
  const { msisdn, network, amount } = before;
  const isOrder = fields.msisdn === undefined;
  const differing_fields = [
    ...(isOrder || fields.msisdn === msisdn ? [] : ['msisdn']),
    ...(isOrder || String(fields.network).toUpperCase() === network.toUpperCase() ? [] : ['network']),
    ...(isOrder || Number(fields.amount) === Number(amount) ? [] : ['amount']),
    ...(!isOrder || String(fields.plan_id) === before.plan ? [] : ['plan_id']),
  ];
  return { differs: differing_fields.length > 0, differing_fields };
}

function stored(
  state: FakeState,
  answerOf: (purchase: FakePurchase) => object,
  fields: Parameters<typeof newPurchase>[0],
): FakeAnswer {
  const kobo = Math.round(Number(fields.amount) * 100);
  const story: Story = kobo > state.kobo ? unpaid : fields.story;
  const purchase = newPurchase({ ...fields, story });
  state.purchases.set(purchase.reference, purchase);
  if (purchase.outcome !== 'failed') state.kobo -= kobo;
  return story.isAnswerLost === true ? 'lost' : Response.json(answerOf(purchase));
}

function found(state: FakeState, reference: string, answerOf: (purchase: FakePurchase) => object): Response {
  const purchase = state.purchases.get(reference);
  return purchase === undefined
    ? refusal(404, 'purchase_unknown', 'No such purchase')
    : Response.json(answerOf(purchase));
}

function list({ purchases }: FakeState): Response {
  const items = [...purchases.values()].reverse().map((purchase) => {
    const { state: status, code, payload } = statusAnswer(purchase);
    const { merchant_name: _, ...row } = payload;
    return { ...row, status, code };
  });
  const page_info = {
    total_items: items.length,
    page: 1,
    page_size: items.length,
    total_pages: 1,
    next_cursor: null,
  };
  return Response.json({ state: 'ok', result: { items, page_info } });
}

function balance({ kobo }: FakeState): Response {
  const amount = (kobo / 100).toFixed(2);
  const result = {
    merchant_id: 1,
    currency: 'NGN',
    balance: amount,
    billing_mode: 'prepaid',
    credit_floor: '0.00',
    held: '0.00',
    available: amount,
  };
  return Response.json({ state: 'ok', result });
}

type RefusalFacts = {
  readonly field?: string;
  readonly data?: NonNullable<Refusal['data']>;
  readonly retryAfterS?: number;
};

export function refusal(
  status: number,
  reason: ErrorReason,
  message: string,
  { field, data, retryAfterS }: RefusalFacts = {},
): Response {
  const body: Refusal = {
    status: 'error',
    code: status,
    reason,
    message,
    ...(field !== undefined && { errors: [{ field, reason, message }] }),
    ...(data !== undefined && { data }),
  };
  const headers = retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) };
  return Response.json(body, { status, headers });
}
