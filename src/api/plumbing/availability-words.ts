/** What a merchant reads about the stock of a gift card. */
import type { Availability } from '../../purchases/orders/check-availability.ts';

const words: Readonly<Record<Availability['fulfillment'], string>> = {
  immediate: 'Available: the card comes with the order',
  standard: 'Available: the order may be pending first; query it',
  out_of_stock: 'Out of stock',
  preorder: 'Not released yet: it can only be pre-ordered, which is not offered',
};

/** The provider's own line comes first. */
export function availabilityWords({ fulfillment, detail }: Availability): string {
  return detail ?? words[fulfillment];
}
