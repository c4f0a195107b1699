/** The API over test doubles of the rooms behind it, for decisions of the API only. */
import { Readable } from 'node:stream';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import type { RequestLog, ServerDependencies } from '../../src/api/dependencies.ts';
import { sampleBatch, sampleFound } from '../../src/api/routes/batches/batch.ts';
import { buildServer } from '../../src/api/server.ts';
import type { BillPlan } from '../../src/catalog/bill-plan.ts';
import { type Biller, findBiller, findBillNetwork, indexBillers } from '../../src/catalog/biller-index.ts';
import { findEsim, indexGoods } from '../../src/catalog/goods-index.ts';
import { searchEsims, searchGiftCards } from '../../src/catalog/search-goods.ts';
import type { Currency } from '../../src/core/money.ts';
import type { BillProduct } from '../../src/core/products/product.ts';
import type { FundingAccount } from '../../src/funding/funding-account.ts';
import type { Principal } from '../../src/merchants/merchant.ts';
import type { Endpoint, WebhookDelivery } from '../../src/notifications/webhooks/endpoint.ts';
import type { CustomerRequest } from '../../src/purchases/create/verify-customer.ts';
import type { PurchasePageRequest } from '../../src/purchases/history/find-purchases.ts';
import type { Purchase, PurchaseMode, PurchaseRequest } from '../../src/purchases/state/purchase.ts';
import type { ClockMove } from '../../src/purchases/test-clock/advance-test-clock.ts';
import { assertAsDocumented } from '../support/contract.ts';
import { aGiftCard, anEsim } from '../support/goods.ts';

export const purchaseId = '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10';
export const secret = 'a-secret-that-must-not-show';

export function aPrincipal(overrides: Partial<Principal> = {}): Principal {
  return {
    credentialId: 'oja_test_good',
    environment: 'test',
    rateLimitPerS: undefined,
    merchant: {
      id: 7,
      code: 'DEMO',
      name: 'Demo merchant',
      suspended: false,
      products: new Set(['airtime', 'data']),
      prices: [],
      wallets: new Map([['NGN', 1n]]),
    },
    ...overrides,
  };
}

/** The purchase that `request` becomes: a success if it is waited for, pending if not. */
export function aPurchase(
  request: Partial<PurchaseRequest> = {},
  overrides: Partial<Purchase> = {},
): Purchase {
  return {
    id: purchaseId,
    merchantId: 7,
    merchantName: 'Demo merchant',
    environment: 'test',
    reference: request.reference ?? 'order-1',
    product: request.product ?? 'airtime',
    network: request.network ?? 'MTN',
    planCode: request.planCode,
    msisdn: request.msisdn ?? '08031234567',
    faceValue: request.faceValue ?? 10_000n,
    charge: request.faceValue ?? 10_000n,
    status: 'success',
    reason: 'delivered',
    telcoMessage: undefined,
    goods: {},
    createdAt: new Date('2026-11-21T12:05:09.120Z'),
    updatedAt: new Date('2026-11-21T12:05:10.950Z'),
    ...overrides,
  };
}

function aFundingAccount(currency: Currency): FundingAccount {
  const account = { number: '6012345678', name: 'Ada Obi', bankName: 'Wema Bank' };
  return { currency, status: 'active', account, documentUploaded: false, convenienceFee: 10_000n };
}

function biller(product: BillProduct, network: string, ...names: string[]): Biller {
  return { product, network, name: network, aliases: names.map((name) => ({ name })), active: true };
}

const billers = indexBillers([
  biller('ELECTRICITY', 'Ikeja Electric', 'IKEDC'),
  biller('ELECTRICITY', 'EKEDC', 'Eko Electric'),
  biller('CABLE', 'DSTV'),
  biller('BETTING', 'BET9JA'),
  biller('EDUCATION', 'JAMB'),
  { ...biller('ELECTRICITY', 'Old Electric', 'OLDEC'), active: false },
]);

function billPlan(id: number, product: BillProduct, network: string, price?: bigint): BillPlan {
  return {
    id,
    product,
    network,
    name: `Plan ${id}`,
    meterKind: product === 'ELECTRICITY' ? 'prepaid' : undefined,
    serviceId: undefined,
    tariffTypeId: undefined,
    legacyProductId: undefined,
    providerCodes: {},
    active: true,
    ...(price === undefined
      ? { amountType: 'variable', price, minAmount: 10_000n, maxAmount: 100_000_000n }
      : { amountType: 'fixed', price, minAmount: undefined, maxAmount: undefined }),
  };
}

const billPlans = [
  billPlan(2001, 'ELECTRICITY', 'Ikeja Electric'),
  billPlan(2003, 'ELECTRICITY', 'EKEDC'),
  billPlan(2101, 'CABLE', 'DSTV', 440_000n),
];

const card = aGiftCard({ planId: 300002, title: 'Amazon US USD 25', brand: 'Amazon' });

const esim = anEsim();

const goodsIndex = indexGoods(
  [card],
  [esim],
  [{ currency: 'USD', rateMicro: 1_545_000_000n, marginBasisPoints: 300 }],
);

const catalog: ServerDependencies['catalog'] = {
  listDataPlans: () => [],
  findBiller: (product, text) => findBiller(billers, product, text),
  findBillNetwork: (text) => findBillNetwork(billers, text),
  listBillers: (product) => billers.listed.get(product) ?? [],
  listBillPlans: (product, network) =>
    billPlans.filter((plan) => plan.product === product && (network ?? plan.network) === plan.network),
  findGiftCardPlan: (planId) => goodsIndex.giftCardById.get(planId),
  searchGiftCards: (environment, filter) => searchGiftCards(goodsIndex.giftCards[environment], filter),
  findEsimPlan: (planId) => findEsim(goodsIndex, planId),
  searchEsims: (environment, filter) => searchEsims(goodsIndex.esims[environment], filter),
  fxRate: (currency) => goodsIndex.rates.get(currency),
};

const endpoint: Endpoint = {
  id: purchaseId,
  merchant_id: 7,
  merchant_code: 'DEMO',
  environment: 'test',
  url: 'https://shop.example/webhooks',
  types: [],
  description: '',
  with_goods: false,
  version: '2026-11-22',
  state: 'enabled',
  reason: null,
  disabled_at: null,
  failures: 0,
  failing_since: null,
  old_secret_ends_at: null,
  created_at: new Date('2026-11-22T09:00:00Z'),
};

const webhookDelivery: WebhookDelivery = {
  id: purchaseId,
  endpoint_id: purchaseId,
  event_id: purchaseId,
  event_type: 'transaction.success',
  state: 'waiting',
  tries: 0,
  due_at: new Date('2026-11-22T09:00:00Z'),
  http_status: null,
  note: null,
  answer: null,
  duration_ms: null,
  tried_at: null,
  created_at: new Date('2026-11-22T09:00:00Z'),
};

const clockMove: ClockMove = {
  advanceS: 0,
  offsetS: 0,
  now: new Date('2026-11-22T09:00:00Z'),
  moved: { purchases: 0, pendingFulfilments: 0, deliveries: 0, webhooks: 0 },
};

const webhooks: ServerDependencies['webhooks'] = {
  create: async () => ({ endpoint, secret: 'whsec_AAAA' }),
  list: async () => [endpoint],
  change: async () => endpoint,
  remove: async () => undefined,
  rotate: async () => ({ endpoint, secret: 'whsec_BBBB' }),
  test: async () => ({ deliveryId: purchaseId, eventId: purchaseId }),
  deliveries: async () => [],
  replay: async () => webhookDelivery,
  replayRange: async () => ({ replayed: 0, next: null }),
};

const batches: ServerDependencies['batches'] = {
  create: async () => ({ kind: 'stored', batch: sampleBatch, isNew: true }),
  list: async () => [sampleBatch],
  find: async () => sampleFound,
  change: async () => sampleFound,
  rows: async () => ({ batch: sampleBatch, rows: [] }),
};

export type Edge = {
  readonly app: FastifyInstance;
  /** Every requested purchase, in order. */
  readonly purchases: { readonly request: PurchaseRequest; readonly mode: PurchaseMode }[];
  readonly filters: PurchasePageRequest[];
  /** Every requested verification. */
  readonly customers: CustomerRequest[];
  readonly logged: { readonly level: string; readonly fields: Record<string, unknown> }[];
  /** A request with valid credentials. */
  send(method: 'GET' | 'POST' | 'PATCH', url: string, body?: unknown): Promise<LightMyRequestResponse>;
};

export const credentials = { 'x-merchant-key': 'oja_test_good', 'x-merchant-secret': secret };

export const airtimeSync = '/v1/transactions/airtime/sync';

export const goodAirtime = {
  merchant: 'DEMO',
  msisdn: '08031234567',
  network: 'mtn',
  amount: '100.00',
  request_ref: 'order-1',
};

export const goodData = { ...goodAirtime, plan_code: 'MTN-1' };

/** `goodAirtime` or the like without some of its fields. */
export function without(body: Record<string, unknown>, ...fields: string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body).filter(([field]) => !fields.includes(field)));
}

function defaults(log: RequestLog): Omit<ServerDependencies, Merged> {
  return {
    merchantCodeTries: { take: async () => undefined },
    qrCodes: { draw: async () => Buffer.from('png') },
    mtnBalances: { find: async () => [] },
    providerCallback: async () => false,
    funding: {
      hasDocument: async () => false,
      hasAccount: async () => false,
      openAccount: async (_caller, { currency }) => aFundingAccount(currency),
      findAccount: async (_caller, currency) => aFundingAccount(currency),
      playDeposit: async () => ({ accountNumber: '9912345678', reference: 'SBX-7-1', deposit: undefined }),
      takeNotice: async () => 'nobody',
    },
    events: { poll: async () => ({ events: [], cursor: 'AAAA', more: false }) },
    webhooks,
    batches,
    isDatabaseAway: () => false,
    health: async () => ({
      health: { ok: true, checks: { database: 'ok', jobs: 'ok' } },
      readiness: { ok: true, checks: { database: 'ok' } },
    }),
    rateLimit: { perS: 0, burst: 0 },
    version: '1.2.3',
    log,
  };
}

/** A test replaces single functions of these. */
type Merged = 'authenticator' | 'catalog' | 'purchases' | 'wallets';

/** Close `app` when the test is done. */
export async function buildEdge(
  overrides: Omit<Partial<ServerDependencies>, Merged> & {
    readonly [Part in Merged]?: Partial<ServerDependencies[Part]>;
  } = {},
  { isHeldToDocument = true } = {},
): Promise<Edge> {
  const purchases: Edge['purchases'] = [];
  const filters: Edge['filters'] = [];
  const customers: Edge['customers'] = [];
  const logged: Edge['logged'] = [];
  const note = (level: string) => (fields: object) =>
    void logged.push({ level, fields: fields as Record<string, unknown> });
  const log: RequestLog = { info: note('info'), warn: note('warn'), error: note('error') };
  const app = await buildServer({
    ...defaults(log),
    ...overrides,
    authenticator: {
      authenticate: async (key, given) => {
        if (given !== secret) return 'unknown';
        if (key === 'oja_test_elsewhere') return 'forbidden';
        return key === 'oja_test_good' ? aPrincipal() : 'unknown';
      },
      merchantExists: async (code) => code === 'OTHER',
      ...overrides.authenticator,
    },
    catalog: { ...catalog, ...overrides.catalog },
    wallets: {
      balance: async () => undefined,
      statement: async () => ({ opening: 0n, closing: 0n, lines: [], next: undefined }),
      statementCsv: async () => Readable.from(['time\r\n']),
      ...overrides.wallets,
    },
    purchases: {
      purchase: async (request, mode) => {
        purchases.push({ request, mode });
        return aPurchase(request, { status: mode === 'sync' ? 'success' : 'pending' });
      },
      order: async ({ reference, product, plan }) => ({
        ...aPurchase({ reference, product, network: product, msisdn: '' }),
        title: plan.title,
        quantity: 1,
      }),
      queryOrder: async (_caller, product, reference) => ({
        ...aPurchase({ reference, product, network: product, msisdn: '' }),
        title: 'A plan',
        quantity: 1,
        goods:
          product === 'ESIM' ? { iccid: '8923400000000000007', lpa: 'LPA:1$host$code' } : { cards: [{}] },
      }),
      requireOrders: () => undefined,
      checkAvailability: async () => ({ fulfillment: 'immediate', detail: 'Available' }),
      advanceTestClock: async (_caller, advanceS) => ({ ...clockMove, advanceS, offsetS: advanceS }),
      findPurchase: async () => undefined,
      findFirstUse: async () => undefined,
      compareWithFirst: async () => undefined,
      listPurchases: async (_caller, filter) => {
        filters.push(filter);
        return { items: [], totalItems: 0, totalPages: 0, nextCursor: undefined };
      },
      verifyBillCustomer: async (request) => {
        customers.push(request);
        return {
          kind: 'verified',
          customer: { name: 'ADA OBI' },
          limits: { min: 10_000n, max: 100_000_000n },
        };
      },
      ...overrides.purchases,
    },
  });
  if (isHeldToDocument) holdToDocument(app);
  const send: Edge['send'] = (method, url, body) =>
    app.inject({
      method,
      url,
      headers: { ...credentials, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return { app, purchases, filters, customers, logged, send };
}

/** Every answer that a test gets from it is checked. */
function holdToDocument(app: FastifyInstance): void {
  const inject = app.inject.bind(app);
  const checked = async (options: InjectOptions): Promise<LightMyRequestResponse> => {
    const response = await inject(options);
    const { statusCode: status, headers, payload: text } = response;
    const { method = 'GET', url, payload } = options;
    const sent = typeof payload === 'string' || Buffer.isBuffer(payload) ? String(payload) : payload;
    await assertAsDocumented({ method, url: String(url), sent, status, headers, text });
    return response;
  };
  app.inject = checked as typeof app.inject;
}

/** The fields that an error body names, in order, each with its reason. */
export function faultsOf(response: LightMyRequestResponse): [field: string, reason: string][] {
  const { errors = [] } = response.json<{ errors?: { field: string; reason: string }[] }>();
  return errors.map(({ field, reason }) => [field, reason]);
}

/** The fields that an error body names, in order. */
export function faultyFields(response: LightMyRequestResponse): string[] {
  return (response.json<{ errors?: { field: string }[] }>().errors ?? []).map((fault) => fault.field);
}
