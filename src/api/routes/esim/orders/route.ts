/**
 * POST /v1/esim/orders, GET /v1/esim/orders/{request_id} and its QR code: buys an eSIM, and looks
 * it up until it is issued.
 */
import type { FastifyRequest } from 'fastify';
import { sharerOf } from '../../../../merchants/merchant.ts';
import { requireActive } from '../../../../merchants/require-enabled.ts';
import type { Order } from '../../../../purchases/orders/order.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { requireEsim, unknownEsim } from '../../../plumbing/esim-fields.ts';
import { orderFieldNames } from '../../../plumbing/field-names.ts';
import { callerOf } from '../../../plumbing/inner-requests.ts';
import { shown } from '../../../plumbing/openapi/annotations.ts';
import { orderRefusals } from '../../../plumbing/openapi/order-refusals.ts';
import { esimOrderAnswer, orderEnvelope, orderGoodsOf } from '../../../plumbing/order-answer.ts';
import { Refusal } from '../../../plumbing/refusal.ts';
import { type ReadSent, readSent } from '../../../plumbing/sent-fields.ts';
import { spellIds } from '../../../plumbing/spell-ids.ts';
import { orderBody, orderParams, qrCodeAnswer } from './schema.ts';

type Dependencies = Pick<ServerDependencies, 'catalog' | 'purchases' | 'qrCodes'>;

const tags = ['eSIM'];
/** Orders of this route have no voucher. */
const creates: ReadSent = (body) => ({
  ...readSent(body, { plan: ['plan_id'] }),
  product: ['ESIM'],
  voucher: [],
});
const config = { fieldNames: orderFieldNames, creates };

export function registerEsimOrderRoutes(api: Api, dependencies: Dependencies): void {
  registerCreate(api, dependencies);
  const schema = {
    operationId: 'getEsimOrder',
    summary: 'Look up an order of an eSIM',
    description: 'Queries the provider while the order is pending.',
    tags,
    params: orderParams,
    response: { 200: esimOrderAnswer },
    refusals: [
      shown('unknown_order', notFound()),
      { code: 'purchases_locked' },
      { code: 'provider_look_ups_full' },
    ] as const,
  };
  api.get('/v1/esim/orders/:request_id', { schema }, async (request) =>
    orderEnvelope(await find(dependencies, request, request.params.request_id)),
  );
  registerQrCode(api, dependencies);
}

function registerCreate(api: Api, { catalog, purchases }: Dependencies): void {
  const schema = {
    operationId: 'createEsimOrder',
    summary: 'Buy an eSIM',
    description:
      'Usually answers 02: look the order up until it is 00 or 01. The wallet pays the current quote.',
    tags,
    body: orderBody,
    response: { 200: esimOrderAnswer },
    refusals: [...orderRefusals('ESIM'), unknownEsim, { code: 'no_exchange_rate', currency: 'USD' }] as const,
  };
  const preValidation = async ({ body }: { body: unknown }): Promise<void> => spellIds(body, ['plan_id']);
  api.post('/v1/esim/orders', { schema, config, preValidation }, async (request) => {
    const principal = principalOf(request);
    requireActive(principal);
    purchases.requireOrders(principal, 'ESIM');
    const { request_id: reference, plan_id: planId } = request.body;
    const plan = requireEsim(catalog, principal, planId);
    const order = await purchases.order({ product: 'ESIM', principal, reference, plan }, callerOf(request));
    request.purchaseReference = order.id;
    return orderEnvelope(order);
  });
}

function registerQrCode(api: Api, dependencies: Dependencies): void {
  const schema = {
    operationId: 'getEsimQrCode',
    summary: 'The QR code that installs an eSIM',
    description: 'A PNG of the LPA text. 404 until the order is a success and the eSIM is issued.',
    tags,
    params: orderParams,
    response: { 200: qrCodeAnswer },
    refusals: [
      shown('unknown_order', notFound()),
      shown('no_qr_code', noQrCode('pending')),
      { code: 'purchases_locked' },
      { code: 'qr_codes_full' },
    ] as const,
  };
  api.get('/v1/esim/orders/:request_id/qrcode', { schema }, async (request, reply) => {
    const order = await find(dependencies, request, request.params.request_id);
    const { lpa } = orderGoodsOf(order);
    if (lpa === undefined) throw noQrCode(order.status);
    const png = await dependencies.qrCodes.draw(sharerOf(principalOf(request)), lpa);
    reply.type('image/png');
    return png;
  });
}

function notFound(): Refusal {
  return new Refusal(404, 'order_unknown', 'No order of an eSIM with this request_id');
}

/** The message of an order without an installation code, by the state of the order. */
const qrCodeMissing: Readonly<Record<Order['status'], string>> = {
  pending: 'There is no QR code until the order is a success: look it up again',
  success: 'The provider has not sent the QR code of this order yet: look it up again',
  failed: 'There is no QR code, because the order failed',
};

function noQrCode(status: Order['status']): Refusal {
  const reason = status === 'failed' ? 'qr_code_never' : 'qr_code_not_ready';
  return new Refusal(404, reason, qrCodeMissing[status]);
}

/** Throws a Refusal, 404. */
async function find({ purchases }: Dependencies, request: FastifyRequest, reference: string): Promise<Order> {
  const order = await purchases.queryOrder(principalOf(request), 'ESIM', reference);
  if (order === undefined) throw notFound();
  request.purchaseReference = order.id;
  return order;
}
