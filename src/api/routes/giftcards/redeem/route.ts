/**
 * POST /v1/giftcards/redeem: turns a voucher of the merchant into an eSIM. In every other way the
 * order is one of POST /v1/esim/orders.
 */
import { Type } from 'typebox';
import { requireActive } from '../../../../merchants/require-enabled.ts';
import { readVoucherCode } from '../../../../wallet/vouchers/voucher-code.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { esimPlanId, esimRequestId, requireEsim, unknownEsimPlan } from '../../../plumbing/esim-fields.ts';
import { redeemFieldNames } from '../../../plumbing/field-names.ts';
import { bodyOptions } from '../../../plumbing/fields.ts';
import { callerOf } from '../../../plumbing/inner-requests.ts';
import { shown } from '../../../plumbing/openapi/annotations.ts';
import { orderRefusals } from '../../../plumbing/openapi/order-refusals.ts';
import { esimOrderAnswer, orderEnvelope } from '../../../plumbing/order-answer.ts';
import { type Refusal, refuseField } from '../../../plumbing/refusal.ts';
import { type ReadSent, readSent } from '../../../plumbing/sent-fields.ts';
import { spellIds } from '../../../plumbing/spell-ids.ts';

const redeemBody = Type.Object(
  {
    request_id: esimRequestId,
    code: Type.String({
      description: 'the code of one of your vouchers, such as "4F7K-9QXM-2D8H-B3TG"',
      minLength: 1,
      maxLength: 64,
      examples: ['4F7K-9QXM-2D8H-B3TG'],
    }),
    pin: Type.Optional(
      Type.String({ description: 'absent or empty: a voucher has no PIN', maxLength: 0, examples: [''] }),
    ),
    product: Type.String({
      description: 'ESIM: a voucher is redeemed into an eSIM',
      pattern: '^[Ee][Ss][Ii][Mm]$',
      'x-words': ['ESIM'],
      examples: ['ESIM'],
    }),
    plan: esimPlanId,
  },
  {
    ...bodyOptions,
    title: 'RedeemBody',
    'x-examples': {
      voucher: {
        request_id: 'esim-20261121-0002',
        code: '4F7K-9QXM-2D8H-B3TG',
        product: 'ESIM',
        plan: 'NG-1GB-7D',
      },
    },
  },
);

export function registerRedeemRoute(
  api: Api,
  { catalog, purchases }: Pick<ServerDependencies, 'catalog' | 'purchases'>,
): void {
  const schema = {
    operationId: 'redeemVoucher',
    summary: 'Redeem a voucher into an eSIM',
    description:
      'The voucher pays the current quote, and the rest of its value is credited to the wallet. Usually answers 02: look the order up ' +
      'at GET /v1/esim/orders/{request_id}. If the order fails, the voucher can be redeemed again.',
    tags: ['Gift cards'],
    body: redeemBody,
    response: { 200: esimOrderAnswer },
    refusals: [
      ...orderRefusals('ESIM'),
      unknownEsimPlan,
      shown('mistyped_code', mistyped()),
      { code: 'no_such_voucher' },
      { code: 'plan_above_voucher', role: 'plan', price: 13_876_60n, value: 10_000_00n },
      { code: 'no_exchange_rate', currency: 'USD' },
    ] as const,
  };
  const creates: ReadSent = (body) =>
    readSent(body, { product: ['product'], plan: ['plan'], voucher: ['code'] });
  const config = { fieldNames: redeemFieldNames, creates };
  const preValidation = async ({ body }: { body: unknown }): Promise<void> => spellIds(body, ['plan']);
  api.post('/v1/giftcards/redeem', { schema, config, preValidation }, async (request) => {
    const principal = principalOf(request);
    requireActive(principal);
    purchases.requireOrders(principal, 'ESIM');
    const { request_id: reference, code, plan: planId } = request.body;
    const voucherCode = readVoucherCode(code);
    if (voucherCode === undefined) throw mistyped();
    const plan = requireEsim(catalog, principal, planId, 'plan');
    const redeemed = { product: 'ESIM', principal, reference, plan, voucherCode } as const;
    const order = await purchases.order(redeemed, callerOf(request));
    request.purchaseReference = order.id;
    return orderEnvelope(order);
  });
}

function mistyped(): Refusal {
  return refuseField(
    'code',
    'voucher_code_malformed',
    'code is mistyped: it must be 16 letters and digits, as issued',
  );
}
