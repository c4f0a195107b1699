/** The amount of work of a run. */
import type { Options } from './options.ts';

export type Scale = {
  /** Rounds of each figure, alternating with those it is compared with. The median counts. */
  readonly rounds: number;
  readonly roundS: number;
  readonly warmUpS: number;
  readonly baselineS: number;
  /** Time for one kind of lookup in one round. */
  readonly lookupS: number;
  readonly wallets: number;
  /** Purchases of the small and of the large history. */
  readonly small: number;
  readonly large: number;
  /** The large history is loaded for at least this long. */
  readonly loadS: number;
  /** Purchases whose cost is measured. */
  readonly costed: number;
  /** How long the run waits for the background work of those purchases. */
  readonly settleS: number;
};

export function scaleOf({ quick, long, seconds, purchases }: Options): Scale {
  if (quick) {
    return {
      rounds: 1,
      roundS: seconds ?? 0.25,
      warmUpS: 0.1,
      baselineS: 0.15,
      lookupS: 0.1,
      wallets: 10,
      small: 100,
      large: 500,
      loadS: 0,
      costed: 500,
      settleS: 0,
    };
  }
  const roundS = seconds ?? 6;
  return {
    rounds: 3,
    roundS,
    warmUpS: roundS / 2,
    baselineS: roundS / 2,
    lookupS: Math.min(1, roundS),
    wallets: 1_000,
    small: 10_000,
    large: purchases ?? 1_000_000,
    loadS: long ? 300 : 0,
    costed: 60_000,
    settleS: 5,
  };
}
