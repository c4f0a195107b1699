/** The versions of a merchant's price list over time, as a process holds them in memory. Pure. */
import { type PriceRule, type PriceRules, ruleAt } from './price-rule.ts';

/** A version of a price list with its rules. */
export type PriceVersion = {
  readonly list: string;
  readonly version: number;
  /** Milliseconds since the epoch. Minus infinity: it already applied when it was read. */
  readonly fromMs: number;
  readonly rules: PriceRules;
};

/**
 * The version that applied when the merchant was read, and later ones, in the order of their times.
 * So a version begins on time in every process. Empty: the merchant pays face values.
 */
export type PriceSchedule = readonly PriceVersion[];

/** Returns the version that applies at a time in milliseconds. Undefined before the first. */
export function versionAt(schedule: PriceSchedule, nowMs: number): PriceVersion | undefined {
  return schedule.findLast(({ fromMs }) => fromMs <= nowMs);
}

/** A rule with the version that it belongs to. */
export type HeldRule = {
  readonly list: string;
  readonly version: number;
  readonly rule: PriceRule;
};

/** Finds the rule that prices a purchase at a given time. Undefined: it costs the face value. */
export function heldRule(
  schedule: PriceSchedule,
  places: readonly string[],
  nowMs: number,
): HeldRule | undefined {
  const held = versionAt(schedule, nowMs);
  const rule = held && ruleAt(held.rules, places);
  return held && rule && { list: held.list, version: held.version, rule };
}
