/** The fields of a gift card in the catalog, in quotes and in orders. */
import { Type } from 'typebox';
import type { Catalog } from '../../../catalog/catalog.ts';
import type { GiftCardPlan } from '../../../catalog/gift-card-plan.ts';
import { formatAmount, parseAmount } from '../../../core/money.ts';
import type { Principal } from '../../../merchants/merchant.ts';
import { shown } from '../../plumbing/openapi/annotations.ts';
import { type Refusal, refuseField } from '../../plumbing/refusal.ts';

const QUANTITY_MAX = 5;

export const planId = Type.Integer({
  description: 'the plan_id of a gift card in the catalog, a whole number such as 300002',
  minimum: 1,
  maximum: 2_147_483_647,
  examples: [300002],
});

export const planParams = Type.Object({ plan_id: planId });

const faceValueWords =
  "the value of one card in the plan's currency, within min_price and max_price: above zero with at most two decimals";

/** For variable plans. `readFaceValue` reads it. */
export const faceValue = Type.Optional(
  // A refusal has the message of the part that refused.
  Type.Union([Type.Number({ description: faceValueWords }), Type.String({ description: faceValueWords })], {
    description: faceValueWords,
    examples: [25],
  }),
);

export const quantity = Type.Integer({
  description: `a whole number from 1 to ${QUANTITY_MAX}`,
  minimum: 1,
  maximum: QUANTITY_MAX,
  default: 1,
});

/** Throws a Refusal, 400, the interface's answer to an invalid plan_id. */
export function requireGiftCard(
  catalog: Pick<Catalog, 'findGiftCardPlan'>,
  principal: Principal,
  planId: number,
): GiftCardPlan {
  const plan = catalog.findGiftCardPlan(planId, principal.environment);
  if (plan !== undefined) return plan;
  throw unknown();
}

function unknown(): Refusal {
  return refuseField(
    'plan_id',
    'card_plan_unknown',
    'plan_id names no gift card on sale: see GET /v1/giftcards/catalog',
  );
}

/** For the document. */
export const unknownGiftCard = shown('unknown_gift_card', unknown());
export const faceValueOutOfRange = {
  code: 'face_value_out_of_range',
  min: 10_00n,
  max: 500_00n,
  currency: 'USD',
} as const;

/** In minor units. Undefined when it was not sent. Throws a Refusal, 400. */
export function readFaceValue(sent: number | string | undefined): bigint | undefined {
  if (sent === undefined) return undefined;
  const value = parseAmount(String(sent));
  if (value !== undefined) return value;
  throw refuseField(
    'face_value',
    'face_value_malformed',
    'face_value must be an amount above zero with at most two decimals, such as 25 or "25.50"',
  );
}

/** A face value as the JSON number of the interface. Inside, money is never a number. */
export function toNumber(minor: bigint): number {
  return Number(formatAmount(minor));
}
