/** The price list of a simulation's merchant: its second version begins while the seed runs. */
import type { Tx } from '../../src/db/database.ts';
import {
  beginVersion,
  insertPriceList,
  insertVersion,
  updatePriceList,
} from '../../src/merchants/prices/price-list-store.ts';
import { chargeByRule, indexRules, type PriceRule } from '../../src/merchants/prices/price-rule.ts';
import type { PriceSchedule } from '../../src/merchants/prices/price-schedule.ts';

const NEXT_AFTER_MS = 60_000;

const everything = { product: '*', network: '*', kind: '*', plan: '*' };
const rules: readonly PriceRule[] = [
  { ...everything, pricing: { by: 'off', off: 200 }, roundTo: 1n },
  { ...everything, pricing: { by: 'off', off: 500 }, roundTo: 100n },
];

/** Returns the schedule as a process reads it. */
export async function openPriceList(tx: Tx, merchantId: number, nowMs: number): Promise<PriceSchedule> {
  const list = `list-${merchantId}`;
  const nextMs = Math.floor(nowMs) + NEXT_AFTER_MS;
  await insertPriceList(tx, list);
  for (const rule of rules) await insertVersion(tx, list, [rule], 'operator');
  await beginVersion(tx, list, 1, undefined);
  await beginVersion(tx, list, 2, new Date(nextMs));
  await updatePriceList(tx, merchantId, list);
  return rules.map((rule, index) => ({
    list,
    version: index + 1,
    fromMs: index === 0 ? Number.NEGATIVE_INFINITY : nextMs,
    rules: indexRules([rule]),
  }));
}

/** Returns the price of a purchase by the list at a given time. */
export function priceAt(schedule: PriceSchedule, faceValue: bigint, nowMs: number): bigint {
  const [present, next] = rules;
  const begun = schedule.filter(({ fromMs }) => fromMs <= nowMs).length;
  const rule = begun === 2 ? next : present;
  return rule === undefined ? faceValue : chargeByRule(rule, faceValue, undefined);
}
