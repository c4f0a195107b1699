/**
 * Prices and buys for people, as the API does for programs: with the same schema, rules, prices and
 * path as single purchases.
 */
import { createRowReader, refusalFor } from '../api/bulk/check-file.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { isRefusal } from '../core/errors.ts';
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
    'priceOf' | 'purchase' | 'verifyBillCustomer' | 'findPurchase' | 'compareWithFirst'
  >;
  readonly authenticator: Pick<Authenticator, 'principalOf'>;
};

export function createCounter(parts: Parts): Counter {
  const { database, purchases, authenticator } = parts;
  const readRow = createRowReader(parts);
  /** Reads the purchase in a row and runs `run` with it. Refusals become answers. */
  const read = async <Answer>(
    purchase: CounterPurchase,
    run: (principal: Principal, row: PricedRow) => Promise<Answer>,
  ) => {
    const principal = await authenticator.principalOf(purchase.credential);
    if (principal === undefined) return { kind: 'ended' } as const;
    try {
      return await run(principal, readRow(principal, fieldsOf(purchase)));
    } catch (error) {
      const { reason, message } = refusalFor(error);
      return { kind: 'refused', reason, message } as const;
    }
  };
  return {
    quote: (purchase) =>
      read(purchase, async (principal, row) => {
        const { environment, merchant } = principal;
        const customer = await verify(purchases, principal, row);
        const available = await availableFor(database, { merchant_id: merchant.id, environment });
        return { kind: 'quote', environment, charge: row.charge, available, customer } as const;
      }),
    buy: (purchase, reference) =>
      read(purchase, async (principal, { charge: _, ...row }) => {
        const request = { ...row, principal, reference };
        try {
          return saleOf(await purchases.purchase(request, 'async'), true);
        } catch (error) {
          if (isRefusal(error, 'outcome_unknown')) return { kind: 'unknown' } as const;
          if (!isRefusal(error, 'reference_used')) throw error;
          const first = await purchases.findPurchase(principal, reference);
          if (first === undefined) throw error;
          const repeat = await purchases.compareWithFirst(principal, first.id, sentOf(purchase));
          if (repeat?.differing.length !== 0) throw error;
          return saleOf(first, false);
        }
      }),
  };
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
