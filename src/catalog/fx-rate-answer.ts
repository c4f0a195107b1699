/** An exchange rate as operations answer it. */
import { type Static, Type } from 'typebox';
import { formatRfc3339 } from '../kernel/clock.ts';
import { oneOf, timeOutput } from '../kernel/operation-fields.ts';
import { formatRate, goodsCurrencies } from './fx-rate.ts';
import type { FxRateEntry } from './fx-rate-store.ts';

export const fxRateOutput = Type.Object({
  currency: oneOf(goodsCurrencies),
  rate: Type.String(),
  margin_basis_points: Type.Integer(),
  at: timeOutput,
  actor: Type.String(),
});

export function fxRateAnswer(entry: FxRateEntry): Static<typeof fxRateOutput> {
  return {
    currency: entry.currency,
    rate: formatRate(entry.rateMicro),
    margin_basis_points: entry.marginBasisPoints,
    at: formatRfc3339(entry.at),
    actor: entry.actor,
  };
}
