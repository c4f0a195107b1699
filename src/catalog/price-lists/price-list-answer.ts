/** Price lists as operations answer them. */

import { type Static, Type } from 'typebox';
import { answerOf } from '../../core/answer.ts';
import { formatAmount, percentText } from '../../core/money.ts';
import { nullableText } from '../../core/nullable.ts';
import { nullableAmount, nullableTime, oneOf, text, timeOutput } from '../../core/operation-fields.ts';
import type { PriceVersionRow } from '../../merchants/prices/price-list-store.ts';
import type { PriceRule } from '../../merchants/prices/price-rule.ts';

export const listField = text('the name of a price list');

export const ruleOutput = Type.Object({
  /** `*`: every product, network, kind or plan without a specific rule. */
  product: Type.String(),
  network: Type.String(),
  kind: Type.String(),
  plan: Type.String(),
  price: nullableAmount,
  /** In percent off the face value, such as `2.5`. */
  off: nullableText,
  /** In percent over the expected cost. */
  margin: nullableText,
  /** Naira that charges are rounded up to. */
  round: nullableText,
});

export function ruleAnswer({ product, network, kind, plan, pricing, roundTo }: PriceRule) {
  return {
    product,
    network,
    kind,
    plan,
    price: pricing.by === 'price' ? formatAmount(pricing.price) : null,
    off: pricing.by === 'off' ? percentText(pricing.off) : null,
    margin: pricing.by === 'margin' ? percentText(pricing.margin) : null,
    round: roundTo === 1n ? null : String(roundTo / 100n),
  };
}

export const versionOutput = Type.Object({
  version: Type.Integer(),
  state: oneOf(['draft', 'planned', 'holds', 'past']),
  holds_from: nullableTime,
  created_by: Type.String(),
  created_at: timeOutput,
});

export function versionAnswer(row: PriceVersionRow): Static<typeof versionOutput> {
  return answerOf(versionOutput, {
    ...row,
    state: row.holds ? 'holds' : row.begun ? 'past' : row.holds_from === null ? 'draft' : 'planned',
  });
}
