/** Airtime and data, sync and async. */
import type { AirtimeBody, DataBody } from '../generated/api.ts';
import type { CallOptions, Settings } from '../options.ts';
import { buyPurchase, type PurchaseAnswer, type WithDefaults } from './purchase-kinds.ts';

export type AirtimeInput = WithDefaults<AirtimeBody>;
export type DataInput = WithDefaults<DataBody>;

type Buy<Input> = (input: Input, options?: CallOptions) => Promise<PurchaseAnswer>;

export type AirtimeMethods = {
  /** Waits up to a minute for the outcome. If that is too short, the purchase is still pending. */
  readonly buySync: Buy<AirtimeInput>;
  /** Pending at once: query its status, or use the webhook. */
  readonly buyAsync: Buy<AirtimeInput>;
};

export type DataMethods = {
  /** Waits up to a minute for the outcome. If that is too short, the purchase is still pending. */
  readonly buySync: Buy<DataInput>;
  /** Pending at once: query its status, or use the webhook. */
  readonly buyAsync: Buy<DataInput>;
};

export function airtimeMethods(settings: Settings): AirtimeMethods {
  return {
    buySync: (input, options) => buyPurchase(settings, 'airtimeSync', input, options),
    buyAsync: (input, options) => buyPurchase(settings, 'airtimeAsync', input, options),
  };
}

export function dataMethods(settings: Settings): DataMethods {
  return {
    buySync: (input, options) => buyPurchase(settings, 'dataSync', input, options),
    buyAsync: (input, options) => buyPurchase(settings, 'dataAsync', input, options),
  };
}
