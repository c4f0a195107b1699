/** What the cells of a process share. */
import { FairGate } from '../../core/fair-gate.ts';
import type { IdSource } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';

/** What a process has once, however many cells it works on. */
export type PurchaseShares = {
  readonly gatewayId: string;
  /** The places of requests that call a provider. */
  readonly places: FairGate;
  /** The places of requests that wait for an outcome from elsewhere. */
  readonly awaiting: FairGate;
};

export function createPurchaseShares(newId: IdSource): PurchaseShares {
  return {
    gatewayId: newId(),
    places: new FairGate(limits.purchases),
    awaiting: new FairGate(limits.outcomesAwaited),
  };
}
