/** The fields of an eSIM, in the catalog and in single answers. */
import { type Static, Type } from 'typebox';
import type { EsimPlan } from '../../../catalog/esim-plan.ts';
import type { Listed } from '../../../catalog/goods-index.ts';
import { formatAmount } from '../../../core/money.ts';
import { optionalText } from '../../plumbing/answer.ts';

export const esim = Type.Object({
  plan_id: Type.String({ description: 'the purchase key' }),
  title: Type.String(),
  country: Type.String({ description: 'two letters; empty if it serves more than one country' }),
  region: Type.String(),
  data_gb: Type.Number(),
  duration_days: Type.Integer(),
  currency_code: Type.String(),
  ngn_price: optionalText('the price in naira; absent without an exchange rate'),
});

export const esimExample = {
  plan_id: 'NG-1GB-7D',
  title: 'Nigeria 1 GB 7 days',
  country: 'NG',
  region: 'Africa',
  data_gb: 1,
  duration_days: 7,
  currency_code: 'USD',
  ngn_price: '3469.15',
};

export function esimOf({ plan, ngnPrice }: Pick<Listed<EsimPlan>, 'plan' | 'ngnPrice'>): Static<typeof esim> {
  return {
    plan_id: plan.planId,
    title: plan.title,
    country: plan.country ?? '',
    region: plan.region,
    data_gb: plan.dataMb / 1_000,
    duration_days: plan.durationDays,
    currency_code: plan.currency,
    ...(ngnPrice !== undefined && { ngn_price: formatAmount(ngnPrice) }),
  };
}
