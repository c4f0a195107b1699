/**
 * What becomes of the orders that belong to one purchase and are not known here: the purchase is
 * entered, or they are recorded as its attempts, or they are left to a person. Each purchase is a
 * transaction of its own, so that a run can be interrupted and run again.
 *
 * Guarantees: a purchase with an order that may have been delivered is never sent again; nothing is
 * decided here of whether it was.
 */
import { recordOperation } from '../audit-log/audit-log-store.ts';
import type { Database, Tx } from '../db/database.ts';
import type { ActorOrName } from '../kernel/actor.ts';
import { formatRfc3339 } from '../kernel/clock.ts';
import { formatAmount } from '../kernel/money.ts';
import { lockWalletOfVend } from '../wallet/wallet-store.ts';
import { type Entry, enterVend, type FoundAttempt } from './enter-vend.ts';
import {
  type FoundVerdict,
  findStanding,
  insertFoundAttempts,
  makeAttemptCount,
  upsertFoundOrder,
} from './found-order-store.ts';
import type { FoundOrder } from './gather-found.ts';
import type { MissingTerm } from './order-terms.ts';

/** Why orders are left to a person. */
export type LeftReason =
  | 'no_mark'
  | 'no_merchant'
  | 'no_wallet'
  | 'insufficient_funds'
  | 'delivered_again'
  | 'failed_here'
  | 'reference_taken'
  | 'other_lists_missing'
  | `no_${MissingTerm}`;

export type Settled = {
  readonly verdict: FoundVerdict;
  readonly reason: LeftReason | undefined;
  readonly merchantId: number | undefined;
  readonly vendId: string | undefined;
};

export type SettleOptions = {
  readonly database: Database;
  readonly fenceId: string;
  /** Else everything is undone again. */
  readonly apply: boolean;
  readonly actor: ActorOrName;
};

/** Ends a transaction that is to leave nothing. */
class Undone extends Error {
  readonly settled: Settled;

  constructor(settled: Settled) {
    super('undone');
    this.settled = settled;
  }
}

export async function leaveFound(
  options: SettleOptions,
  orders: readonly FoundOrder[],
  reason: LeftReason,
  merchantId?: number,
): Promise<Settled> {
  const settled = { verdict: 'left', reason, merchantId, vendId: undefined } as const;
  if (options.apply) await options.database.transaction((tx) => note(tx, options.fenceId, orders, settled));
  return settled;
}

/** `orders` in the order in which the last one counts. */
export async function enterFound(
  options: SettleOptions,
  orders: readonly FoundOrder[],
  entry: Omit<Entry, 'attempts'>,
): Promise<Settled> {
  const merchantId = entry.merchant.id;
  return await settle(options, orders, async (tx) => {
    const entered = await enterVend(tx, { ...entry, attempts: orders.map(toAttempt) }, options.actor);
    if (entered.kind === 'entered') {
      return { verdict: 'entered', reason: undefined, merchantId, vendId: entered.vendId };
    }
    const reason = entered.kind === 'insufficient' ? 'insufficient_funds' : 'reference_taken';
    return { verdict: 'left', reason, merchantId, vendId: undefined };
  });
}

/** Of a purchase that is known here. */
export async function recordFoundAttempts(
  options: SettleOptions,
  orders: readonly FoundOrder[],
  vend: { readonly merchantId: number; readonly vendId: string },
): Promise<Settled> {
  const left = (reason: LeftReason): Settled => ({ ...vend, verdict: 'left', reason });
  return await settle(options, orders, async (tx) => {
    await lockWalletOfVend(tx, { ...vend, environment: 'live' });
    const standing = await findStanding(tx, vend);
    const noted: Settled = { ...vend, verdict: 'attempt', reason: undefined };
    if (standing === undefined) return left('reference_taken');
    const isOver = orders.every((order) => order.isOver);
    // Nothing came of them, and what the purchase is by now says more.
    if (isOver && (standing.status !== null || standing.is_entered)) return noted;
    if (standing.status !== null) {
      return left(standing.status === 'success' ? 'delivered_again' : 'failed_here');
    }
    const attempts = orders.map(toAttempt);
    const number = await insertFoundAttempts(tx, vend, attempts);
    await makeAttemptCount(tx, vend, { number, provider: attempts.at(-1)?.provider ?? '' });
    await recordOperation(tx, {
      actor: options.actor,
      action: 'restore.record_attempt',
      subject: `vend:${vend.vendId}`,
      after: { orders: orders.map(({ provider, reference }) => `${provider}/${reference}`) },
    });
    return noted;
  });
}

async function settle(
  { database, fenceId, apply }: SettleOptions,
  orders: readonly FoundOrder[],
  work: (tx: Tx) => Promise<Settled>,
): Promise<Settled> {
  try {
    return await database.transaction(async (tx) => {
      const settled = await work(tx);
      // What is left was perhaps begun.
      if (!apply || settled.verdict === 'left') throw new Undone(settled);
      await note(tx, fenceId, orders, settled);
      return settled;
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
    const { settled } = error;
    if (apply) await database.transaction((tx) => note(tx, fenceId, orders, settled));
    return settled;
  }
}

async function note(
  tx: Tx,
  fenceId: string,
  orders: readonly FoundOrder[],
  { verdict, reason, merchantId, vendId }: Settled,
): Promise<void> {
  for (const order of orders) {
    const { provider, reference } = order;
    await upsertFoundOrder(tx, fenceId, {
      provider,
      reference,
      verdict,
      reason: reason ?? '',
      listed: listedOf(order),
      merchant_id: merchantId ?? null,
      vend_id: vendId ?? null,
    });
  }
}

function toAttempt({ provider, reference, line, isOver }: FoundOrder): FoundAttempt {
  return { provider, reference, at: line.at, isOver };
}

/** As it is shown, and as it is read again when a person says what is missing. */
export function listedOf({ line }: FoundOrder): Record<string, unknown> {
  const amount = (value: bigint | undefined): string | undefined =>
    value === undefined ? undefined : formatAmount(value);
  return {
    state: line.state,
    words: line.words,
    at: formatRfc3339(line.at),
    currency: line.currency,
    provider_id: line.providerId,
    product: line.product,
    network: line.network,
    recipient: line.recipient,
    amount: amount(line.amount),
    cost: amount(line.cost),
    amount_currency: line.amountCurrency,
    item: line.item && { ...line.item, unitPrice: amount(line.item.unitPrice) },
  };
}
