/**
 * Enters a purchase that the database lost, from its provider's list. It has a reference of ours
 * until the merchant's reference is known. Its wallet holds the charge by the usual rules, and the
 * provider's answer to a query makes it final.
 *
 * Guarantees: the purchase, its attempts and the verdicts on its orders are stored in one
 * transaction. A purchase is entered once, however often it is tried.
 */

import type { ActorOrName } from '../../core/actor.ts';
import { invariant } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import { formatAmount } from '../../core/money.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import type { AcceptItem } from '../../purchases/engine/accept-store.ts';
import { commitPurchases } from '../../purchases/engine/commit-store.ts';
import { insertEntered } from './entered-store.ts';
import { type EnteringMerchantRow, insertFoundAttempts, makeAttemptCurrent } from './finding-store.ts';
import type { OrderTerms } from './order-terms.ts';

/** An order of the purchase at a provider, as listed. */
type FoundAttempt = {
  readonly provider: string;
  readonly reference: string;
  readonly at: Date;
  /** The order failed or was reversed. */
  readonly isOver: boolean;
};

export type Entry = {
  readonly merchant: EnteringMerchantRow & { readonly wallet_id: bigint };
  /** The mark in the provider's reference; undefined if the reference has none. */
  readonly mark: string | undefined;
  /** The merchant's reference, if an operator knows it. */
  readonly reference: string | undefined;
  readonly terms: OrderTerms;
  /** In the order of their attempts: the last one is the current one. */
  readonly attempts: readonly FoundAttempt[];
};

export type Entered =
  | { readonly kind: 'entered'; readonly purchaseId: string; readonly reference: string }
  /** Nothing was stored. */
  | { readonly kind: 'insufficient' }
  | { readonly kind: 'taken' };

/** Enters a purchase. The transaction must be rolled back for any other kind than `entered`. */
export async function enterPurchase(tx: Tx, entry: Entry, actor: ActorOrName): Promise<Entered> {
  const { merchant, attempts, mark } = entry;
  const last = attempts.at(-1);
  invariant(last !== undefined, 'a purchase is entered for an order at a provider');
  const item = toItem(entry, last);
  const { accepts } = await commitPurchases(tx, { accepts: [item], resolves: [] }, newId());
  const [verdict] = accepts;
  if (verdict?.kind === 'duplicate') return { kind: 'taken' };
  if (verdict?.kind !== 'accepted' && verdict?.kind !== 'refused') return { kind: 'insufficient' };
  const purchase = { merchantId: merchant.id, purchaseId: item.id };
  const number = await insertFoundAttempts(tx, purchase, attempts);
  if (item.refusal === undefined) await makeAttemptCurrent(tx, purchase, { number, provider: last.provider });
  if (mark !== undefined && entry.reference === undefined) {
    await insertEntered(tx, { merchantId: merchant.id, environment: 'live', mark, purchaseId: item.id });
    // Tells the gateways to recognise it from now on.
    await announceChange(tx, 'restore_lock');
  }
  await recordOperation(tx, {
    actor,
    action: 'finding.enter',
    subject: `purchase:${item.id}`,
    after: {
      merchant: merchant.code,
      reference: item.reference,
      product: item.product,
      network: item.network,
      charge: formatAmount(item.charge),
      status: item.refusal === undefined ? 'pending' : 'failed',
      orders: attempts.map(({ provider, reference }) => `${provider}/${reference}`),
    },
  });
  return { kind: 'entered', purchaseId: item.id, reference: item.reference };
}

/** Builds the purchase without an attempt: its attempts are stored separately. */
function toItem({ merchant, terms, reference }: Entry, last: FoundAttempt): AcceptItem {
  return {
    ...terms,
    id: newId(),
    merchantId: merchant.id,
    environment: 'live',
    reference: reference ?? placeholderOf(last),
    walletId: merchant.wallet_id,
    route: [last.provider],
    credentialId: 'restore',
    createdAt: last.at,
    refusal: last.isOver ? { reason: 'refused', telcoMessage: undefined } : undefined,
    attempt: undefined,
  };
}

const REFERENCE_MAX = 100;

/** Returns the reference of an order, which is always the same. */
function placeholderOf({ provider, reference }: FoundAttempt): string {
  return `restored-${provider}-${reference}`.slice(0, REFERENCE_MAX);
}
