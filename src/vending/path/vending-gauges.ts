/** How much of each kind this process has to do. */
import type { Environment } from '../../kernel/environment.ts';

export type VendingGauges = {
  readonly acceptQueue: number;
  readonly resolveQueue: number;
  /** Worked on for a request. */
  readonly purchases: Readonly<Record<Environment, number>>;
  /** Sync purchases that wait for an outcome which others bring. */
  readonly awaited: number;
  readonly inHand: number;
};
