/**
 * The needs of a rate, by division: each is the rate times the cost of a purchase. The simulation
 * adds the effect of waiting.
 */
import { limits } from '../../src/core/limits.ts';
import { batchCost, type Cost } from './measured.ts';

/** The utilisation of a thread, a core or a lock above which waiting grows faster than the rate. */
const USE_MAX = 0.6;
/** More than needed, so that one may fail. */
const GATEWAYS_SPARE = 1;
/** The default duration of a purchase at a provider. */
const PROVIDER_S = 2;
const SECOND = 1_000_000;
const YEAR_S = 365 * 86_400;

export type Plan = {
  readonly perSecond: number;
  /** Gateway processes, each with a separate core. */
  readonly gateways: number;
  readonly databaseCores: number;
  readonly walBytesPerS: number;
  /** If the rate lasted all year. */
  readonly diskBytesPerYear: number;
  /** The minimum number of wallets that the rate must be spread over. */
  readonly wallets: number;
  /** Calls in progress at providers. */
  readonly providerCalls: number;
};

export function planFor(perSecond: number, cost: Cost): Plan {
  const processors = (eachUs: number): number => Math.ceil((perSecond * eachUs) / SECOND / USE_MAX);
  return {
    perSecond,
    gateways: processors(cost.gatewayUs) + GATEWAYS_SPARE,
    databaseCores: processors(cost.moneyUs + cost.backgroundUs),
    walBytesPerS: perSecond * cost.walBytes,
    diskBytesPerYear: perSecond * cost.diskBytes * YEAR_S,
    wallets: Math.ceil(perSecond / (walletRate(cost) * USE_MAX)),
    providerCalls: perSecond * PROVIDER_S,
  };
}

/** The maximum rate of one wallet per second, in full batches one after the other. */
export function walletRate(cost: Cost): number {
  const { itemUs, batchUs } = batchCost(cost);
  const heldUs = batchUs + itemUs * limits.batchMax + cost.flushUs;
  // A purchase is two items.
  return (limits.batchMax * SECOND) / heldUs / 2;
}
