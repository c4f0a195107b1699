/**
 * POST /v1/giftcards/redeem: a voucher that was issued for the merchant becomes an eSIM. The order
 * is one of POST /v1/esim/orders in all the rest.
 */

import { requireActive } from '../../../../merchants/require-active.ts';
import { readVoucherCode } from '../../../../vouchers/voucher-code.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { requireEsim } from '../../../plumbing/esim-fields.ts';
import { redeemFieldNames } from '../../../plumbing/fault-words.ts';
import { esimOrderAnswer, orderEnvelope } from '../../../plumbing/order-answer.ts';
import { refuseField } from '../../../plumbing/refusal.ts';
import { refusalAnswers } from '../../../plumbing/refusals.ts';
import { spellIds } from '../../../plumbing/spell-ids.ts';
import { redeemBody } from './schema.ts';

export function registerRedeemRoute(
  api: Api,
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
  const config = { fieldNames: redeemFieldNames, creates: true } as const;
  const preValidation = async ({ body }: { body: unknown }): Promise<void> => spellIds(body, ['plan']);
  api.post('/v1/giftcards/redeem', { schema, config, preValidation }, async (request) => {
    const principal = principalOf(request);
    requireActive(principal);
    requireOrders(principal, 'ESIM');
    const { request_id: reference, code, plan: planId } = request.body;
    const voucherCode = readVoucherCode(code);
    if (voucherCode === undefined) {
      throw refuseField('code', 'code is mistyped: it must be 16 letters and digits, as issued');
    }
    const plan = requireEsim(goods, principal, planId, 'plan');
    const order = await vending.order({ product: 'ESIM', principal, reference, plan, voucherCode });
    request.vendReference = order.id;
    return orderEnvelope(order);
  });
}
