/**
 * Says to a merchant who the customer of a bill is and what may be paid for him. Costs nothing,
 * moves nothing, stores nothing.
 *
 * Judged by the same rules as a purchase, so that what is verified here is not refused there for
 * its plan or its number.
 */
import { GatewayError, refuseFaults } from '../../kernel/errors.ts';
import type { Principal } from '../../merchants/merchant.ts';
import { requireEnabled } from '../../merchants/require-enabled.ts';
import { type AmountLimits, amountLimits } from '../../products/bill-amount.ts';
import { hasCustomers } from '../../products/bill-recipient.ts';
import type { Customer } from '../../products/customer.ts';
import { judgeBillCustomer } from '../../products/judge-bill.ts';
import type { BillProduct } from '../../products/product.ts';
import { requireRoute } from '../../routing/require-route.ts';
import { findBillPlanOf } from './find-bill-plan-of.ts';
import type { Judge } from './judge-request.ts';
import { type CustomerAsker, verifyCustomer } from './verify-customer.ts';

export type CustomerRequest = {
  readonly principal: Principal;
  readonly product: BillProduct;
  /** In its canonical spelling. */
  readonly network: string;
  /** Exactly one of the two. */
  readonly planCode: string | undefined;
  readonly serviceId: string | undefined;
  /** Meter, smartcard or betting account. */
  readonly recipient: string;
};

export type VerifiedCustomer = {
  readonly customer: Customer;
  /**
   * What a purchase of the plan may be worth for this customer; undefined for a plan with one
   * price.
   */
  readonly limits: AmountLimits | undefined;
};

export type CustomerVerification =
  | (VerifiedCustomer & { readonly kind: 'verified' })
  /** The biller's word against the customer, for the merchant. */
  | { readonly kind: 'rejected'; readonly message: string }
  | { readonly kind: 'unavailable' };

/** Throws GatewayError for what a purchase would be refused for too. */
export async function verifyBillCustomer(
  judge: Judge,
  asker: CustomerAsker,
  request: CustomerRequest,
): Promise<CustomerVerification> {
  const { principal, product, network, recipient } = request;
  requireEnabled(principal, product);
  if (!hasCustomers(product, network)) {
    throw new GatewayError({ code: 'network_without_customers', network });
  }
  const plan = findBillPlanOf(judge.catalog, request);
  refuseFaults(judgeBillCustomer(request));
  const details = { planCodes: plan.providerCodes };
  const route = requireRoute(judge, { principal, product, network, ...details });
  const { answer } = await verifyCustomer(asker, {
    product,
    network,
    recipient,
    details,
    route,
    asker: { merchantId: principal.merchant.id, isPurchase: false },
  });
  switch (answer.kind) {
    case 'verified': {
      const limits = plan.amountType === 'fixed' ? undefined : amountLimits(plan, answer.customer);
      return { kind: 'verified', customer: answer.customer, limits };
    }
    case 'rejected':
      return { kind: 'rejected', message: answer.message };
    case 'unavailable':
      return { kind: 'unavailable' };
  }
}
