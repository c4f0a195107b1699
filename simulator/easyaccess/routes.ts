/**
 * EasyAccess's paths below `/easyaccess/api`: data under `live/v1`, airtime and the balance in the
 * old API, whose `success` is a boolean or a text.
 */
import type { FastifyPluginAsync } from 'fastify';
import { Account, type Simulation } from '../account.ts';
import type { Order } from '../books.ts';
import { type DemoPlan, readDemoPlans } from '../catalog.ts';
import type { Fault } from '../faults.ts';
import { delayCalls, json, notFound, type Reply, type WithQuery } from '../http.ts';
import { executes, fateOf, holdBack, spoil } from '../misbehave.ts';
import { nairaText, parseNaira } from '../naira.ts';
import { airtimeReply, airtimeWords, dataReply, dataWords, failed, queryReply, statusOf } from './replies.ts';

const TOKEN = 'simulator-easyaccess-token';

type EasyAccess = { readonly account: Account; readonly plans: ReadonlyMap<string, DemoPlan> };
type Fields = Readonly<Record<string, unknown>>;

const NETWORKS = ['MTN', 'GLO', 'AIRTEL', '9MOBILE'];
const MOBILE = /^0[789][01]\d{8}$/;

export const easyAccessRoutes: FastifyPluginAsync<Simulation> = async (app, simulation) => {
  const account = new Account('easyaccess', simulation, webhook);
  const plans = new Map<string, DemoPlan>();
  for (const plan of await readDemoPlans()) {
    const code = plan.codes.vtpass?.variation_code;
    if (plan.product === 'data' && code !== undefined) plans.set(code, plan);
  }
  const easyAccess: EasyAccess = { account, plans };
  app.addHook('onClose', async () => account.close());
  delayCalls(app, simulation.settings.latencyMs);
  app.setNotFoundHandler(() => notFound);
  await app.register(async (own) => {
    own.addHook('preHandler', ({ headers }, reply, done) => {
      if (headers.authorization === `Bearer ${TOKEN}`) done();
      else reply.send(failed('Unauthorized', 401));
    });
    own.get<WithQuery>('/api/live/v1/get-plans', ({ query: asked }) =>
      listPlans(easyAccess, asked.get('product_type')),
    );
    own.post('/api/live/v1/purchase-data', ({ body }) => buyData(easyAccess, fieldsOf(body)));
    own.post('/api/live/v1/query-transactions', ({ body }) => query(easyAccess, fieldsOf(body)));
  });
  await app.register(async (own) => {
    own.addHook('preHandler', ({ headers }, reply, done) => {
      if (headers.authorizationtoken === TOKEN) done();
      else reply.send(json({ success: 'false', message: 'Invalid Authorization Token' }));
    });
    own.post('/api/airtime.php', ({ body }) => buyAirtime(easyAccess, fieldsOf(body)));
    own.get('/api/wallet_balance.php', () =>
      json({ success: 'true', balance: nairaText(account.balance()) }),
    );
  });
};

function fieldsOf(body: unknown): Fields {
  return typeof body === 'object' && body !== null ? (body as Fields) : {};
}

/** Its types of product are those of VTpass. */
function listPlans({ plans }: EasyAccess, type: string | null): Reply {
  const rows = [...plans]
    .filter(([, { codes }]) => codes.vtpass?.service_id === type)
    .map(([code, { name, price }]) => ({
      plan_id: code,
      name,
      price: price === undefined ? '' : nairaText(costOf(price)),
      validity: '',
    }));
  return rows.length === 0
    ? failed('Invalid product type')
    : json({ code: 200, status: 'success', data: rows });
}

async function buyData({ account, plans }: EasyAccess, fields: Fields): Promise<Reply> {
  const { network, dataplan, mobileno, client_reference, max_amount_payable } = fields;
  const plan = plans.get(String(dataplan));
  const isOfNetwork = plan !== undefined && NETWORKS[Number(network) - 1] === plan.network;
  if (plan?.price === undefined || !isOfNetwork) return failed('Invalid plan');
  if (typeof client_reference !== 'string' || !MOBILE.test(String(mobileno))) return failed('Invalid number');
  const cost = costOf(plan.price);
  const limit = parseNaira(max_amount_payable);
  if (limit !== undefined && cost > limit) return failed('Price is above max_amount_payable');
  const fault = account.fault('pay', String(mobileno));
  const order = orderOf('data', client_reference, String(mobileno), plan.price, fault);
  await holdBack(fault);
  if (fault === undefined || executes(fault)) {
    const outcome = await account.take(order);
    if (outcome === 'float_out') return dataWords.floatOut;
    // A used reference is answered like any refusal.
    if (outcome === 'used') return failed('Duplicate transaction');
  }
  const reply = dataReply(order);
  return fault === undefined ? reply : spoil(fault, reply, dataWords, account.settings.timeoutMs);
}

async function buyAirtime({ account }: EasyAccess, fields: Fields): Promise<Reply> {
  const { network, amount: given, mobileno, airtime_type, client_reference } = fields;
  const amount = parseNaira(given);
  const isKnown = ['01', '02', '03', '04'].includes(String(network)) && airtime_type === '001';
  if (!isKnown || amount === undefined || typeof client_reference !== 'string') return airtimeReply(false);
  if (!MOBILE.test(String(mobileno))) return airtimeReply(false);
  const fault = account.fault('pay', String(mobileno));
  const order = orderOf('airtime', client_reference, String(mobileno), amount, fault);
  await holdBack(fault);
  if (fault === undefined || executes(fault)) {
    if ((await account.take(order)) !== 'taken') return airtimeReply(false);
  }
  const reply = airtimeReply(order.status === 'delivered', order);
  return fault === undefined ? reply : spoil(fault, reply, airtimeWords, account.settings.timeoutMs);
}

async function query({ account }: EasyAccess, { reference }: Fields): Promise<Reply> {
  const order = account.orders().find(({ detail }) => detail.reference === reference);
  const fault = account.fault('requery', order?.recipient ?? '');
  await holdBack(fault);
  const reply = order === undefined ? failed('Transaction not found') : queryReply(order);
  return fault === undefined ? reply : spoil(fault, reply, dataWords, account.settings.timeoutMs);
}

function costOf(price: bigint): bigint {
  return (price * 97n) / 100n;
}

let ordersTaken = 0;

function orderOf(
  product: 'airtime' | 'data',
  reference: string,
  recipient: string,
  amount: bigint,
  fault: Fault | undefined,
): Order {
  const now = new Date();
  ordersTaken += 1;
  return {
    provider: 'easyaccess',
    reference,
    product,
    recipient,
    amount,
    cost: costOf(amount),
    acceptedAt: now,
    ...fateOf(fault, now),
    detail: { reference: `EA${now.getTime()}${ordersTaken}` },
  };
}

/** Unsigned. */
function webhook(order: Order): { body: Fields; isAccepted: (response: Response) => Promise<boolean> } {
  return {
    body: {
      status: statusOf(order),
      message: 'Transaction updated',
      client_reference: order.reference,
      reference: order.detail.reference,
      transaction_date: (order.finalAt ?? order.acceptedAt).toISOString(),
    },
    isAccepted: async (response) => response.ok,
  };
}
