/** Texts about the state of a purchase. Pure. */
import type { Output } from '../../api/operations.ts';
import { minorUnits } from '../../design/format.ts';

export type Purchase = Output<'purchase.show'>;

const nextWords: Readonly<Record<NonNullable<Purchase['next']>['what'], string>> = {
  in_hand: 'A gateway process is working on this purchase.',
  send: 'Send to a provider.',
  ask: 'Query the provider.',
  ask_for_goods: 'Query the provider for the goods.',
  add_goods: 'Add the goods by hand. Ask the provider’s support for them.',
  deliver: 'Send the goods to the customer.',
};

export function nextText(purchase: Purchase): string {
  if (purchase.next !== null) return nextWords[purchase.next.what];
  if (purchase.status === 'pending') return 'No automatic step is left. It needs a decision.';
  if (purchase.status === 'failed') return 'Final. The merchant has its money back.';
  if (isRefundedWhole(purchase)) return 'Final. The merchant has all of its money back.';
  return 'Final. The customer has the goods.';
}

/** Returns the explanation for the customer. */
export function customerText(purchase: Purchase): string {
  if (purchase.status === 'pending') {
    return 'The outcome is not known yet. The money is held, and will be charged once or released in full. Do not buy again until then.';
  }
  if (purchase.status === 'failed') {
    return `Not delivered${purchase.message === null ? '' : `: ${lower(purchase.message)}`}. It can be bought again.`;
  }
  if (isRefundedWhole(purchase)) {
    return 'The provider reported delivery. The merchant was refunded in full and can return the payment.';
  }
  const owes = purchase.pending_fulfilments !== null && purchase.pending_fulfilments.arrived_at === null;
  if (owes) return 'Delivered. The token has not arrived yet.';
  return 'Delivered.';
}

export type Refundable = Pick<Purchase, 'status' | 'charge' | 'refunded'>;

/** Whether the purchase is a success that was refunded in full. */
export function isRefundedWhole({ status, charge, refunded }: Refundable): boolean {
  const back = minorUnits(refunded);
  return status === 'success' && back > 0n && back >= minorUnits(charge);
}

export function toneOf(purchase: Refundable): 'wait' | 'bad' | 'good' {
  if (purchase.status === 'pending' || isRefundedWhole(purchase)) return 'wait';
  return purchase.status === 'failed' ? 'bad' : 'good';
}

function lower(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1).replace(/\.$/, '')}`;
}

export function titleOf({
  title,
  product,
  network,
}: Pick<Purchase, 'title' | 'product' | 'network'>): string {
  if (title !== undefined && title !== null) return title;
  return product === product.toUpperCase()
    ? `${network} ${product.toLowerCase()}`
    : `${network.toUpperCase()} ${product}`;
}
