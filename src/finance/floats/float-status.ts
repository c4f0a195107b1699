/**
 * The float at each provider: the balance in the books, the reported balance, the difference, and
 * how long it lasts. Pure except for `readFloats`, which reads the facts.
 */
import { type FxRateEntry, listFxRates } from '../../catalog/fx-rate-store.ts';
import type { Environment } from '../../core/environment.ts';
import { worthAtRate } from '../../core/exchange.ts';
import { isCurrency, type Money, parseFormatted } from '../../core/money.ts';
import type { Sql } from '../../db/database.ts';
import { listTroubles, type Trouble } from '../../notifications/alarms/alarm-store.ts';
import type { ProviderFacts } from '../../providers/provider.ts';
import { DEAD_AFTER_MS } from '../../purchases/engine/gateway-store.ts';
import { readStates } from '../../purchases/health/health-store.ts';
import { type ProviderSummary, summarize } from '../../purchases/health/provider-state.ts';
import { type FloatLimits, listBooked, listHours, listLimits, sumUnderWay } from './float-store.ts';
import { type HourSpent, type Runway, runwayOf } from './runway.ts';

const floatTroubles = ['low_float', 'float_unknown', 'float_differs'] as const;

export type FloatTrouble = (typeof floatTroubles)[number];

export type FloatStatus = {
  readonly provider: string;
  readonly environment: Environment;
  /** The balance by the books, in kobo. */
  readonly expected: bigint;
  /** A top-up was booked. Before that the expected balance means nothing. */
  readonly isOpened: boolean;
  /**
   * The last reported balance, in the currency of our account there; undefined if it was never
   * reported.
   */
  readonly reported: Money | undefined;
  readonly reportedAgeMs: number | undefined;
  /** For how long the balance could not be read; 0 if it can. */
  readonly failingMs: number;
  /** The reported balance in kobo; undefined without one, or without a rate of its currency. */
  readonly reportedKobo: bigint | undefined;
  /** The possible cost of pending purchases so far: the provider may report that much less. */
  readonly underWay: bigint;
  /** Reported less expected, in kobo. */
  readonly difference: bigint | undefined;
  /** The difference is more than pending purchases and the allowed drift explain. */
  readonly differs: boolean;
  readonly drift: bigint;
  readonly spent24h: bigint;
  readonly runway: Runway;
  /** The balance that the runway is computed from. */
  readonly runwayOf: 'reported' | 'expected';
  readonly limits: FloatLimits;
  readonly troubles: readonly Trouble<FloatTrouble>[];
};

/** The age from which a reading is ignored. */
const FRESH_MS = 15 * 60_000;
/** A thousand naira, because readings and books are not of the same moment. */
const DRIFT = 100_000n;
/** An account in another currency is compared at a rate other than the one it was filled at. */
const FOREIGN_DRIFT_PER_CENT = 5n;
const DAYS = 7;
const HOUR_MS = 3_600_000;

/**
 * Reads the floats of all providers that have a float account in the books or have reported a
 * balance.
 */
export async function readFloats(
  sql: Sql,
  providers: readonly ProviderFacts[],
  now: Date,
): Promise<FloatStatus[]> {
  const [booked, limits, hours, states, rates, troubles] = await Promise.all([
    listBooked(sql),
    listLimits(sql),
    listHours(sql, DAYS),
    readStates(sql, DEAD_AFTER_MS),
    listFxRates(sql),
    listTroubles(sql, floatTroubles),
  ]);
  const underWay = await sumUnderWay(sql);
  return providers.flatMap(({ name, environment }) => {
    const account = booked.find((one) => one.provider === name && one.environment === environment);
    const summary = summarize(states.filter(({ provider }) => provider === name));
    if (account === undefined && (summary?.float ?? null) === null) return [];
    return [
      statusOf({
        provider: name,
        environment,
        expected: account?.expected ?? 0n,
        isOpened: account?.is_opened ?? false,
        summary,
        underWay: underWay.get(`${name} ${environment}`) ?? 0n,
        hours: hours.filter((one) => one.provider === name && one.environment === environment),
        rates,
        limits: limits.find(({ provider }) => provider === name),
        troubles: troubles.filter(({ provider }) => provider === name),
        now,
      }),
    ];
  });
}

type Known = Pick<
  FloatStatus,
  'provider' | 'environment' | 'expected' | 'isOpened' | 'underWay' | 'troubles'
> & {
  readonly summary: Pick<ProviderSummary, 'float' | 'float_failing_ms'> | undefined;
  readonly hours: readonly HourSpent[];
  readonly rates: readonly Pick<FxRateEntry, 'currency' | 'rateMicro'>[];
  readonly limits: FloatLimits | undefined;
  readonly now: Date;
};

function statusOf({ summary, hours, rates, limits, now, ...known }: Known): FloatStatus {
  const { provider, expected, underWay } = known;
  const reported = moneyOf(summary?.float ?? null);
  const reportedAgeMs = summary?.float?.age_ms;
  const reportedKobo = reported && inKobo(reported, rates);
  const isFresh = reportedAgeMs !== undefined && reportedAgeMs < FRESH_MS;
  const difference = reportedKobo === undefined ? undefined : reportedKobo - expected;
  const drift = driftOf(limits?.drift ?? undefined, reported, reportedKobo, hours);
  const basis = isFresh && reportedKobo !== undefined ? reportedKobo : expected;
  const dayAgoMs = now.getTime() - 24 * HOUR_MS;
  return {
    ...known,
    reported,
    reportedAgeMs,
    failingMs: summary?.float_failing_ms ?? 0,
    reportedKobo,
    difference,
    // Pending purchases may have been charged there and are not yet in the books.
    differs:
      isFresh &&
      known.isOpened &&
      difference !== undefined &&
      (difference > drift || difference < -(underWay + drift)),
    drift,
    spent24h: hours.reduce((sum, { hour, cost }) => (hour.getTime() >= dayAgoMs ? sum + cost : sum), 0n),
    runway: runwayOf(basis, hours, now),
    runwayOf: basis === reportedKobo ? 'reported' : 'expected',
    limits: limits ?? { provider, hours: null, amount: null, drift: null, pause_below: null },
  };
}

function moneyOf(float: ProviderSummary['float']): Money | undefined {
  if (float === null || !isCurrency(float.currency)) return undefined;
  const amount = parseFormatted(float.amount);
  return amount === undefined ? undefined : { amount, currency: float.currency };
}

function inKobo(
  { amount, currency }: Money,
  rates: readonly Pick<FxRateEntry, 'currency' | 'rateMicro'>[],
): bigint | undefined {
  if (currency === 'NGN') return amount;
  const rate = rates.find((one) => one.currency === currency);
  return rate === undefined ? undefined : worthAtRate(amount, rate.rateMicro);
}

/**
 * Returns the allowed drift. It includes possible sales between the two readings: a minute's share
 * of the last hour.
 */
function driftOf(
  set: bigint | undefined,
  reported: Money | undefined,
  reportedKobo: bigint | undefined,
  hours: readonly HourSpent[],
): bigint {
  if (set !== undefined) return set;
  const perMinute = (hours.at(-1)?.cost ?? 0n) / 30n;
  const isForeign = reported !== undefined && reported.currency !== 'NGN';
  const foreign = isForeign ? ((reportedKobo ?? 0n) * FOREIGN_DRIFT_PER_CENT) / 100n : 0n;
  return DRIFT + perMinute + foreign;
}
