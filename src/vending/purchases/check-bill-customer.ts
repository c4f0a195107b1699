/**
 * The verification that comes before a bill is paid. Its outcome is either the customer, who goes
 * with the order, or the reason why nothing is sent: the purchase is then stored as failed and
 * moves nothing.
 */
import { amountLimits, outsideLimits } from '../../products/bill-amount.ts';
import { hasCustomers } from '../../products/bill-recipient.ts';
import { isBillProduct } from '../../products/product.ts';
import type { VendRefusal } from '../path/accept-store.ts';
import type { JudgedRequest } from '../path/judged-request.ts';
import { storeCustomer } from '../vend/stored-customer.ts';
import { outcomeMessages } from '../vend/vend-messages.ts';
import { type CustomerAsker, verifyCustomer } from './verify-customer.ts';

export type CheckedBill =
  | { readonly judged: JudgedRequest; readonly refusal?: undefined }
  | { readonly judged: JudgedRequest; readonly refusal: VendRefusal };

export async function checkBillCustomer(asker: CustomerAsker, judged: JudgedRequest): Promise<CheckedBill> {
  const { product, network, recipient, faceValue } = judged.request;
  if (isBillProduct(product) && !hasCustomers(product, network)) return { judged };
  const { answer } = await verifyCustomer(asker, { ...judged, product, network, recipient });
  switch (answer.kind) {
    case 'rejected':
      return { judged, refusal: refusal('customer_rejected', answer.message) };
    case 'unavailable':
      return { judged, refusal: refusal('not_verified', undefined) };
    case 'verified': {
      const { customer } = answer;
      const outside =
        judged.billAmount?.amountType === 'variable'
          ? outsideLimits(faceValue, amountLimits(judged.billAmount, customer))
          : undefined;
      if (outside !== undefined) return { judged, refusal: refusal('amount_out_of_range', outside) };
      return { judged: { ...judged, details: { ...judged.details, customer: storeCustomer(customer) } } };
    }
  }
}

function refusal(reason: VendRefusal['reason'], telcoMessage: string | undefined): VendRefusal {
  return { reason, message: outcomeMessages[reason], telcoMessage };
}
