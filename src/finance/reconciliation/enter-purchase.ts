/**
 * Enters a purchase that the database lost: what its provider lists, under a reference of ours
 * until the merchant's own is known. Its wallet holds the charge by the rules of every purchase,
 * and it is made final by the provider's answer to a query, as every other.
 *
 * Guarantees: purchase, attempts and what is noted of the orders are stored in one transaction, or
 * nothing of them; a purchase is entered once, however often it is tried.
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

/** One order of the purchase at a provider, as it was listed. */
type FoundAttempt = {
  readonly provider: string;
  readonly reference: string;
  readonly at: Date;
  /** Nothing came of it. */
  readonly isOver: boolean;
};

export type Entry = {
  readonly merchant: EnteringMerchantRow & { readonly wallet_id: bigint };
  /** Undefined where the reference at the provider says nothing. */
  readonly mark: string | undefined;
  /** The merchant's own, where a person knows it. */
  readonly reference: string | undefined;
  readonly terms: OrderTerms;
  /** In their order: the last one counts. */
  readonly attempts: readonly FoundAttempt[];
};

export type Entered =
  | { readonly kind: 'entered'; readonly purchaseId: string; readonly reference: string }
  /** Nothing was stored. */
  | { readonly kind: 'insufficient' }
  | { readonly kind: 'taken' };

/** Where it gives another kind than `entered`, the transaction must be undone. */
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
    // Gateways recognise it from now on.
    await announceChange(tx, 'fence');
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

/** The attempts are stored beside it: the item itself is one that nobody has sent. */
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

/** The same for the same order. */
function placeholderOf({ provider, reference }: FoundAttempt): string {
  return `restored-${provider}-${reference}`.slice(0, REFERENCE_MAX);
}
