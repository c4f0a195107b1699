/** The events of the path of a purchase, for measurements. */

import type { PurchaseInHand } from '../state/purchase-in-hand.ts';
import type { ResolveEffect } from './resolve-store.ts';

type NeverSent = { readonly environment: string; readonly product: string; readonly network: string };

export type PurchaseEvents = {
  readonly onBatch: (stage: 'accept' | 'resolve', size: number, latencyMs: number) => void;
  /** The last live purchase of a batch whose commit was acknowledged. */
  readonly onAccepted?: (purchase: { readonly merchantId: number; readonly purchaseId: string }) => void;
  readonly onAnswer: (event: {
    readonly provider: string;
    readonly operation: 'purchase' | 'query' | 'verify' | 'availability';
    readonly kind: string;
    readonly latencyMs: number;
    /** For an answer about an order. */
    readonly code?: string;
    readonly fault?: 'order' | 'provider' | undefined;
    /** The connector answered without a call. */
    readonly isUncalled?: boolean;
    /** For events about a purchase. */
    readonly purchaseId?: string;
  }) => void;
  readonly onFinal: (purchase: PurchaseInHand, effect: ResolveEffect, status: 'success' | 'failed') => void;
  readonly onUnfunded: (purchase: NeverSent) => void;
  /** A purchase failed before it could be sent. */
  readonly onRefused: (purchase: NeverSent, reason: string) => void;
  readonly onContradiction: (purchase: PurchaseInHand) => void;
};
