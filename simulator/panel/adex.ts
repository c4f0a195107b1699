/**
 * A panel of the family `adex`, below `/panel/adex`. A repeated request id is answered like a
 * refusal, and no order can be queried.
 */
import type { FastifyPluginAsync } from 'fastify';
import type { Simulation } from '../account.ts';
import type { Order } from '../books.ts';
import { delayCalls, json, type Reply, type WithQuery } from '../http.ts';
import type { Words } from '../misbehave.ts';
import { nairaNumber, nairaText, parseNaira } from '../naira.ts';
import {
  buy,
  EXAM_PRICE,
  fieldsOf,
  goodsOf,
  nameOf,
  openPanel,
  PANEL_KEY,
  PANEL_LOGIN,
  type PanelProduct,
  page404,
  priceOf,
  saidOf,
  textOf,
  verify,
} from './panel.ts';

const BASIC = `Basic ${Buffer.from(PANEL_LOGIN).toString('base64')}`;

const fail = (message: string): Reply => json({ status: 'fail', message }, 403);

const words: Words = {
  odd: { status: 'queued', message: 'Transaction queued' },
  noAccess: fail('Service Locked'),
  floatOut: fail('Insufficient balance'),
  billerDown: fail('Plan Locked'),
  unauthorized: fail('Invalid Access Token'),
  rateLimited: json({ message: 'Too Many Attempts.' }, 429),
  stranger: (proper) => ({ ...(proper as object), 'request-id': 'a-stranger' }),
  otherAmount: (proper) => ({ ...(proper as object), amount: 1 }),
};

const STATUS = { success: 'success', pending: 'process', failed: 'fail' } as const;

function replyTo(order: Order): Reply {
  const { detail } = order;
  const said = saidOf(order);
  const { token, pin, serial } = goodsOf(order);
  return json({
    network: detail.network,
    'request-id': order.reference,
    transid: `T${detail.id}`,
    amount: nairaNumber(order.amount),
    status: STATUS[said],
    // Made up, as the panel's are.
    message: `successfully purchase ${order.product} to ${order.recipient}`,
    phone_number: order.recipient,
    oldbal: Number(detail.before),
    newbal: said === 'failed' ? Number(detail.before) : Number(detail.after),
    system: 'API',
    plan_type: 'VTU',
    wallet_vending: 'wallet',
    response: said === 'failed' ? 'The network refused it' : 'You have bought it',
    ...(token !== undefined && { token }),
    ...(pin !== undefined && { pin, serial }),
  });
}

export const adexRoutes: FastifyPluginAsync<Simulation> = async (app, simulation) => {
  const panel = openPanel('panel-adex', simulation, {
    words,
    liesAboutAirtime: false,
    reply: replyTo,
    repeated: () => fail('Request ID Exits Before'),
  });
  app.addHook('onClose', async () => panel.account.close());
  delayCalls(app, simulation.settings.latencyMs);
  app.addHook('preHandler', ({ headers, routeOptions }, reply, done) => {
    const isLogin = routeOptions.url?.endsWith('/api/user') === true;
    if (headers.authorization === (isLogin ? BASIC : `Token ${PANEL_KEY}`)) done();
    else reply.send(words.unauthorized);
  });
  const order = (path: string, product: PanelProduct, names: Names, toAmount: ToAmount): void => {
    app.post(path, ({ body }) => {
      const fields = fieldsOf(body);
      const reference = textOf(fields['request-id']);
      if (reference === '') return fail('The request-id field is required.');
      return buy(
        panel,
        {
          product,
          reference,
          recipient: names.recipient === undefined ? 'exam' : textOf(fields[names.recipient]),
          network: textOf(fields[names.network]),
          amount: toAmount(fields),
          isPrepaid: fields.meter_type === 'prepaid',
        },
        fail('Network Id Required'),
      );
    });
  };
  order('/api/topup/', 'airtime', { recipient: 'phone', network: 'network' }, ({ amount }) =>
    parseNaira(amount),
  );
  order('/api/data/', 'data', { recipient: 'phone', network: 'network' }, ({ data_plan: plan }) =>
    priceOf(plan),
  );
  order('/api/cable/', 'CABLE', { recipient: 'iuc', network: 'cable' }, ({ cable_plan: plan }) =>
    priceOf(plan),
  );
  order('/api/bill/', 'ELECTRICITY', { recipient: 'meter_number', network: 'disco' }, ({ amount }) =>
    parseNaira(amount),
  );
  order('/api/exam', 'EDUCATION', { network: 'exam' }, () => EXAM_PRICE);
  const customer = (product: 'CABLE' | 'ELECTRICITY', recipient: string): Promise<Reply> => {
    const name = nameOf(product, recipient);
    return verify(
      panel,
      recipient,
      name === undefined ? fail('Invalid Number') : json({ status: 'success', name }),
    );
  };
  app.get<WithQuery>('/api/cable/cable-validation', ({ query }) => customer('CABLE', query.get('iuc') ?? ''));
  app.get<WithQuery>('/api/bill/bill-validation', ({ query }) =>
    customer('ELECTRICITY', query.get('meter_number') ?? ''),
  );
  app.post('/api/user', () => {
    const grouped = nairaText(panel.account.balance()).replace(/\B(?=(\d{3})+\.)/g, ',');
    return json({ status: 'success', AccessToken: PANEL_KEY, balance: grouped, username: 'simulator' });
  });
  app.setNotFoundHandler(() => page404);
};

type Names = { readonly recipient?: string; readonly network: string };
type ToAmount = (fields: ReturnType<typeof fieldsOf>) => bigint | undefined;
