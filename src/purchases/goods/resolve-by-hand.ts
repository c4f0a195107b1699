/**
 * Stores a person's decision about a purchase through resolve, under the lock of its wallet, like
 * any answer. So it takes effect once, whatever the provider answers at the same moment.
 */

import { invariant } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Sealer } from '../../core/sealing.ts';
import type { Tx } from '../../db/database.ts';
import { ensureAccount } from '../../wallet/ledger/account-store.ts';
import { floatAccount, revenueAccount, vouchersAccount } from '../../wallet/ledger/chart-of-accounts.ts';
import { commitPurchases } from '../engine/commit-store.ts';
import type { DeliveredPurchase, Resolver } from '../engine/resolve-purchase.ts';
import type { ResolveEffect } from '../engine/resolve-store.ts';
import { operatorCode } from '../state/operator-word.ts';
import type { PurchaseKey, PurchaseToSettle } from './settle-store.ts';

/** What resolve needs besides the decision: the sealing of goods, and the house accounts. */
export async function settlerOf(
  tx: Tx,
  sealer: Pick<Sealer, 'seal'>,
  { environment }: PurchaseKey,
  provider: string,
): Promise<Pick<Resolver, 'sealer' | 'houseAccounts'>> {
  const float = await ensureAccount(tx, floatAccount(provider, environment, 'NGN'));
  const revenue = await ensureAccount(tx, revenueAccount(environment, 'NGN'));
  const vouchers = await ensureAccount(tx, vouchersAccount(environment, 'NGN'));
  return { sealer, houseAccounts: { float: () => float, revenue: () => revenue, vouchers: () => vouchers } };
}

export function deliveredOf(
  purchase: PurchaseKey,
  found: PurchaseToSettle,
  provider: string,
): DeliveredPurchase {
  return {
    purchaseId: purchase.purchaseId,
    environment: purchase.environment,
    walletId: found.wallet_id,
    product: found.product,
    faceValue: found.face_value,
    charge: found.charge,
    details: found.details ?? undefined,
    attempt: { provider },
  };
}

/** `found` was read under the locks of `lockPurchaseToSettle`. */
export async function resolveByHand(
  tx: Tx,
  purchase: PurchaseKey,
  found: PurchaseToSettle,
  decision: {
    readonly attempt: number;
    readonly provider: string;
    readonly kind: 'success' | 'failed' | 'not_sent';
    readonly code?: string;
    readonly message: string;
    readonly effect: ResolveEffect;
  },
): Promise<void> {
  const { attempt, provider, kind, code = operatorCode, message, effect } = decision;
  const answer = { kind, code, message, provider, providerId: undefined, latencyMs: 0 };
  const { wallet_id: walletId, network } = found;
  const item = { ...purchase, walletId, network, attempt, source: 'operator', answer, effect } as const;
  // No purchase is accepted here.
  const { resolves } = await commitPurchases(tx, { accepts: [], resolves: [item] }, newId());
  invariant(
    resolves[0]?.kind === (found.status === null ? 'done' : 'repeat'),
    'a purchase is settled only under its locks',
  );
}
