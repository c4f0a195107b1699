/**
 * Reads the price schedules of merchants. Merchants of one list share its rules in memory, and a
 * version is read once: its rules never change.
 */
import { LRUCache } from 'lru-cache';
import type { Sql } from '../../db/database.ts';
import { listRules } from './price-list-store.ts';
import { indexRules, type PriceRules } from './price-rule.ts';
import type { PriceSchedule } from './price-schedule.ts';

/** A version that has already begun has no time. */
type BegunVersion = {
  readonly list: string;
  readonly version: number;
  readonly from_ms: number | null;
};

/** Returns a schedule for each list of versions, in their order. */
export type ReadSchedules = (wanted: readonly (readonly BegunVersion[])[]) => Promise<PriceSchedule[]>;

/** The number of rules that stay in memory for the next merchant of their list. */
const RULES_MAX = 200_000;

export function createScheduleReader(sql: Sql): ReadSchedules {
  const known = new LRUCache<string, PriceRules>({
    maxSize: RULES_MAX,
    sizeCalculation: ({ size }) => size + 1,
  });
  return async (wanted) => {
    const versions = new Map(wanted.flat().map((one) => [nameOf(one), one]));
    const rules = new Map<string, PriceRules>();
    const missing: BegunVersion[] = [];
    for (const [name, version] of versions) {
      const present = known.get(name);
      if (present === undefined) missing.push(version);
      else rules.set(name, present);
    }
    if (missing.length > 0) {
      const rows = Map.groupBy(await listRules(sql, missing), nameOf);
      for (const name of missing.map(nameOf)) {
        const read = indexRules((rows.get(name) ?? []).map(({ list, version, ...rule }) => rule));
        known.set(name, read);
        rules.set(name, read);
      }
    }
    return wanted.map((schedule) =>
      schedule.map((one) => ({
        list: one.list,
        version: one.version,
        fromMs: one.from_ms ?? Number.NEGATIVE_INFINITY,
        rules: rules.get(nameOf(one)) ?? new Map(),
      })),
    );
  };
}

function nameOf({ list, version }: { readonly list: string; readonly version: number }): string {
  return `${list}/${version}`;
}
