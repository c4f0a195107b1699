/**
 * A panel of the family `msorg`, below `/panel/msorg`. It ignores the caller's reference, leaves it
 * out of its records, calls airtime successful whatever the network said, and changes it to failed
 * when the order settles. A path without its final slash is redirected.
 */
import type { FastifyPluginAsync } from 'fastify';
import type { Simulation } from '../account.ts';
import type { Order } from '../books.ts';
import { delayCalls, json, type Reply, type WithQuery } from '../http.ts';
import { holdBack, spoil, type Words } from '../misbehave.ts';
import { nairaText, parseNaira } from '../naira.ts';
import {
  buy,
  EXAM_PRICE,
  fieldsOf,
  goodsOf,
  isVisible,
  moved,
  nameOf,
  openPanel,
  PANEL_KEY,
  type Panel,
  type PanelProduct,
  PLANS,
  page404,
  priceOf,
  saidOf,
  textOf,
  verify,
} from './panel.ts';

const error = (text: string, status = 400): Reply => json({ error: [text] }, status);

const words: Words = {
  odd: { error: 'Something went wrong' },
  noAccess: json({ detail: 'Invalid token.' }, 401),
  floatOut: error("You can't topup due to insufficient balance ₦0.0"),
  billerDown: error('This plan is not available at the moment'),
  unauthorized: json({ detail: 'Invalid token.' }, 401),
  rateLimited: json({ detail: 'Request was throttled.' }, 429),
  stranger: (proper) => ({ ...(proper as object), mobile_number: '08099999999' }),
  otherAmount: (proper) => ({ ...(proper as object), amount: '1' }),
};

const STATUS = { success: 'successful', pending: 'processing', failed: 'failed' } as const;

const RECIPIENTS: Readonly<Record<string, string>> = {
  CABLE: 'smart_card_number',
  ELECTRICITY: 'meter_number',
};

/** Balances are floats. */
function float(naira: string | undefined): number {
  return Number(naira) - 1e-9;
}

function row(order: Order): Record<string, unknown> {
  const { detail } = order;
  const said = saidOf(order);
  const { token, units, pin, serial } = goodsOf(order);
  return {
    id: Number(detail.id),
    ident: `Data${detail.id}x`,
    network: Number(detail.network),
    [RECIPIENTS[order.product] ?? 'mobile_number']: order.recipient,
    ...(detail.plan === '' ? { amount: nairaText(order.amount) } : {}),
    ...(order.product === 'data' && { plan: Number(detail.plan), plan_name: `${detail.plan}` }),
    ...(order.product === 'CABLE' && { cableplan: Number(detail.plan) }),
    paid_amount: float(nairaText(order.cost)),
    balance_before: float(detail.before),
    balance_after: float(detail.after),
    Status: STATUS[said],
    create_date: new Date(order.acceptedAt.getTime() + 3_600_000).toISOString().replace('Z', '000'),
    api_response: said === 'failed' ? 'The network refused it' : 'You have bought it',
    ...(token !== undefined && { token, units }),
    ...(pin !== undefined && { pins: [{ pin, serial }] }),
    Ported_number: true,
  };
}

const PAGE_SIZE = 20;

export const msorgRoutes: FastifyPluginAsync<Simulation> = async (app, simulation) => {
  const panel: Panel = openPanel('panel-msorg', simulation, {
    words,
    liesAboutAirtime: true,
    reply: (order) => json(row(order), 201),
    repeated: () => error('already exist'),
  });
  app.addHook('onClose', async () => panel.account.close());
  delayCalls(app, simulation.settings.latencyMs);
  app.addHook('preHandler', ({ headers }, reply, done) => {
    if (headers.authorization === `Token ${PANEL_KEY}`) done();
    else reply.send(words.unauthorized);
  });

  const order = (
    path: string,
    product: PanelProduct,
    read: (fields: ReturnType<typeof fieldsOf>) => Reading,
  ): void => {
    app.post(`/api/${path}/`, ({ body }) => {
      const fields = fieldsOf(body);
      const invalid = json({ network: ['This field is required.'] }, 400);
      return buy(panel, { product, network: textOf(fields.network), ...read(fields) }, invalid);
    });
    app.post(`/api/${path}`, () => moved);
    app.get<WithQuery>(`/api/${path}/`, ({ query }) =>
      list(panel, product, Number(query.get('page') ?? '1')),
    );
    app.get<{ Params: { id: string } }>(`/api/${path}/:id`, ({ params }) => one(panel, product, params.id));
  };
  order('topup', 'airtime', (fields) => ({
    recipient: textOf(fields.mobile_number),
    amount: parseNaira(fields.amount),
  }));
  order('data', 'data', (fields) => ({
    recipient: textOf(fields.mobile_number),
    amount: priceOf(fields.plan),
    plan: textOf(fields.plan),
  }));
  order('cablesub', 'CABLE', (fields) => ({
    recipient: textOf(fields.smart_card_number),
    amount: priceOf(fields.cableplan),
    plan: textOf(fields.cableplan),
    network: textOf(fields.cablename),
  }));
  order('billpayment', 'ELECTRICITY', (fields) => ({
    recipient: textOf(fields.meter_number),
    amount: parseNaira(fields.amount),
    network: textOf(fields.disco_name),
    isPrepaid: textOf(fields.MeterType) === '1',
  }));
  order('epin', 'EDUCATION', (fields) => ({
    recipient: 'exam',
    amount: EXAM_PRICE,
    network: textOf(fields.exam_name),
  }));

  app.get<WithQuery>('/api/validateiuc', ({ query }) =>
    customer(panel, 'CABLE', query.get('smart_card_number')),
  );
  app.get<WithQuery>('/api/validatemeter', ({ query }) =>
    customer(panel, 'ELECTRICITY', query.get('meternumber')),
  );
  app.get('/api/user/', () =>
    json({ user: { Account_Balance: float(nairaText(panel.account.balance())) }, Dataplans: {} }),
  );
  app.get('/api/network/', () =>
    json(
      Object.fromEntries(
        ['MTN_PLAN', 'GLO_PLAN', 'AIRTEL_PLAN', '9MOBILE_PLAN'].map((name) => [name, plans()]),
      ),
    ),
  );
  app.setNotFoundHandler(() => page404);
};

type Reading = {
  readonly recipient: string;
  readonly amount: bigint | undefined;
  readonly plan?: string;
  readonly network?: string;
  readonly isPrepaid?: boolean;
};

function plans(): readonly unknown[] {
  return PLANS.map(([id, size]) => ({
    id,
    plan: size,
    plan_type: 'SME',
    month_validate: '30 days',
    plan_amount: `${id}.0`,
  }));
}

async function list({ account }: Panel, product: PanelProduct, page: number): Promise<Reply> {
  const fault = account.fault('list', '');
  await holdBack(fault);
  const orders = (await account.storedOrders())
    .filter((order) => order.product === product && isVisible(order))
    .toReversed();
  const results = orders.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE).map(row);
  const reply: Reply =
    results.length === 0 && page > 1
      ? json({ detail: 'Invalid page.' }, 404)
      : json({ count: orders.length, next: null, previous: null, results });
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

async function one({ account }: Panel, product: PanelProduct, id: string): Promise<Reply> {
  const order = await account.find(id);
  const isKnown = order !== undefined && order.product === product && isVisible(order);
  const fault = account.fault('requery', order?.recipient ?? '');
  await holdBack(fault);
  const reply = isKnown ? json(row(order)) : json({ detail: 'Not found.' }, 404);
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

function customer(panel: Panel, product: 'CABLE' | 'ELECTRICITY', recipient: string | null): Promise<Reply> {
  const name = nameOf(product, recipient ?? '');
  return verify(panel, recipient ?? '', json({ invalid: name === undefined, name: name ?? 'INVALID' }));
}
