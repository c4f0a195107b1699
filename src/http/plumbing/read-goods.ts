/** What requests about gift cards and eSIMs name, looked up: plans, face values, exchange rates. Each refuses in words that say what is right. */
import type { EsimPlan } from '../../catalog/esim-plan.ts';
import type { FxRate, GoodsCurrency } from '../../catalog/fx-rate.ts';
import type { GiftCardPlan } from '../../catalog/gift-card-plan.ts';
import { GatewayError, invalidField } from '../../kernel/errors.ts';
import { parseAmount } from '../../kernel/money.ts';
import type { Caller } from '../../merchants/merchant.ts';
import type { GoodsCatalog } from '../dependencies.ts';

/** Throws GatewayError `invalid` (interface, "Errors": an invalid plan_id is 400). */
export function requireGiftCard(goods: GoodsCatalog, caller: Caller, planId: number): GiftCardPlan {
  const plan = goods.findGiftCardPlan(planId, caller.environment);
  if (plan !== undefined) return plan;
  throw invalidField('plan_id', 'plan_id names no gift card on sale: see GET /v1/giftcards/catalog');
}

/** Throws GatewayError `invalid`. */
export function requireEsim(
  goods: GoodsCatalog,
  caller: Caller,
  planId: string,
  field: 'plan_id' | 'plan' = 'plan_id',
): EsimPlan {
  const plan = goods.findEsimPlan(planId, caller.environment);
  if (plan !== undefined) return plan;
  throw invalidField(field, `${field} names no eSIM on sale: see GET /v1/esim/catalog`);
}

/** In minor units; undefined where nothing was sent. Throws GatewayError `invalid`. */
export function readFaceValue(sent: number | string | undefined): bigint | undefined {
  if (sent === undefined) return undefined;
  const value = parseAmount(String(sent));
  if (value !== undefined) return value;
  throw invalidField(
    'face_value',
    'face_value must be an amount above zero with at most two decimals, such as 25 or "25.50"',
  );
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

/** Query values that are empty, as forms send them, are taken as not sent. */
export function dropEmpty(query: unknown): void {
  if (typeof query !== 'object' || query === null) return;
  for (const [name, value] of Object.entries(query)) {
    if (value === '') Reflect.deleteProperty(query, name);
  }
}
