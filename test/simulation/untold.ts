/** What must exist once everything is final. Each missing item is a sentence. */
import type { Buyer } from '../purchases/fixture.ts';
import type { Installation } from './installation.ts';
import { accountOf } from './merchant.ts';
import { tellEvent } from './receiver.ts';
import type { Stored, StoredPurchase } from './stored-purchases.ts';

/**
 * Finds payments that the wallet lacks, events that the endpoint never received, tokens that
 * providers would return, and batches that still run.
 */
export function findMissing(
  { bank, receiver, book }: Installation,
  buyer: Buyer,
  { purchases, deposits, batches }: Pick<Stored, 'purchases' | 'deposits' | 'batches'>,
  settled: ReadonlySet<string>,
): string[] {
  const taken = new Set(deposits.map(({ reference }) => reference));
  const events = [
    ...purchases
      .filter(({ status }) => status !== null)
      .map(({ id, status }) =>
        tellEvent(status === 'success' ? 'transaction.success' : 'transaction.failed', id),
      ),
    ...deposits.map(({ id }) => tellEvent('deposit.credited', id)),
  ];
  return [
    ...batches.filter(({ state }) => state === 'running').map(({ hash }) => `the batch ${hash} never ends`),
    ...bank
      .paymentsOf(accountOf(buyer))
      .filter(({ reference }) => !taken.has(reference))
      .map(({ reference }) => `payment ${reference} is never taken in`),
    ...events
      .filter((event) => !receiver.taken.has(event))
      .map((event) => `the endpoint is never told: ${event}`),
    ...events
      .filter((event) => (receiver.taken.get(event)?.size ?? 0) > 1)
      .map((event) => `the endpoint was told under two ids: ${event}`),
    ...purchases
      .filter((purchase) => !settled.has(purchase.id) && lacksToken(purchase, book))
      .map(({ reference }) => `${reference}: its token never comes`),
  ];
}

function lacksToken({ status, token, attempts }: StoredPurchase, book: Installation['book']): boolean {
  if (status !== 'success' || token !== null) return false;
  const orders = attempts.flatMap((reference) => book.find(reference) ?? []);
  // Their provider answers a query with something else.
  if (orders.some(({ lied, takenBack, script }) => lied || takenBack || script.forgets)) return false;
  return orders.some(({ state, token: owed }) => state === 'delivered' && owed !== undefined);
}
