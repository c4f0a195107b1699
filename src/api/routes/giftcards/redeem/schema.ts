/** The body of a voucher's redemption. It is answered as an order of an eSIM. */
import { Type } from 'typebox';
import { esimPlanId, esimRequestId } from '../../../plumbing/esim-fields.ts';
import { bodyOptions } from '../../../plumbing/fields.ts';

export const redeemBody = Type.Object(
  {
    request_id: esimRequestId,
    code: Type.String({
      description: 'the code of one of your vouchers, such as "4F7K-9QXM-2D8H-B3TG"',
      minLength: 1,
      maxLength: 64,
      examples: ['4F7K-9QXM-2D8H-B3TG'],
    }),
    pin: Type.Optional(
      Type.String({ description: 'left out or empty: a voucher has no PIN', maxLength: 0, examples: [''] }),
    ),
    product: Type.String({
      description: 'ESIM: a voucher is redeemed into an eSIM',
      pattern: '^[Ee][Ss][Ii][Mm]$',
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
