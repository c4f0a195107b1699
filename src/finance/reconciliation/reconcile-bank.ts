/**
 * Compares the payments that a bank reported for a period with the deposits of the books, and
 * stores each difference in its temporary table. Nothing else is changed.
 */

import { invariant } from '../../core/errors.ts';
import { leastId } from '../../core/ids.ts';
import { formatAmount, parseSignedAmount } from '../../core/money.ts';
import type { OnProgress } from '../../core/progress.ts';
import type { Sql } from '../../db/database.ts';
import type { Period } from '../../providers/statements/statement-line.ts';
import type { Party } from './compare-order.ts';
import {
  type ComparedPayment,
  groupPayments,
  listReportedPayments,
  listUnnamedPayments,
  listUnreportedDeposits,
  type UnreportedDeposit,
} from './deposits-store.ts';
import type { DifferenceKind } from './difference.ts';
import { type FoundDifference, insertDifferences, sumEffects } from './difference-store.ts';
import { preferIndexes } from './our-orders-store.ts';
import { readSlices } from './read-slices.ts';

export type BankSums = {
  readonly payments: number;
  /** Money in, in kobo, on both sides. */
  readonly paidThere: bigint;
  readonly paidHere: bigint;
};

const EDGE_MS = 5 * 60_000;

export async function reconcileBank(
  sql: Sql,
  bank: Party & { readonly currencies: readonly string[] },
  period: Period,
  onProgress: OnProgress,
): Promise<BankSums> {
  await groupPayments(sql, bank.currencies);
  await preferIndexes(sql);
  const sums = { payments: 0, paidThere: 0n, paidHere: 0n };
  await comparePayments(sql, bank, sums, onProgress);
  await recordUnnamed(sql, bank.currencies, sums);
  await compareUnreported(sql, bank, period, sums);
  const effects = await sumEffects(sql);
  invariant(
    sums.paidHere - sums.paidThere === effects,
    `differences of ${formatAmount(effects)} explain ${formatAmount(sums.paidHere - sums.paidThere)}`,
  );
  return sums;
}

type Sums = { payments: number; paidThere: bigint; paidHere: bigint };

async function comparePayments(
  sql: Sql,
  { name: bank, environment }: Party,
  sums: Sums,
  onProgress: OnProgress,
): Promise<void> {
  const slices = readSlices(
    0n,
    (after, limit) => listReportedPayments(sql, { bank, environment }, after, limit),
    ({ id }) => id,
  );
  for await (const payments of slices) {
    for (const payment of payments) {
      sums.paidThere += payment.amount - payment.taken_back;
      sums.paidHere += (payment.gross ?? 0n) - correctedOf(payment);
    }
    sums.payments += payments.length;
    await insertDifferences(sql, payments.flatMap(comparePayment));
    onProgress({ step: 'comparing', done: sums.payments, unit: 'payments' });
  }
}

/** Records payments without an id: which deposits they are is unknown. */
async function recordUnnamed(sql: Sql, currencies: readonly string[], sums: Sums): Promise<void> {
  const slices = readSlices(
    0n,
    (after, limit) => listUnnamedPayments(sql, currencies, after, limit),
    ({ n }) => n,
  );
  for await (const lines of slices) {
    const found = lines.map(({ n, at, words, state, amount }): FoundDifference => {
      const effect = state === 'payment' ? -amount : amount;
      sums.paidThere -= effect;
      return {
        kind: 'payment_without_id',
        line: n,
        at,
        amount,
        effect,
        here: 'cannot be compared',
        there: `${words}, ${formatAmount(amount)}`,
      };
    });
    sums.payments += lines.length;
    await insertDifferences(sql, found);
  }
}

async function compareUnreported(sql: Sql, party: Party, period: Period, sums: Sums): Promise<void> {
  const of = { bank: party.name, environment: party.environment };
  const slices = readSlices(
    leastId,
    (after, limit) => listUnreportedDeposits(sql, of, period.from, period.to, after, limit),
    ({ id }) => id,
  );
  for await (const unreported of slices) {
    for (const { gross } of unreported) sums.paidHere += gross;
    await insertDifferences(
      sql,
      unreported.map((deposit) => unreportedDifference(deposit, period)),
    );
  }
}

/**
 * Returns the part of the reversed amount that the wallet was credited with: all of it is less our
 * fee.
 */
function creditedOf({ amount, taken_back: back, gross, deposit_fee: fee }: ComparedPayment): bigint {
  return back === amount ? (gross ?? 0n) - (fee ?? 0n) : back;
}

/** Returns the reversed amount for which the merchant's wallet was corrected. */
function correctedOf(payment: ComparedPayment): bigint {
  const { taken_back: back, corrections } = payment;
  const off = (corrections ?? []).reduce((sum, text) => sum - (parseSignedAmount(text) ?? 0n), 0n);
  if (off <= 0n) return 0n;
  return off >= creditedOf(payment) ? back : off;
}

function comparePayment(payment: ComparedPayment): FoundDifference[] {
  const { deposit_id: deposit, gross, settled, amount, fee, merchant_code: merchant } = payment;
  const found: FoundDifference[] = [];
  const add = (kind: DifferenceKind, effect: bigint, here: string, there?: string): void => {
    found.push({
      kind,
      line: payment.n,
      reference: deposit,
      provider_id: payment.provider_id,
      merchant_id: payment.merchant_id,
      at: payment.at,
      amount: isReversal(kind) ? payment.taken_back : amount,
      effect,
      here,
      there: there ?? `${payment.words}, ${formatAmount(amount)}`,
    });
  };
  const back = payment.taken_back;
  if (deposit === null || gross === null) {
    if (amount > back) add('payment_missing_here', back - amount, 'no deposit');
    // It may be of a deposit under another id.
    if (amount < back) add('reversal_unknown_here', back - amount, 'no deposit', takenBackText(payment));
    return found;
  }
  if (gross !== amount) {
    add('payment_amount_differs', gross - amount, `deposit of ${formatAmount(gross)}`);
  }
  const rest = back - correctedOf(payment);
  if (rest > 0n) {
    const here = `deposit of ${formatAmount(gross)}${merchant === null ? ', in suspense' : ` of ${merchant}`}`;
    add('payment_reversed', rest, here, takenBackText(payment));
  }
  const known = settled === null ? null : gross - settled;
  if (fee !== null && known !== null && fee !== known) {
    add('fee_differs', 0n, `fee of ${formatAmount(known)}`, `fee of ${formatAmount(fee)}`);
  }
  if (merchant === null && amount > back) {
    add('deposit_unassigned', 0n, 'in suspense');
  }
  return found;
}

function isReversal(kind: DifferenceKind): boolean {
  return kind === 'payment_reversed' || kind === 'reversal_unknown_here';
}

function takenBackText({ words, taken_back: back, reference }: ComparedPayment): string {
  return `${words}, ${formatAmount(back)} taken back${reference === null ? '' : `, ${reference}`}`;
}

function unreportedDifference(deposit: UnreportedDeposit, { from, to }: Period): FoundDifference {
  const { paid_at: at, gross, words } = deposit;
  const isAtEdge = at.getTime() - from.getTime() < EDGE_MS || to.getTime() - at.getTime() < EDGE_MS;
  return {
    kind: isAtEdge ? 'at_the_edge' : 'payment_missing_there',
    reference: deposit.id,
    provider_id: deposit.provider_reference,
    merchant_id: deposit.merchant_id,
    at,
    amount: gross,
    effect: gross,
    here: `deposit of ${formatAmount(gross)}`,
    there: words ?? 'not reported',
  };
}
