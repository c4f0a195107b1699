/** POST /v1/giftcards/redeem: a voucher that was issued for the merchant becomes an eSIM. The order is one of POST /v1/esim/orders in all the rest. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { invalidField } from '../../../kernel/errors.ts';
import { readVoucherCode } from '../../../vouchers/voucher-code.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { callerOf } from '../../plumbing/authenticate.ts';
import { acceptAnyContentType, readJsonBody } from '../../plumbing/json-body.ts';
import { orderEnvelope } from '../../plumbing/order-envelopes.ts';
import { esimOrderAnswer, type RedeemBody, redeemBody } from '../../plumbing/order-schemas.ts';
import { requireEsim } from '../../plumbing/read-goods.ts';
import { refusalAnswers } from '../../plumbing/refusals.ts';

export function registerRedeemRoute(
  app: FastifyInstance,
  { goods, requireOrders, vending }: Pick<ServerDependencies, 'goods' | 'requireOrders' | 'vending'>,
): void {
  const schema = {
    summary: 'Redeem a voucher into an eSIM',
    description:
      'The voucher pays the quote of this moment, and the wallet is credited with what is left of its value. Usually answers 02: look the order up ' +
      'at GET /v1/esim/orders/{request_id}. A voucher can be redeemed again when the order it was taken for has failed.',
    tags: ['Gift cards'],
    body: redeemBody,
    response: { 200: esimOrderAnswer, ...refusalAnswers(400, 404, 422) },
  };
  const preValidation = async (request: FastifyRequest): Promise<void> => {
    request.body = readJsonBody(request);
  };
  app.post<{ Body: RedeemBody }>(
    '/v1/giftcards/redeem',
    { schema, onRequest: acceptAnyContentType, preValidation },
    async (request) => {
      const caller = callerOf(request);
      requireOrders(caller, 'ESIM');
      const { request_id: reference, code, plan: planId } = request.body;
      const voucherCode = readVoucherCode(code);
      if (voucherCode === undefined) {
        throw invalidField('code', 'code is mistyped: it must be 16 letters and digits, as issued');
      }
      const plan = requireEsim(goods, caller, planId, 'plan');
      const order = await vending.order({ product: 'ESIM', caller, reference, plan, voucherCode });
      request.vendReference = order.id;
      return orderEnvelope(order);
    },
  );
}
