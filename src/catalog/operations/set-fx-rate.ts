/**
 * Sets the exchange rate of a foreign currency. Every running gateway prices by it at once. Orders
 * that are already accepted stay at their price.
 */

import { recordOperation } from '../../audit-log/audit-log-store.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import { type ActorOrName, actorOf } from '../../kernel/actor.ts';
import { OperationError } from '../../kernel/errors.ts';
import { type FxRate, formatRate, isSteepRate } from '../fx-rate.ts';
import { type FxRateEntry, insertFxRate, listFxRates } from '../fx-rate-store.ts';

/**
 * Gives the rate before, if there was one. A rate that does not change is not added again. Throws
 * OperationError `rate_steep` where it moves by more than a fifth and nobody insists: a digit too
 * many or too few sells below cost within seconds.
 */
export async function setFxRate(
  tx: Tx,
  rate: FxRate,
  actor: ActorOrName,
  { force = false }: { readonly force?: boolean } = {},
): Promise<{ readonly before: FxRateEntry | undefined; readonly changed: boolean }> {
  const before = (await listFxRates(tx)).find(({ currency }) => currency === rate.currency);
  if (before?.rateMicro === rate.rateMicro && before.marginBasisPoints === rate.marginBasisPoints) {
    return { before, changed: false };
  }
  if (before !== undefined && !force && isSteepRate(before, rate)) {
    throw new OperationError({
      code: 'rate_steep',
      currency: rate.currency,
      before: inWords(before),
      after: inWords(rate),
    });
  }
  await insertFxRate(tx, rate, actorOf(actor).name);
  await recordOperation(tx, {
    actor,
    action: 'fx.set',
    subject: `fx:${rate.currency}`,
    ...(before && { before: inWords(before) }),
    after: force ? { ...inWords(rate), force } : inWords(rate),
  });
  await announceChange(tx, 'plans');
  return { before, changed: true };
}

type RateWords = { readonly rate: string; readonly margin_basis_points: number };

function inWords({ rateMicro, marginBasisPoints }: FxRate): RateWords {
  return { rate: formatRate(rateMicro), margin_basis_points: marginBasisPoints };
}
