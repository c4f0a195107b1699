/**
 * Books float movements: a top-up of our account at a provider, or a charge of the provider besides
 * purchases.
 */

import { Type } from 'typebox';
import { accountField, accountOutput } from '../../../core/account-names.ts';
import { type ActorOrName, actorOf } from '../../../core/actor.ts';
import { type Clock, formatRfc3339, parseDay } from '../../../core/clock.ts';
import type { Environment } from '../../../core/environment.ts';
import { invariant, OperationError } from '../../../core/errors.ts';
import { newId } from '../../../core/ids.ts';
import { type Currency, formatAmount, type Money, parseAmount } from '../../../core/money.ts';
import { nullableText } from '../../../core/nullable.ts';
import { defineOperation, treasurers } from '../../../core/operation.ts';
import {
  amountField,
  amountOutput,
  currencyField,
  inputOf,
  keyField,
  reasonField,
  text,
  timeOutput,
} from '../../../core/operation-fields.ts';
import type { TypedKind } from '../../../core/typed-number.ts';
import type { Tx } from '../../../db/database.ts';
import type { BankDefinition } from '../../../funding/banks/bank-definition.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import type { ProviderFacts } from '../../../providers/provider.ts';
import { requireProvider } from '../../../providers/require-provider.ts';
import { ensureAccount } from '../../../wallet/ledger/account-store.ts';
import {
  bankAccount,
  capitalAccount,
  floatAccount,
  floatCharged,
  floatToppedUp,
  providerChargesAccount,
} from '../../../wallet/ledger/chart-of-accounts.ts';
import { postTransfers } from '../../../wallet/ledger/post-transfers.ts';
import { findMovement, insertMovement, type MovementKind } from '../movement-store.ts';

type Needs = Acting & {
  readonly providers: readonly ProviderFacts[];
  readonly banks: readonly Pick<BankDefinition, 'name'>[];
  readonly clock: Clock;
};

const shared = {
  provider: accountField(),
  amount: amountField,
  currency: currencyField,
  naira: Type.Optional(
    Type.String({
      ...amountField,
      'x-typed': 'naira' satisfies TypedKind,
      description: 'the naira cost of an amount in another currency, because the books are in naira',
    }),
  ),
  reference: Type.Optional(
    text("the provider's id of the movement, which is booked only once", { maxLength: 200 }),
  ),
  at: Type.Optional(
    Type.String({
      description: 'when the money moved, such as 2026-11-22T13:05:00+01:00; by default, now',
      pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d{1,6})?(?:Z|[+-]\\d{2}:\\d{2})$',
    }),
  ),
  key: keyField,
};

const output = Type.Object({
  id: Type.String(),
  provider: accountOutput,
  /** In naira. */
  amount: amountOutput,
  /** The account on the other side. */
  account: Type.String(),
  reference: nullableText,
  at: timeOutput,
});

type Given = {
  readonly provider: string;
  readonly amount: string;
  readonly currency: Currency;
  readonly naira?: string;
  readonly reference?: string;
  readonly at?: string;
};

async function book(
  { tx, actor, providers, clock }: Needs,
  given: Given & { readonly bank: string | undefined; readonly reason: string },
  kind: MovementKind,
) {
  const { environment } = requireProvider(providers, given.provider);
  const amount = parseAmount(given.amount);
  invariant(amount !== undefined, 'the schema checks amounts');
  const isForeign = given.currency !== 'NGN';
  const naira = given.naira === undefined ? undefined : parseAmount(given.naira);
  if (isForeign && naira === undefined) {
    throw new OperationError({ code: 'naira_missing', currency: given.currency });
  }
  const kobo = isForeign ? (naira ?? 0n) : amount;
  const movedAt = readMoment(given.at, clock.now());
  const { id, otherAccount } = await bookMovement(
    tx,
    {
      provider: given.provider,
      environment,
      kind,
      amount: kobo,
      foreign: isForeign ? { amount, currency: given.currency } : undefined,
      bank: given.bank,
      reference: given.reference,
      reason: given.reason,
      movedAt,
    },
    actor,
  );
  return {
    id,
    provider: given.provider,
    amount: formatAmount(kobo),
    account: otherAccount,
    reference: given.reference ?? null,
    at: formatRfc3339(movedAt),
  };
}

/** The tolerance for times in the future, because clocks differ. */
const AHEAD_MS = 5 * 60_000;

function readMoment(at: string | undefined, now: Date): Date {
  if (at === undefined) return now;
  const read = new Date(at);
  // A Date would accept 30 February as a day of March.
  if (Number.isNaN(read.getTime()) || parseDay(at.slice(0, 10)) === undefined) {
    throw new OperationError({ code: 'no_such_moment', at });
  }
  if (read.getTime() > now.getTime() + AHEAD_MS) throw new OperationError({ code: 'moment_to_come', at });
  return read;
}

export const topUpFloatOperation = defineOperation({
  name: 'float.top_up',
  kind: 'act',
  summary: "book a top-up of our account at a provider, from a bank or from the owner's capital",
  roles: treasurers,
  route: 'POST /floats/{provider}/top-ups',
  document: 'operators/floats.md',
  movesMoney: true,
  input: inputOf({
    ...shared,
    bank: Type.Optional(text("the bank that the money came from; by default, the owner's capital")),
    reason: Type.Optional(reasonField),
  }),
  output,
  run: async (needs: Needs, { bank, reason = 'top-up', ...given }) => {
    const known = needs.banks.map(({ name }) => name).sort();
    if (bank !== undefined && !known.includes(bank)) {
      throw new OperationError({ code: 'no_such_bank', bank, known });
    }
    return await book(needs, { ...given, bank, reason }, 'top_up');
  },
});

export const chargeFloatOperation = defineOperation({
  name: 'float.charge',
  kind: 'act',
  summary: 'book a charge of a provider other than for purchases, such as a fee',
  roles: treasurers,
  route: 'POST /floats/{provider}/charges',
  document: 'operators/floats.md',
  movesMoney: true,
  input: inputOf({ ...shared, reason: reasonField }),
  output,
  run: (needs: Needs, given) => book(needs, { ...given, bank: undefined }, 'charge'),
});

type Movement = {
  readonly provider: string;
  readonly environment: Environment;
  readonly kind: MovementKind;
  /** In kobo. */
  readonly amount: bigint;
  /** The amount in the currency of our account there, if that is not naira. */
  readonly foreign: Money | undefined;
  /** The bank that a top-up came from; undefined for the owner's capital. */
  readonly bank: string | undefined;
  /** The provider's id of the movement. */
  readonly reference: string | undefined;
  readonly reason: string;
  readonly movedAt: Date;
};

/** Books a movement. Throws OperationError `movement_booked` if its reference was booked before. */
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
