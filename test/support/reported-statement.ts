/**
 * A provider's statement of a played day, from the raw rows: a line for each order, refund, top-up
 * and charge, between an opening and a closing balance. It is correct until a test changes it.
 */

import { applyDiscount, formatAmount } from '../../src/core/money.ts';
import type { Database } from '../../src/db/database.ts';

export type ReportedLine = {
  readonly at: Date;
  /** The provider's own. */
  readonly id: string;
  readonly reference: string;
  readonly type: string;
  readonly status: 'delivered' | 'failed' | 'pending' | 'reversed' | 'completed';
  readonly recipient: string;
  readonly faceValue: bigint;
  readonly cost: bigint;
};

export type ReportedDay = {
  readonly opening: bigint;
  readonly lines: readonly ReportedLine[];
};

const OPENING = 1_000_000_000_00n;
/** In basis points of the amount that it has not charged yet, as in `playDay`. */
const COMMISSION = 300;

type Sent = {
  readonly reference: string;
  readonly started_at: Date;
  readonly status: 'success' | 'failed' | null;
  readonly recipient: string;
  readonly face_value: bigint;
  readonly cost: bigint | null;
};

/** Of the orders that were sent on the day. */
export async function reportDay(database: Database, provider: string, day: string): Promise<ReportedDay> {
  const sent = await database.query<Sent>(
    `select a.reference, a.started_at, o.status, v.recipient, v.face_value, o.cost
     from attempts a
     join purchases v on v.merchant_id = a.merchant_id and v.id = a.purchase_id
     left join purchase_outcomes o on o.merchant_id = a.merchant_id and o.purchase_id = a.purchase_id
     where a.provider = $1
     and a.started_at at time zone 'UTC' >= $2::date - interval '1 hour'
     and a.started_at at time zone 'UTC' < $2::date + interval '23 hours'
     order by a.started_at, a.reference`,
    [provider, day],
  );
  const back = await database.query<{ id: string; reference: string; at: Date; amount: bigint }>(
    `select r.refund_id as id, a.reference, r.at, r.amount
     from purchase_refunds r
     join attempts a on a.merchant_id = r.merchant_id and a.purchase_id = r.purchase_id
     where a.provider = $1
     and r.kind = 'provider'
     order by r.refund_id`,
    [provider],
  );
  const words = { success: 'delivered', failed: 'failed' } as const;
  const orders = sent.map((order, index) => ({
    at: order.started_at,
    id: `T${String(index).padStart(9, '0')}`,
    reference: order.reference,
    type: 'Airtime',
    status: order.status === null ? ('pending' as const) : words[order.status],
    recipient: order.recipient,
    faceValue: order.face_value,
    cost: order.cost ?? applyDiscount(order.face_value, COMMISSION),
  }));
  const refunds = back.map(({ id, reference, at, amount }) => ({
    at,
    id,
    reference,
    type: 'Reversal',
    status: 'reversed' as const,
    recipient: '',
    faceValue: amount,
    cost: amount,
  }));
  return { opening: OPENING, lines: [...orders, ...refunds] };
}

export function movementLine(
  kind: 'top_up' | 'charge',
  { id, at, amount }: { readonly id: string; readonly at: Date; readonly amount: bigint },
): ReportedLine {
  const type = kind === 'top_up' ? 'Wallet Funding' : 'Charge';
  return {
    at,
    id,
    reference: '',
    type,
    status: 'completed',
    recipient: '',
    faceValue: amount,
    cost: amount,
  };
}

/** The amount that left the account by these lines. A line repeated under one id counts once. */
export function takenBy(lines: readonly ReportedLine[]): bigint {
  return [...new Map(lines.map((line) => [`${line.id} ${line.status}`, line])).values()]
    .map(({ status, type, cost }) => {
      if (status === 'failed') return 0n;
      const comes = type === 'Wallet Funding' || type === 'Reversal';
      // The line of an order that is marked as reversed: no money was charged.
      return status === 'reversed' && !comes ? 0n : comes ? -cost : cost;
    })
    .reduce((sum, one) => sum + one, 0n);
}

/** In VTpass's export format. `hidden` is money that left the account without a line. */
export function statementText({ opening, lines }: ReportedDay, hidden = 0n): string {
  const head =
    'Transaction Date,Request ID,Transaction ID,Transaction Type,Unique Element,Amount,Total Amount,Status';
  const rows = lines.map(({ at, id, reference, type, status, recipient, faceValue, cost }) =>
    [
      at.toISOString(),
      reference,
      id,
      type,
      recipient,
      formatAmount(faceValue),
      formatAmount(cost),
      status,
    ].join(','),
  );
  const closing = opening - takenBy(lines) - hidden;
  return `Opening Balance,${formatAmount(opening)}\n${head}\n${rows.join('\n')}\nClosing Balance,${formatAmount(closing)}\n`;
}
