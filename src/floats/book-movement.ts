/**
 * Books money that moved at a provider without an order: a top-up of our account there, or what the
 * provider took besides purchases.
 *
 * Guarantees: the movement, its transfer and its audit entry are stored together; what has a
 * reference of the provider's is booked once, whoever books it, by hand or by a reconciliation.
 */
import { recordOperation } from '../audit-log/audit-log-store.ts';
import type { Tx } from '../db/database.ts';
import { type ActorOrName, actorOf } from '../kernel/actor.ts';
import { formatRfc3339 } from '../kernel/clock.ts';
import type { Environment } from '../kernel/environment.ts';
import { OperationError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { formatAmount, type Money } from '../kernel/money.ts';
import { ensureAccount } from '../ledger/account-store.ts';
import {
  bankAccount,
  capitalAccount,
  floatAccount,
  floatCharged,
  floatToppedUp,
  providerChargesAccount,
} from '../ledger/chart-of-accounts.ts';
import { postTransfers } from '../ledger/post-transfers.ts';
import { findMovement, insertMovement, type MovementKind } from './movement-store.ts';

export type Movement = {
  readonly provider: string;
  readonly environment: Environment;
  readonly kind: MovementKind;
  /** In kobo. */
  readonly amount: bigint;
  /** As the provider counts it, where our account there is not in naira. */
  readonly foreign: Money | undefined;
  /** Of a top-up: the bank it came from; undefined: the owner's capital. */
  readonly bank: string | undefined;
  /** The provider's own id of it. */
  readonly reference: string | undefined;
  readonly reason: string;
  readonly movedAt: Date;
};

/** Throws OperationError `movement_booked` where its reference was booked before. */
export async function bookMovement(
  tx: Tx,
  movement: Movement,
  actor: ActorOrName,
): Promise<{ readonly id: string; readonly otherAccount: string }> {
  const { provider, environment, kind, amount, foreign, reference, reason, movedAt } = movement;
  const other =
    kind === 'charge'
      ? providerChargesAccount(environment, 'NGN')
      : movement.bank === undefined
        ? capitalAccount(environment, 'NGN')
        : bankAccount(movement.bank, environment, 'NGN');
  const float = await ensureAccount(tx, floatAccount(provider, environment, 'NGN'));
  const otherAccountId = await ensureAccount(tx, other);
  const id = newId();
  const { name, principal } = actorOf(actor);
  const isNew = await insertMovement(tx, {
    id,
    provider,
    environment,
    kind,
    amount,
    foreign_amount: foreign?.amount ?? null,
    foreign_currency: foreign?.currency ?? null,
    otherAccountId,
    reference: reference ?? null,
    reason,
    moved_at: movedAt,
    booked_by: name,
    booked_principal: principal,
  });
  if (!isNew) throw await bookedBefore(tx, movement);
  await postTransfers(tx, {
    merchantId: 0,
    subjectId: id,
    transfers:
      kind === 'top_up'
        ? floatToppedUp({ floatAccount: float, sourceAccount: otherAccountId, amount })
        : floatCharged({ floatAccount: float, chargesAccount: otherAccountId, amount }),
    memo: reason,
  });
  await recordOperation(tx, {
    actor,
    action: kind === 'top_up' ? 'float.top_up' : 'float.charge',
    subject: `float:${provider}`,
    after: {
      movement: id,
      environment,
      amount: formatAmount(amount),
      ...(foreign && { foreign: `${formatAmount(foreign.amount)} ${foreign.currency}` }),
      account: other.code,
      reference: reference ?? null,
      reason,
      moved_at: formatRfc3339(movedAt),
    },
  });
  return { id, otherAccount: other.code };
}

async function bookedBefore(
  tx: Tx,
  { provider, environment, reference = '' }: Movement,
): Promise<OperationError> {
  const before = await findMovement(tx, provider, environment, reference);
  return new OperationError({
    code: 'movement_booked',
    provider,
    reference,
    kind: before?.kind ?? 'top_up',
    amount: before?.amount ?? 0n,
  });
}
