/**
 * Looks up the customer of a biller. This costs nothing, moves no money and stores nothing. It runs
 * for merchants and before each bill purchase. If a provider cannot answer, the next provider of
 * the route is queried, because a second lookup is harmless.
 */

import { requireRoute } from '../../catalog/routes/require-route.ts';
import { GatewayError, invariant, refuseFaults } from '../../core/errors.ts';
import { formatAmount } from '../../core/money.ts';
import {
  type AmountLimits,
  amountLimits,
  type OutsideLimits,
  outsideLimits,
} from '../../core/products/bill-amount.ts';
import { hasCustomers } from '../../core/products/bill-recipient.ts';
import { validateBillCustomer } from '../../core/products/check-bill.ts';
import type { Customer } from '../../core/products/customer.ts';
import { type BillProduct, isBillProduct } from '../../core/products/product.ts';
import type { Principal } from '../../merchants/merchant.ts';
import { requireEnabled } from '../../merchants/require-enabled.ts';
import type { Turn } from '../../providers/http/limiter.ts';
import type { CustomerAnswer } from '../../providers/provider.ts';
import type { PricedRequest } from '../engine/accept-purchase.ts';
import type { PurchaseRefusal } from '../engine/accept-store.ts';
import type { Attempter } from '../engine/attempt-purchase.ts';
import { type Asker, lookUp } from '../engine/lookups.ts';
import { type PurchaseDetails, storeCustomer } from '../state/purchase-details.ts';
import { findBillPlanOf, type Judge } from './price-request.ts';

/** The dependencies of a customer query. */
export type CustomerAsker = Pick<Attempter, 'providers' | 'clock' | 'onAnswer'> & {
  /**
   * How long it waits for one provider, in milliseconds. The purchase itself must still fit before
   * the caller's deadline.
   */
  readonly verifyWithinMs: number;
};

type CustomerOfBill = {
  readonly product: string;
  readonly network: string;
  readonly recipient: string;
  readonly details: PurchaseDetails | undefined;
  /** The merchant of the verification. */
  readonly asker: Asker;
  /** Providers in order; never empty. */
  readonly route: readonly string[];
};

/** The provider that answered, and its answer. */
type Verification = { readonly provider: string; readonly answer: CustomerAnswer };

/**
 * Never throws for an answer. Returns `unavailable` only if every provider of the route was
 * unavailable. Throws GatewayError `provider_look_ups_full`.
 */
async function verifyCustomer(asker: CustomerAsker, customer: CustomerOfBill): Promise<Verification> {
  const { providers, verifyWithinMs } = asker;
  let last: Verification | undefined;
  for (const name of customer.route) {
    const answer = await lookUp(providers.get(name), customer.asker, verifyWithinMs, (turn) =>
      askTimed(asker, name, customer, turn),
    );
    last = { provider: name, answer };
    if (answer.kind !== 'unavailable') return last;
  }
  invariant(last !== undefined, 'a judged bill has a route');
  return last;
}

async function askTimed(
  asker: CustomerAsker,
  name: string,
  customer: CustomerOfBill,
  turn: Turn,
): Promise<CustomerAnswer> {
  const startedAtMs = asker.clock.elapsedMs();
  const answer = await ask(asker, name, customer, turn);
  const latencyMs = asker.clock.elapsedMs() - startedAtMs;
  asker.onAnswer({ provider: name, operation: 'verify', kind: answer.kind, latencyMs });
  return answer;
}

async function ask(
  { providers, verifyWithinMs }: CustomerAsker,
  name: string,
  { product, network, recipient, details }: CustomerOfBill,
  turn: Turn,
): Promise<CustomerAnswer> {
  const provider = providers.get(name);
  if (provider?.verifyCustomer === undefined) {
    return { kind: 'unavailable', code: 'not_offered', message: `${name} does not verify customers` };
  }
  const planCodes = details?.planCodes?.[name];
  const query = { product, network, recipient, ...(planCodes && { planCodes }) };
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), verifyWithinMs);
  try {
    return await provider.verifyCustomer(query, { signal: limit.signal, turn });
  } catch (error) {
    return {
      kind: 'unavailable',
      code: 'connector_fault',
      message: error instanceof Error ? error.name : 'fault',
    };
  } finally {
    clearTimeout(timer);
  }
}

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
   * The limits of a purchase of the plan for this customer. Undefined for a plan with one price.
   */
  readonly limits: AmountLimits | undefined;
};

export type CustomerVerification =
  | (VerifiedCustomer & { readonly kind: 'verified' })
  /** The biller's rejection, for the merchant. */
  | { readonly kind: 'rejected'; readonly message: string }
  | { readonly kind: 'unavailable' };

/** Throws the GatewayError with which a purchase would be refused. */
export async function verifyBillCustomer(
  asker: Judge & CustomerAsker,
  request: CustomerRequest,
): Promise<CustomerVerification> {
  const { principal, product, network, recipient } = request;
  requireEnabled(principal, product);
  if (!hasCustomers(product, network)) {
    throw new GatewayError({ code: 'network_without_customers', network });
  }
  const plan = findBillPlanOf(asker.catalog, request);
  refuseFaults(validateBillCustomer(request));
  const details = { planCodes: plan.providerCodes };
  const route = requireRoute(asker, { principal, product, network, ...details });
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

export type CheckedBill =
  | { readonly judged: PricedRequest; readonly refusal?: undefined }
  | { readonly judged: PricedRequest; readonly refusal: PurchaseRefusal };

/** Throws GatewayError `provider_look_ups_full`. */
export async function checkBillCustomer(asker: CustomerAsker, judged: PricedRequest): Promise<CheckedBill> {
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

/** Stored in the field of the biller's own text, because the limit is the biller's. */
function limitText({ bound, amount }: OutsideLimits): string {
  return `amount must be ${bound === 'min' ? 'at least' : 'at most'} ${formatAmount(amount)}`;
}
