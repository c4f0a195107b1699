/** POST /v1/esim/orders, GET /v1/esim/orders/{request_id} and its QR code: an eSIM is bought, and looked up until it is issued. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { GatewayError } from '../../../kernel/errors.ts';
import type { Order } from '../../../vending/orders/order.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { callerOf } from '../../plumbing/authenticate.ts';
import { acceptAnyContentType, readJsonBody } from '../../plumbing/json-body.ts';
import { orderEnvelope, orderGoods } from '../../plumbing/order-envelopes.ts';
import {
  type EsimOrderBody,
  esimOrderAnswer,
  esimOrderBody,
  esimOrderParams,
} from '../../plumbing/order-schemas.ts';
import { requireEsim } from '../../plumbing/read-goods.ts';
import { refusalAnswers } from '../../plumbing/refusals.ts';

type Dependencies = Pick<ServerDependencies, 'goods' | 'requireOrders' | 'vending' | 'drawQrCode'>;
type OrderRoute = { Params: Static<typeof esimOrderParams> };

const tags = ['eSIM'];

export function registerEsimOrderRoutes(app: FastifyInstance, dependencies: Dependencies): void {
  registerCreate(app, dependencies);
  const find = async (request: FastifyRequest<OrderRoute>): Promise<Order> => {
    const { request_id: reference } = request.params;
    const order = await dependencies.vending.askOrder(callerOf(request), 'ESIM', reference);
    if (order === undefined) throw new GatewayError('not_found', 'No order of an eSIM with this request_id');
    request.vendReference = order.id;
    return order;
  };
  const schema = {
    summary: 'Look up an order of an eSIM',
    description: 'Asks the provider while the order is pending.',
    tags,
    params: esimOrderParams,
    response: { 200: esimOrderAnswer, ...refusalAnswers(400, 404) },
  };
  app.get<OrderRoute>('/v1/esim/orders/:request_id', { schema }, async (request) =>
    orderEnvelope(await find(request)),
  );
  registerQrCode(app, dependencies, find);
}

function registerCreate(app: FastifyInstance, { goods, requireOrders, vending }: Dependencies): void {
  const schema = {
    summary: 'Buy an eSIM',
    description:
      'Usually answers 02: look the order up until it is 00 or 01. The wallet pays the quote of this moment.',
    tags,
    body: esimOrderBody,
    response: { 200: esimOrderAnswer, ...refusalAnswers(400, 404, 422) },
  };
  const preValidation = async (request: FastifyRequest): Promise<void> => {
    request.body = readJsonBody(request);
  };
  app.post<{ Body: EsimOrderBody }>(
    '/v1/esim/orders',
    { schema, onRequest: acceptAnyContentType, preValidation },
    async (request) => {
      const caller = callerOf(request);
      requireOrders(caller, 'ESIM');
      const { request_id: reference, plan_id: planId } = request.body;
      const plan = requireEsim(goods, caller, planId);
      const order = await vending.order({ product: 'ESIM', caller, reference, plan });
      request.vendReference = order.id;
      return orderEnvelope(order);
    },
  );
}

function registerQrCode(
  app: FastifyInstance,
  { drawQrCode }: Dependencies,
  find: (request: FastifyRequest<OrderRoute>) => Promise<Order>,
): void {
  const schema = {
    summary: 'The QR code that installs an eSIM',
    description: 'A PNG of the LPA text. 404 until the order is a success and the eSIM is issued.',
    tags,
    params: esimOrderParams,
    response: {
      200: {
        description: 'The QR code.',
        content: { 'image/png': { schema: { type: 'string', format: 'binary' } } },
      },
      ...refusalAnswers(400, 404),
    },
  };
  app.get<OrderRoute>('/v1/esim/orders/:request_id/qrcode', { schema }, async (request, reply) => {
    const { lpa } = orderGoods(await find(request));
    if (typeof lpa !== 'string') {
      throw new GatewayError(
        'not_found',
        'There is no QR code before the order is a success: look it up again',
      );
    }
    const png = await drawQrCode(lpa);
    return await reply.type('image/png').header('cache-control', 'private, no-store').send(png);
  });
}
