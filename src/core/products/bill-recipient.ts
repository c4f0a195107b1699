/**
 * The recipient of a bill: a customer of the network, who is verified first, or a mobile number if
 * the network has no customers.
 */
import { parseMobileNumber } from './mobile-number.ts';
import type { BillProduct } from './product.ts';
import { recordOf } from './registry.ts';

/** Whether the network has customers who can be verified. If so, they are verified. */
export function hasCustomers(product: BillProduct, network: string): boolean {
  const { customerNetworks } = recordOf(product).customer;
  return customerNetworks === undefined || customerNetworks.includes(network);
}

/** The recipient in `msisdn`: a customer as it was sent, a mobile number in its normal form. */
export function billRecipient(product: BillProduct, network: string, msisdn: string): string {
  return hasCustomers(product, network) ? msisdn : (parseMobileNumber(msisdn) ?? msisdn);
}
