/**
 * Compares the payments that a bank told of a period, now in the temporary tables, with the
 * deposits of the books, and stores each difference in the table of them. Nothing else is changed.
 */
import type { Sql } from '../db/database.ts';
import { leastId } from '../kernel/ids.ts';
import { formatAmount } from '../kernel/money.ts';
import type { OnProgress } from '../kernel/progress.ts';
import type { Period } from '../statements/statement-line.ts';
import type { Party } from './compare-order.ts';
import {
  type ComparedPayment,
  collapsePayments,
  listComparedPayments,
  listUntoldDeposits,
  type UntoldDeposit,
} from './deposits-store.ts';
import type { DifferenceKind } from './difference.ts';
import { followKeys } from './our-orders-store.ts';
import { type FoundDifference, insertDifferences } from './told-store.ts';

export type BankSums = {
  readonly payments: number;
  /** What came in, in kobo, by both sides. */
  readonly paidThere: bigint;
  readonly paidHere: bigint;
};

const SLICE = 1_000;
const EDGE_MS = 5 * 60_000;

export async function reconcileBank(
  sql: Sql,
  { name: bank, environment }: Party,
  period: Period,
  onProgress: OnProgress,
): Promise<BankSums> {
  await collapsePayments(sql);
  await followKeys(sql);
  const sums = { payments: 0, paidThere: 0n, paidHere: 0n };
  for (let after = 0n; ; ) {
    const payments = await listComparedPayments(sql, { bank, environment }, after, SLICE);
    for (const { amount, gross } of payments) {
      sums.paidThere += amount;
      sums.paidHere += gross ?? 0n;
    }
    sums.payments += payments.length;
    await insertDifferences(sql, payments.flatMap(comparePayment));
    onProgress({ step: 'comparing', done: sums.payments, unit: 'payments' });
    const last = payments.at(-1);
    if (last === undefined || payments.length < SLICE) break;
    after = last.id;
  }
  const { from, to } = period;
  for (let after = leastId; ; ) {
    const untold = await listUntoldDeposits(sql, { bank, environment }, from, to, after, SLICE);
    for (const { gross } of untold) sums.paidHere += gross;
    await insertDifferences(
      sql,
      untold.map((deposit) => untoldDifference(deposit, period)),
    );
    const last = untold.at(-1);
    if (last === undefined || untold.length < SLICE) return sums;
    after = last.id;
  }
}

function comparePayment(payment: ComparedPayment): FoundDifference[] {
  const { deposit_id: deposit, gross, settled, amount, fee, merchant_id: merchant } = payment;
  const found: FoundDifference[] = [];
  const add = (
    kind: DifferenceKind,
    effect: bigint,
    here: string,
    mend: string | null,
    there?: string,
  ): void => {
    found.push({
      kind,
      line: payment.n,
      reference: deposit,
      provider_id: payment.provider_id,
      merchant_id: merchant,
      vend_id: null,
      at: payment.at,
      amount,
      effect,
      here,
      there: there ?? `${payment.words}, ${formatAmount(amount)}`,
      mend,
      purchase: null,
    });
  };
  if (deposit === null || gross === null) {
    add('payment_missing_here', -amount, 'no deposit', null);
    return found;
  }
  if (gross !== amount) {
    add('payment_amount_differs', gross - amount, `deposit of ${formatAmount(gross)}`, null);
  }
  const known = settled === null ? null : gross - settled;
  if (fee !== null && known !== null && fee !== known) {
    add('fee_differs', 0n, `fee of ${formatAmount(known)}`, null, `fee of ${formatAmount(fee)}`);
  }
  if (merchant === null) {
    add('deposit_unassigned', 0n, 'in suspense', `./oja deposit assign ${deposit} MERCHANT`);
  }
  return found;
}

function untoldDifference(deposit: UntoldDeposit, { from, to }: Period): FoundDifference {
  const { paid_at: at, gross } = deposit;
  const isAtEdge = at.getTime() - from.getTime() < EDGE_MS || to.getTime() - at.getTime() < EDGE_MS;
  return {
    kind: isAtEdge ? 'at_the_edge' : 'payment_missing_there',
    line: null,
    reference: deposit.id,
    provider_id: deposit.provider_reference,
    merchant_id: deposit.merchant_id,
    vend_id: null,
    at,
    amount: gross,
    effect: gross,
    here: `deposit of ${formatAmount(gross)}`,
    there: 'not told',
    mend: null,
    purchase: null,
  };
}
