/**
 * The verification that comes before a bill is paid. Its outcome is either the customer, who goes
 * with the order, or the reason why nothing is sent: the purchase is then stored as failed and
 * moves nothing.
 */
import { formatAmount } from '../../kernel/money.ts';
import { amountLimits, type OutsideLimits, outsideLimits } from '../../products/bill-amount.ts';
import { hasCustomers } from '../../products/bill-recipient.ts';
import { isBillProduct } from '../../products/product.ts';
import type { VendRefusal } from '../path/accept-store.ts';
import type { JudgedRequest } from '../path/judged-request.ts';
import { storeCustomer } from '../vend/stored-customer.ts';
import { type CustomerAsker, verifyCustomer } from './verify-customer.ts';

export type CheckedBill =
  | { readonly judged: JudgedRequest; readonly refusal?: undefined }
  | { readonly judged: JudgedRequest; readonly refusal: VendRefusal };

/** Throws GatewayError `provider_look_ups_full`. */
export async function checkBillCustomer(asker: CustomerAsker, judged: JudgedRequest): Promise<CheckedBill> {
  const { principal, product, network, recipient, faceValue } = judged.request;
  if (isBillProduct(product) && !hasCustomers(product, network)) return { judged };
  const { answer } = await verifyCustomer(asker, {
    ...judged,
    product,
    network,
    recipient,
    asker: { merchantId: principal.merchant.id, isPurchase: true },
  });
  switch (answer.kind) {
    case 'rejected':
      return { judged, refusal: { reason: 'customer_rejected', telcoMessage: answer.message } };
    case 'unavailable':
      return { judged, refusal: { reason: 'not_verified', telcoMessage: undefined } };
    case 'verified': {
      const { customer } = answer;
      const outside =
        judged.billAmount?.amountType === 'variable'
          ? outsideLimits(faceValue, amountLimits(judged.billAmount, customer))
          : undefined;
      if (outside !== undefined) {
        return { judged, refusal: { reason: 'amount_out_of_range', telcoMessage: limitText(outside) } };
      }
      return { judged: { ...judged, details: { ...judged.details, customer: storeCustomer(customer) } } };
    }
  }
}

/** Kept where the biller's own words are kept: it is his limit. */
function limitText({ bound, amount }: OutsideLimits): string {
  return `amount must be ${bound === 'min' ? 'at least' : 'at most'} ${formatAmount(amount)}`;
}
