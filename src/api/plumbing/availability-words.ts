/** The message about the stock of a gift card. */
import type { Availability } from '../../purchases/orders/check-availability.ts';

const words: Readonly<Record<Availability['fulfillment'], string>> = {
  immediate: 'Available: the order returns the card.',
  standard: 'Available: the order can be pending first. Query its status.',
  out_of_stock: 'Out of stock.',
  preorder: 'Not released yet. Pre-orders are not available.',
};

/** Returns the provider's own message, or ours if it has none. */
export function availabilityWords({ fulfillment, detail }: Availability): string {
  return detail ?? words[fulfillment];
}
