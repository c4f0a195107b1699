/**
 * Prices and buys for people, as the API does for programs: with the same schema, rules, prices and
 * path as single purchases.
 */
import { createRowReader, refusalFor } from '../api/bulk/check-file.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { GatewayError, isRefusal } from '../core/errors.ts';
import { hasCustomers } from '../core/products/bill-recipient.ts';
import { isBillProduct } from '../core/products/product.ts';
import type { Sql } from '../db/database.ts';
import type { Authenticator } from '../merchants/authenticate.ts';
import type { Principal } from '../merchants/merchant.ts';
import type { PricedRow } from '../purchases/batches/batch.ts';
import { availableFor } from '../purchases/batches/change-batch.ts';
import type {
  Counter,
  CounterCustomer,
  CounterPurchase,
} from '../purchases/create/operations/buy-purchase.ts';
import type { SentPurchase } from '../purchases/idempotency/compare-with-first.ts';
import type { Purchases } from '../purchases/purchases.ts';
import type { Purchase } from '../purchases/state/purchase.ts';

type Parts = {
  readonly database: Sql;
  readonly catalog: Catalog;
  readonly purchases: Pick<
    Purchases,
    'priceOf' | 'purchase' | 'verifyBillCustomer' | 'findFirstUse' | 'findPurchase' | 'compareWithFirst'
  >;
  readonly authenticator: Pick<Authenticator, 'principalOf'>;
};

export function createCounter(parts: Parts): Counter {
  const { database, purchases, authenticator } = parts;
  const readRow = createRowReader(parts);
  /**
   * The answer instead of a refusal, which says that nothing was charged. That is true only if the
   * reference is unused: an earlier press may have bought under it, before a price or a pause
   * changed. Unknown while that cannot be read.
   */
  const refuse = async (
    principal: Principal,
    purchase: CounterPurchase,
    reference: string,
    error: unknown,
  ) => {
    try {
      const used = await purchases.findFirstUse(principal, reference);
      if (used === undefined) return refusedBy(error);
      const repeat = await purchases.compareWithFirst(principal, used.id, sentOf(purchase));
      if (repeat?.differing.length !== 0) {
        const { id: purchaseId, status } = used;
        const fault = { code: 'reference_used', role: 'reference', reference, purchaseId, status } as const;
        return refusedBy(new GatewayError(fault));
      }
      const first = await purchases.findPurchase(principal, reference);
      return first === undefined ? unknown : saleOf(first, false);
    } catch {
      return unknown;
    }
  };
  return {
    quote: async (purchase) => {
      const principal = await authenticator.principalOf(purchase.credential);
      if (principal === undefined) return { kind: 'ended' };
      try {
        const row = readRow(principal, fieldsOf(purchase));
        const { environment, merchant } = principal;
        const customer = await verify(purchases, principal, row);
        const available = await availableFor(database, { merchant_id: merchant.id, environment });
        return { kind: 'quote', environment, charge: row.charge, available, customer };
      } catch (error) {
        return refusedBy(error);
      }
    },
    buy: async (purchase, reference) => {
      const principal = await authenticator.principalOf(purchase.credential);
      if (principal === undefined) return { kind: 'ended' };
      try {
        const { charge: _, ...row } = readRow(principal, fieldsOf(purchase));
        return saleOf(await purchases.purchase({ ...row, principal, reference }, 'async'), true);
      } catch (error) {
        if (isRefusal(error, 'outcome_unknown')) return unknown;
        return await refuse(principal, purchase, reference, error);
      }
    },
  };
}

const unknown = { kind: 'unknown' } as const;

function refusedBy(error: unknown) {
  const { reason, message } = refusalFor(error);
  return { kind: 'refused', reason, message } as const;
}

/** The fields of a purchase by their names in the API. */
function fieldsOf({ product, network, plan, amount, number, phone }: CounterPurchase) {
  return {
    product,
    network,
    ...(plan !== undefined && { plan_code: plan }),
    amount,
    msisdn: number,
    ...(phone !== undefined && { phone }),
  };
}

async function verify(
  purchases: Pick<Purchases, 'verifyBillCustomer'>,
  principal: Principal,
  { product, network, planCode, recipient }: PricedRow,
): Promise<CounterCustomer> {
  if (!isBillProduct(product) || !hasCustomers(product, network)) return { state: 'none' };
  const asked = { principal, product, network, planCode, serviceId: undefined, recipient };
  const verification = await purchases.verifyBillCustomer(asked);
  switch (verification.kind) {
    case 'verified': {
      const { name, address } = verification.customer;
      return { state: 'verified', name, address };
    }
    case 'rejected':
      return { state: 'rejected', message: verification.message };
    case 'unavailable':
      return { state: 'unavailable' };
  }
}

/** The fields that a repetition must share with the first purchase. */
function sentOf({ product, network, plan, amount, number, phone }: CounterPurchase): SentPurchase {
  return {
    product: [product],
    network: [network],
    plan: plan === undefined ? [] : [plan],
    amount: [amount],
    customer: [number],
    phone: phone === undefined ? [] : [phone],
  };
}

function saleOf({ id, status, reason }: Purchase, isNew: boolean) {
  return { kind: 'sale', id, status, reason, isNew } as const;
}
