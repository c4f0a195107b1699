/**
 * Flutterwave's bills below `/flutterwave-bills/v3`: airtime, data, electricity and cable. Traps: a
 * pending order is called a success without a code, a bill of electricity may come without its
 * token, every second record has no status, a failure has an undocumented status, and an unknown
 * order has no distinct answer.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import { Account, type Simulation } from '../account.ts';
import type { Order } from '../books.ts';
import { type DemoPlan, readDemoPlans } from '../catalog.ts';
import { findCustomer, isPlausible } from '../customers.ts';
import type { Fault } from '../faults.ts';
import { delayCalls, type Reply, type WithQuery } from '../http.ts';
import { executes, fateOf, holdBack, spoil } from '../misbehave.ts';
import { nairaNumber, parseNaira } from '../naira.ts';
import { good, historyRow, paymentData, recordOf, refusal, webhook, words } from './replies.ts';

const KEY = 'Bearer FLWSECK_TEST-simulator';
const PER_PAGE = 10;

/** A biller: its products and customers. Electricity is sold under the kinds of meters. */
const BILLERS: ReadonlyMap<string, { readonly product: string; readonly network: string }> = new Map([
  ['BIL099', { product: 'airtime', network: 'MTN' }],
  ['BIL108', { product: 'data', network: 'MTN' }],
  ['BIL119', { product: 'CABLE', network: 'DSTV' }],
  ['BILSIM', { product: 'ELECTRICITY', network: 'Ikeja Electric' }],
]);

type Bills = { readonly account: Account; readonly plans: readonly DemoPlan[] };
type Item = { readonly code: string; readonly name: string; readonly price: bigint };

export const flutterwaveBillRoutes: FastifyPluginAsync<Simulation> = async (app, simulation) => {
  const account = new Account('flutterwave-bills', simulation, webhook);
  const bills: Bills = { account, plans: await readDemoPlans() };
  app.addHook('onClose', async () => account.close());
  delayCalls(app, simulation.settings.latencyMs);
  app.addHook('preHandler', ({ headers }, reply, done) => {
    if (headers.authorization === KEY) done();
    else reply.send(words.unauthorized);
  });
  app.post<{ Params: { readonly biller: string; readonly item: string } }>(
    '/billers/:biller/items/:item/payment',
    ({ params, body }) => pay(bills, params.biller, params.item, body),
  );
  app.get<{ Params: { readonly biller: string } }>('/billers/:biller/items', ({ params }) =>
    good('bill items', itemsOf(bills, params.biller).map(itemFields)),
  );
  app.get<WithQuery & { Params: { readonly item: string } }>(
    '/bill-items/:item/validate',
    ({ params, query }) => validate(bills, params.item, query),
  );
  app.get<WithQuery>('/bills/history', ({ query }) => history(bills, query));
  app.get<{ Params: { readonly id: string } }>('/bills/:id', ({ params }) => status(bills, params.id));
  app.get('/balances', () =>
    good('Wallet balances fetched', [
      { currency: 'USD', available_balance: 0, ledger_balance: 0 },
      { currency: 'NGN', available_balance: nairaNumber(account.balance()), ledger_balance: 0 },
    ]),
  );
  app.setNotFoundHandler(() => refusal('Not Found', 404));
};

function itemsOf({ plans }: Bills, billerCode: string): readonly Item[] {
  const biller = BILLERS.get(billerCode);
  switch (biller?.product) {
    case undefined:
      return [];
    case 'airtime':
      return [{ code: 'AT099', name: 'MTN', price: 0n }];
    case 'ELECTRICITY':
      return ['prepaid', 'postpaid'].map((code) => ({ code, name: code, price: 0n }));
    default:
      return plans
        .filter(({ product, network }) => product === biller?.product && network === biller.network)
        .flatMap(({ name, price = 0n, codes }) => {
          const code = codes.vtpass?.variation_code;
          return code === undefined ? [] : [{ code, name, price }];
        });
  }
}

function itemFields({ code, name, price }: Item): Record<string, unknown> {
  return { item_code: code, name, short_name: name, amount: nairaNumber(price), fee: 0, country: 'NG' };
}

async function pay(bills: Bills, billerCode: string, itemCode: string, body: unknown): Promise<Reply> {
  const { account } = bills;
  const fields = (body ?? {}) as Readonly<Record<string, unknown>>;
  const biller = BILLERS.get(billerCode);
  const item = itemsOf(bills, billerCode).find(({ code }) => code === itemCode);
  const reference = String(fields.reference ?? '');
  const recipient = String(fields.customer_id ?? '');
  const amount = typeof fields.amount === 'number' ? parseNaira(fields.amount) : undefined;
  if (biller === undefined || item === undefined) return refusal('Invalid biller or item');
  if (fields.country !== 'NG') return refusal('country is required');
  if (amount === undefined || amount === 0n) return refusal('Invalid amount');
  if (!isServed(biller.product, recipient, itemCode)) return refusal('Invalid customer id');
  const fault = account.fault('pay', recipient);
  await holdBack(fault);
  if (fault?.fault === 'refused') return refusal('validation error: the customer cannot be served');
  const order = newOrder({ product: biller.product, reference, recipient, amount }, itemCode, fault);
  if (fault === undefined || executes(fault)) {
    const outcome = await account.take(order);
    if (outcome === 'float_out') return words.floatOut;
    if (outcome === 'used') return refusal('Duplicate reference');
  }
  const reply = good('Bill payment successful', paymentData(order, new Date()));
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

function isServed(product: string, recipient: string, itemCode: string): boolean {
  if (product === 'ELECTRICITY') return findCustomer(product, recipient, itemCode)?.canVend === true;
  if (product === 'CABLE') return findCustomer(product, recipient, 'DSTV') !== undefined;
  return /^0[789][01]\d{8}$/.test(recipient);
}

function newOrder(
  bought: Pick<Order, 'product' | 'reference' | 'recipient' | 'amount'>,
  itemCode: string,
  fault: Fault | undefined,
): Order {
  const now = new Date();
  return {
    provider: 'flutterwave-bills',
    ...bought,
    cost: bought.amount,
    acceptedAt: now,
    ...fateOf(fault, now),
    detail: { itemCode, txRef: `CF-FLYAPI-${now.getTime()}${randomUUID().slice(0, 8)}` },
  };
}

/** By our reference or by the `tx_ref`. */
async function status({ account }: Bills, id: string): Promise<Reply> {
  const order = (await account.find(id)) ?? account.orders().find(({ detail }) => detail.txRef === id);
  const fault = account.fault('requery', order?.recipient ?? '');
  await holdBack(fault);
  const isVisible = order !== undefined && (order.visibleAt === undefined || order.visibleAt <= new Date());
  const reply = isVisible
    ? good('Bill status fetch successful', recordOf(order, new Date()))
    : refusal('An error occurred');
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

/** Newest first. */
async function history({ account }: Bills, query: URLSearchParams): Promise<Reply> {
  const day = (at: Date): string => at.toISOString().slice(0, 10);
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '9'];
  const all = (await account.storedOrders())
    .filter(({ acceptedAt }) => day(acceptedAt) >= from && day(acceptedAt) <= to)
    .toReversed();
  const page = Math.max(1, Number(query.get('page') ?? 1));
  const rows = all.slice((page - 1) * PER_PAGE, page * PER_PAGE).map(historyRow);
  const page_info = {
    total: all.length,
    current_page: page,
    total_pages: Math.ceil(all.length / PER_PAGE),
  };
  const fault = account.fault('list', '');
  const reply = good('Bills history', rows, { page_info });
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

async function validate({ account }: Bills, itemCode: string, query: URLSearchParams): Promise<Reply> {
  const recipient = query.get('customer') ?? '';
  const product = BILLERS.get(query.get('code') ?? '')?.product;
  const fault = account.fault('verify', recipient);
  await holdBack(fault);
  const isBill = product === 'ELECTRICITY' || product === 'CABLE';
  const as = product === 'CABLE' ? 'DSTV' : itemCode;
  const customer =
    isBill && isPlausible(product, recipient) ? findCustomer(product, recipient, as) : undefined;
  const reply =
    customer === undefined || fault?.fault === 'refused'
      ? refusal('Invalid customer id')
      : good('Item validated successfully', {
          response_code: '00',
          response_message: 'Successful',
          name: customer.name,
          address: customer.address,
          biller_code: query.get('code'),
          customer: recipient,
          product_code: itemCode,
          email: null,
          fee: 0,
          maximum: 0,
          minimum: product === 'ELECTRICITY' ? 500 : 0,
        });
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}
