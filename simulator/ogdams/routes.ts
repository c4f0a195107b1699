/**
 * OGDAMS's paths below `/ogdams`. The code in the body decides; the HTTP status is always 200,
 * except for refused keys. There is no query.
 */
import type { FastifyPluginAsync } from 'fastify';
import { Account, type Simulation } from '../account.ts';
import type { Order } from '../books.ts';
import type { Callback } from '../callbacks.ts';
import { type DemoPlan, readDemoPlans } from '../catalog.ts';
import type { Fault } from '../faults.ts';
import { delayCalls, json, notFound, type Reply } from '../http.ts';
import { executes, fateOf, holdBack, spoil, type Words } from '../misbehave.ts';
import { nairaNumber, parseNaira } from '../naira.ts';

const KEY = 'sk_live_simulator';
/** In the order of their numbers, from 1. */
const NETWORKS = ['MTN', 'AIRTEL', 'GLO', '9MOBILE'];
const MOBILE = /^0[789][01]\d{8}$/;

type Fields = Readonly<Record<string, unknown>>;

export const ogdamsRoutes: FastifyPluginAsync<Simulation> = async (app, simulation) => {
  const account = new Account('ogdams', simulation, webhook);
  const plans = new Map<string, DemoPlan>();
  for (const plan of await readDemoPlans()) {
    const code = plan.codes.vtpass?.variation_code;
    if (plan.product === 'data' && code !== undefined) plans.set(code, plan);
  }
  app.addHook('onClose', async () => account.close());
  delayCalls(app, simulation.settings.latencyMs);
  app.setNotFoundHandler(() => notFound);
  app.addHook('preHandler', ({ headers }, reply, done) => {
    if (headers.authorization === `Bearer ${KEY}`) done();
    else reply.send(words.unauthorized);
  });
  app.post('/api/v1/vend/airtime', ({ body }) => {
    const fields = fieldsOf(body);
    const amount = fields.type === 'vtu' ? parseNaira(fields.amount) : undefined;
    return amount === undefined
      ? refusal(400, 'The amount is invalid')
      : vend(account, 'airtime', fields, amount);
  });
  app.post('/api/v1/vend/data', ({ body }) => {
    const fields = fieldsOf(body);
    const plan = plans.get(String(fields.planId));
    const isOfNetwork = plan !== undefined && plan.network === NETWORKS[Number(fields.networkId) - 1];
    return plan?.price === undefined || !isOfNetwork
      ? refusal(422, 'The planId is invalid')
      : vend(account, 'data', fields, plan.price);
  });
  app.get('/api/v1/get/balances', () =>
    json({ status: true, data: { mainBalance: nairaNumber(account.balance()) } }),
  );
  app.get('/api/v4/get/data/plans', () => json({ status: true, data: listOf(plans) }));
};

function fieldsOf(body: unknown): Fields {
  return typeof body === 'object' && body !== null ? (body as Fields) : {};
}

async function vend(
  account: Account,
  product: 'airtime' | 'data',
  { networkId, phoneNumber, reference }: Fields,
  amount: bigint,
): Promise<Reply> {
  if (NETWORKS[Number(networkId) - 1] === undefined) return refusal(422, 'The networkId is invalid');
  if (!MOBILE.test(String(phoneNumber))) return refusal(422, 'The phoneNumber is invalid');
  if (typeof reference !== 'string') return refusal(400, 'Bad request');
  const fault = account.fault('pay', String(phoneNumber));
  const order = orderOf(product, reference, String(phoneNumber), amount, fault);
  await holdBack(fault);
  if (fault === undefined || executes(fault)) {
    const outcome = await account.take(order);
    if (outcome === 'float_out') return words.floatOut;
    // A used reference is answered like any refusal.
    if (outcome === 'used') return refusal(422, 'The reference has already been taken');
  }
  const reply = orderReply(order);
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

function orderReply(order: Order): Reply {
  const { ref } = order.detail;
  if (order.status === 'failed') return refusal(424, 'Transaction failed at the network', ref);
  const isQueued = Number(order.recipient.slice(-1)) % 2 === 0;
  const code = order.status === 'delivered' ? 200 : isQueued ? 201 : 202;
  const msg = code === 200 ? 'Transaction successful' : 'Transaction queued';
  return json({ status: true, code, data: { msg, ref } });
}

function refusal(code: number, msg: string, ref?: string, http = 200): Reply {
  return json({ status: false, code, data: { msg, ...(ref !== undefined && { ref }) } }, http);
}

const words: Words = {
  odd: { status: true, code: 299, data: { msg: 'UNEXPECTED' } },
  noAccess: refusal(403, 'Unauthorized'),
  floatOut: refusal(400, 'Insufficient balance'),
  billerDown: refusal(503, 'Service unavailable'),
  unauthorized: refusal(401, 'Invalid API key', undefined, 401),
  rateLimited: refusal(429, 'Too many requests', undefined, 429),
  bareRefusal: refusal(400, 'Request failed'),
  stranger: (proper) => proper,
};

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
    provider: 'ogdams',
    reference,
    product,
    recipient,
    amount,
    cost: (amount * 98n) / 100n,
    acceptedAt: now,
    ...fateOf(fault, now),
    detail: { ref: `OG${now.getTime()}${ordersTaken}` },
  };
}

/** Each network is a list by its name. The price of the network is missing at times. */
function listOf(plans: ReadonlyMap<string, DemoPlan>): Record<string, object[]> {
  const data: Record<string, object[]> = {};
  for (const [planId, { network, name, price = 0n }] of plans) {
    const own = data[network] ?? [];
    data[network] = own;
    const isOdd = own.length % 2 === 1;
    own.push({
      networkId: NETWORKS.indexOf(network) + 1,
      planId,
      name,
      validity: '1 day',
      currency: 'NGN',
      telcoPrice: isOdd ? null : 0,
      ourPrice: nairaNumber(price),
      type: 'sme',
    });
  }
  return data;
}

/** Unsigned. */
function webhook(order: Order): Callback {
  const isDelivered = order.status === 'delivered';
  const data = { network: 'MTN', msg: isDelivered ? 'Delivered' : 'Failed', reference: order.reference };
  return {
    body: {
      status: isDelivered,
      code: isDelivered ? 200 : 424,
      event: { type: order.product, data },
    },
    isAccepted: async (response) => response.ok,
  };
}
