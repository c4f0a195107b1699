/**
 * Sets the exchange rate of a foreign currency. Every running gateway prices by it at once. Orders
 * that are already accepted stay at their price.
 */

import { recordOperation } from '../../audit-log/audit-log-store.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import { type FxRate, formatRate } from '../fx-rate.ts';
import { type FxRateEntry, insertFxRate, listFxRates } from '../fx-rate-store.ts';

/** Gives the rate before, if there was one. A rate that does not change is not added again. */
export async function setFxRate(
  tx: Tx,
  rate: FxRate,
  actor: string,
): Promise<{ readonly before: FxRateEntry | undefined; readonly changed: boolean }> {
  const before = (await listFxRates(tx)).find(({ currency }) => currency === rate.currency);
  if (before?.rateMicro === rate.rateMicro && before.marginBasisPoints === rate.marginBasisPoints) {
    return { before, changed: false };
  }
  await insertFxRate(tx, rate, actor);
  await recordOperation(tx, {
    actor,
    action: 'fx.set',
    subject: `fx:${rate.currency}`,
    ...(before && { before: inWords(before) }),
    after: inWords(rate),
  });
  await announceChange(tx, 'plans');
  return { before, changed: true };
}

function inWords({ rateMicro, marginBasisPoints }: FxRate): Record<string, unknown> {
  return { rate: formatRate(rateMicro), margin_basis_points: marginBasisPoints };
}
