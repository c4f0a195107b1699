/** One eSIM, and its present price. */
import { Type } from 'typebox';
import { esimPlanId } from '../../../plumbing/esim-fields.ts';
import { goodsAnswer, goodsEnvelope } from '../../../plumbing/goods-answer.ts';
import { esim, esimExample } from '../esim.ts';

export const planParams = Type.Object({ plan_id: esimPlanId });

export const planAnswer = goodsAnswer('EsimPlanAnswer', 'The eSIM.', esim, {
  found: goodsEnvelope(esimExample.title, esimExample),
});

export const quoteAnswer = goodsAnswer(
  'EsimQuoteAnswer',
  'What the eSIM costs now.',
  Type.Object({
    plan_id: Type.String(),
    title: Type.String(),
    currency_code: Type.String(),
    ngn_amount: Type.String({ description: 'the naira debit of an order now' }),
  }),
  {
    quoted: goodsEnvelope('Quote of one eSIM', {
      plan_id: 'NG-1GB-7D',
      title: 'Nigeria 1 GB 7 days',
      currency_code: 'USD',
      ngn_amount: '3469.15',
    }),
  },
);
