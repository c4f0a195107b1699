/**
 * Resolves a difference if that is safe and certain, by the operations that an operator would use:
 * queries pending purchases, books top-ups, charges and refunds that the provider reported, and
 * schedules a missing payment to be read from the bank. Other differences are left to operators, as
 * are the movements of a file in which the balance of a movement does not follow from its amount.
 *
 * Guarantees: each is a separate transaction with an entry in the audit log. A second run, also one
 * after a crash, finds nothing left to do.
 */

import type { Actor } from '../../core/actor.ts';
import { OperationError } from '../../core/errors.ts';
import { formatAmount } from '../../core/money.ts';
import type { ApprovalLimits } from '../../core/operation.ts';
import type { Database } from '../../db/database.ts';
import { insertNotices } from '../../funding/notice-store.ts';
import { addGift } from '../../oversight/approvals/bound-gifts.ts';
import { postRefund } from '../../purchases/refunds/post-refund.ts';
import { type Asker, queryPurchase } from '../../purchases/unresolved/query-purchase.ts';
import { bookMovement } from '../floats/operations/book-float.ts';
import type { Party } from './compare-order.ts';
import type { DifferenceKind } from './difference.ts';
import type { NumberedDifference } from './difference-store.ts';

export type Applying = Asker & {
  readonly database: Database;
  readonly actor: Actor;
  readonly party: Party;
  readonly approvalLimits: ApprovalLimits;
  /**
   * Returns whether the provider reported that it returned the money. A failure that it never
   * charged is false.
   */
  readonly isReversed: (difference: NumberedDifference) => Promise<boolean>;
  /** A balance of the file contradicts the amount that was read of a top-up or charge. */
  readonly isContradicted: boolean;
};

const QUERY_MS = 10_000;

/** Returns what was done, as text; undefined if the difference is left to operators. */
export async function applyDifference(
  applying: Applying,
  difference: NumberedDifference,
): Promise<string | undefined> {
  try {
    return await apply(applying, difference);
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    // It has changed since it was compared, or cannot be resolved now: the next run reports it
    // again.
    return undefined;
  }
}

async function apply(applying: Applying, difference: NumberedDifference): Promise<string | undefined> {
  switch (difference.kind as DifferenceKind) {
    case 'delivered_there_pending_here':
    case 'failed_there_pending_here':
    case 'unknown_there_pending_here':
    case 'pending_here':
      return await query(applying, difference);
    case 'top_up_unbooked':
    case 'charge_unbooked':
      return applying.isContradicted ? undefined : await book(applying, difference);
    case 'failed_there_success_here':
      return (await applying.isReversed(difference)) ? await takeBack(applying, difference) : undefined;
    case 'payment_missing_here':
      return await readBack(applying, difference);
    default:
      return undefined;
  }
}

async function query(
  applying: Applying,
  { merchant_id: merchantId, purchase_id: purchaseId }: NumberedDifference,
) {
  if (merchantId === null || purchaseId === null) return undefined;
  const { environment } = applying.party;
  const {
    provider,
    said: answer,
    status,
  } = await queryPurchase(applying, { merchantId, environment, purchaseId }, QUERY_MS);
  return answer === undefined ? `queried ${provider}: no answer yet` : `queried ${provider}: ${status}`;
}

async function book({ database, actor, party }: Applying, difference: NumberedDifference) {
  // A movement without an effect on the books is not in naira.
  if (difference.effect === 0n || difference.reference === null) return undefined;
  const kind = difference.kind === 'top_up_unbooked' ? 'top_up' : 'charge';
  const { amount, at, reference, there } = difference;
  const movement = {
    provider: party.name,
    environment: party.environment,
    kind,
    amount,
    foreign: undefined,
    bank: undefined,
    reference,
    reason: there.slice(0, 200),
    movedAt: at,
  } as const;
  await database.transaction((tx) => bookMovement(tx, movement, actor));
  return `booked a ${kind.replace('_', '-')} of ${formatAmount(amount)}`;
}

async function takeBack(
  { database, actor, party, approvalLimits }: Applying,
  difference: NumberedDifference,
) {
  const { merchant_id: merchantId, purchase_id: purchaseId } = difference;
  if (merchantId === null || purchaseId === null) return undefined;
  const purchase = {
    merchantId,
    environment: party.environment,
    purchaseId,
    reference: difference.purchase ?? purchaseId,
  };
  const reason = `${party.name} reports ${difference.there}`.slice(0, 200);
  const order = { purchase, kind: 'provider', amount: undefined, reason } as const;
  const { amount } = await database.transaction(async (tx) => {
    const refunded = await postRefund(tx, order, actor);
    const gift = { environment: party.environment, currency: 'NGN', amount: refunded.amount } as const;
    if (!(await addGift(tx, approvalLimits, { operation: 'purchase.provider_refund', gift, actor }))) {
      throw new OperationError({ code: 'second_person_needed', instead: 'provider_refund' });
    }
    return refunded;
  });
  return `booked ${formatAmount(amount)} that ${party.name} returned`;
}

async function readBack({ database, party }: Applying, { provider_id: reference }: NumberedDifference) {
  if (reference === null) return undefined;
  const opened = await insertNotices(database, party.name, [reference], 'sweep');
  // The payment already waits to be read from the bank, or the bank reported that it is no deposit.
  return opened === 0 ? undefined : 'queued to be read back from the bank';
}
