/**
 * What is needed to sell an eSIM or a gift card, looked up: the eSIM itself, and the exchange rate
 * of either.
 */
import type { EsimPlan } from '../../catalog/esim-plan.ts';
import type { FxRate, GoodsCurrency } from '../../catalog/fx-rate.ts';
import { GatewayError, invalidField } from '../../kernel/errors.ts';
import type { Principal } from '../../merchants/merchant.ts';
import type { GoodsCatalog } from '../dependencies.ts';

/** Throws GatewayError `invalid`. */
export function requireEsim(
  goods: GoodsCatalog,
  principal: Principal,
  planId: string,
  field: 'plan_id' | 'plan' = 'plan_id',
): EsimPlan {
  const plan = goods.findEsimPlan(planId, principal.environment);
  if (plan !== undefined) return plan;
  throw invalidField(field, `${field} names no eSIM on sale: see GET /v1/esim/catalog`);
}

/** Throws GatewayError `no_route`: without a rate nothing of the currency is sold. */
export function requireRate(goods: GoodsCatalog, currency: GoodsCurrency): FxRate {
  const rate = goods.fxRate(currency);
  if (rate !== undefined) return rate;
  throw new GatewayError(
    'no_route',
    `Nothing in ${currency} is sold at the moment: no exchange rate is set`,
    {
      retryAfterS: 30,
    },
  );
}
