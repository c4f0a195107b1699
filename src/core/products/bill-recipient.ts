/**
 * Whom a bill is paid for: a customer of the network, who is verified first, or, where the network
 * has no customers, a mobile number.
 */
import { parseMobileNumber } from './mobile-number.ts';
import type { BillProduct } from './product.ts';
import { recordOf } from './registry.ts';

/** Whether the network has customers who can be verified, and so are. */
export function hasCustomers(product: BillProduct, network: string): boolean {
  const { customerNetworks } = recordOf(product).customer;
  return customerNetworks === undefined || customerNetworks.includes(network);
}

/** What `msisdn` names: a customer as it was sent, a mobile number in its normal form. */
export function billRecipient(product: BillProduct, network: string, msisdn: string): string {
  return hasCustomers(product, network) ? msisdn : (parseMobileNumber(msisdn) ?? msisdn);
}
