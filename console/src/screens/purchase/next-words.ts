/** What happens to a purchase next, in words. Pure. */
import type { Output } from '../../api/operations.ts';
import { minorUnits } from '../../design/format.ts';

export type Purchase = Output<'purchase.show'>;

const nextWords: Readonly<Record<NonNullable<Purchase['next']>['what'], string>> = {
  in_hand: 'A gateway process has it in hand at this moment.',
  send: 'It is sent to a provider.',
  ask: 'Its provider is asked what became of it.',
  ask_for_goods: 'Its provider is asked for the goods that it owes.',
  add_goods: 'Its goods are for a person to add: ask the provider’s support for them.',
  deliver: 'What it brought is sent to the customer.',
};

export function nextText(purchase: Purchase): string {
  if (purchase.next !== null) return nextWords[purchase.next.what];
  if (purchase.status === 'pending') return 'Nothing happens by itself: a person is to decide.';
  if (purchase.status === 'failed') return 'Nothing is left to happen. The merchant has its money back.';
  if (isRefundedWhole(purchase)) return 'Nothing is left to happen. The merchant has all of its money back.';
  return 'Nothing is left to happen. The customer has what was bought.';
}

/** What to tell the customer, in a sentence or two. */
export function customerText(purchase: Purchase): string {
  if (purchase.status === 'pending') {
    return 'It is not known yet. The money is held, and is either used once or given back whole: it must not be bought again meanwhile.';
  }
  if (purchase.status === 'failed') {
    return `It was not delivered${purchase.message === null ? '' : `: ${lower(purchase.message)}`}. It can be bought again.`;
  }
  if (isRefundedWhole(purchase)) {
    return 'The provider reported it as delivered. The merchant was refunded in full and may return the payment.';
  }
  const owes = purchase.pending_fulfilments !== null && purchase.pending_fulfilments.arrived_at === null;
  if (owes) return 'It was delivered, but its token has not come yet. It is on its way.';
  return `It was delivered${purchase.provider === null ? '' : ` by ${purchase.provider}`}.`;
}

/** A success whose whole charge was given back to the merchant. */
export function isRefundedWhole({ status, charge, refunded }: Purchase): boolean {
  const back = minorUnits(refunded);
  return status === 'success' && back > 0n && back >= minorUnits(charge);
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
