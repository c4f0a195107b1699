/**
 * Sets the exchange rate of a foreign currency. Every running gateway uses it at once. Accepted
 * orders keep their price.
 */

import { Type } from 'typebox';
import { type ActorOrName, actorOf } from '../../core/actor.ts';
import { invariant, OperationError } from '../../core/errors.ts';
import { parsePercent, percentText } from '../../core/money.ts';
import { nullable } from '../../core/nullable.ts';
import { defineOperation, treasurers } from '../../core/operation.ts';
import {
  forcedOutput,
  forceField,
  giftOfForced,
  inputOf,
  oneOf,
  percentField,
} from '../../core/operation-fields.ts';
import type { TypedKind } from '../../core/typed-number.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import type { Acting } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import {
  type FxRate,
  formatRate,
  goodsCurrencies,
  isLargeRateChange,
  isLowerRate,
  parseRate,
} from '../fx-rate.ts';
import { type FxRateEntry, findRateOfYesterday, insertFxRate, listFxRates } from '../fx-rate-store.ts';
import { checkRate } from '../margins/check-rate.ts';
import { refuseLosses, unlessForced } from '../margins/refuse-losses.ts';
import { fxRateAnswer, fxRateOutput } from './list-fx-rates.ts';

/**
 * Sets a rate. Returns the rate before, and whether a lower rate was forced. An equal rate is not
 * added again. Throws OperationError without `force`, because a wrong digit sells below cost within
 * seconds: `rate_change_large` when the rate moves by more than a fifth, or has fallen by more than
 * a fifth within 24 hours, `rate_unlikely` when it does not fit the other rates, `sells_below_cost`
 * when a provider's known cost is higher.
 */
export async function setFxRate(
  tx: Tx,
  rate: FxRate,
  actor: ActorOrName,
  { force = false }: { readonly force?: boolean } = {},
): Promise<{
  readonly before: FxRateEntry | undefined;
  readonly changed: boolean;
  readonly forced: boolean;
}> {
  const present = await listFxRates(tx);
  const before = present.find(({ currency }) => currency === rate.currency);
  if (before?.rateMicro === rate.rateMicro && before.marginBasisPoints === rate.marginBasisPoints) {
    return { before, changed: false, forced: false };
  }
  const isRefused = await unlessForced(force, () => refuseRate(tx, rate, present));
  await insertFxRate(tx, rate, actorOf(actor).name);
  await recordOperation(tx, {
    actor,
    action: 'fx.set',
    subject: `fx:${rate.currency}`,
    ...(before && { before: inWords(before) }),
    after: force ? { ...inWords(rate), force } : inWords(rate),
  });
  await announceChange(tx, 'plans');
  const forced = isRefused && (before === undefined || isLowerRate(rate, before));
  return { before, changed: true, forced };
}

/** Refuses an unlikely rate, unless it is more likely than the one before. */
async function refuseRate(tx: Tx, rate: FxRate, present: readonly FxRateEntry[]): Promise<void> {
  const { currency, rateMicro } = rate;
  const unlikely = checkRate(rate, present);
  const before = present.find((one) => one.currency === currency);
  const yesterday = await findRateOfYesterday(tx, currency);
  // Many small steps down count as one large step.
  const fallen = yesterday !== undefined && isLowerRate(rate, yesterday) ? [yesterday] : [];
  const far = [...(before ? [before] : []), ...fallen].find((one) => isLargeRateChange(one, rate));
  if (far !== undefined) {
    throw new OperationError({
      code: 'rate_change_large',
      currency,
      before: inWords(far),
      after: inWords(rate),
    });
  }
  const mends =
    unlikely !== undefined &&
    before !== undefined &&
    (rateMicro < unlikely.low ? before.rateMicro <= rateMicro : before.rateMicro >= rateMicro);
  if (unlikely !== undefined && !mends) {
    throw new OperationError({
      code: 'rate_unlikely',
      currency,
      rate: formatRate(rateMicro),
      low: formatRate(unlikely.low),
      high: formatRate(unlikely.high),
      from: unlikely.from,
    });
  }
  await refuseLosses(tx, (list) => ({ ...list, rates: new Map([...list.rates, [currency, rate]]) }));
}

type RateWords = { readonly rate: string; readonly margin: string };

function inWords({ rateMicro, marginBasisPoints }: FxRate): RateWords {
  return { rate: formatRate(rateMicro), margin: percentText(marginBasisPoints) };
}

export const setFxRateOperation = defineOperation({
  name: 'fx.set',
  kind: 'act',
  summary: 'set the exchange rate of a currency in naira; catalogs and quotes use it immediately',
  roles: treasurers,
  route: 'PUT /exchange-rates/{currency}',
  document: 'operators/guards.md',
  input: inputOf({
    currency: oneOf(goodsCurrencies),
    rate: Type.String({
      'x-typed': 'rate' satisfies TypedKind,
      description: 'naira for one unit, above zero with at most six decimals, such as 1545.25',
      pattern: '^(?=.*[1-9])(?:0|[1-9][0-9]{0,7})(?:\\.[0-9]{1,6})?$',
    }),
    margin: Type.Optional(percentField('that is charged above the rate; absent, it is unchanged')),
    force: forceField,
  }),
  output: Type.Object({
    currency: oneOf(goodsCurrencies),
    rate: Type.String(),
    margin: Type.String(),
    changed: Type.Boolean(),
    before: nullable(fxRateOutput),
    forced: forcedOutput,
  }),
  gives: (_, output) => giftOfForced(output),
  run: async ({ tx, actor }: Acting, { currency, rate, margin, force = false }) => {
    const rateMicro = parseRate(rate);
    invariant(rateMicro !== undefined, 'the schema accepts rates only');
    const present = (await listFxRates(tx)).find((row) => row.currency === currency);
    const stated = margin === undefined ? undefined : parsePercent(margin);
    const marginBasisPoints = stated ?? present?.marginBasisPoints ?? 0;
    const next = { currency, rateMicro, marginBasisPoints };
    const { before, changed, forced } = await setFxRate(tx, next, actor, { force });
    return { currency, ...inWords(next), changed, before: before ? fxRateAnswer(before) : null, forced };
  },
});
