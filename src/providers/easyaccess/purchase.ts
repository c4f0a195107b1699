/** Builds the calls that buy an order at EasyAccess. Pure. */
import { formatAmount } from '../../core/money.ts';
import { localForm } from '../../core/products/mobile-number.ts';
import type { ProviderOrder } from '../provider.ts';

type Fields = Readonly<Record<string, string | number>>;

export type Purchase =
  /** `api` decides how the call is authorised and how its reply is read. */
  | { readonly api: 'new' | 'old'; readonly path: string; readonly body: Fields }
  /** EasyAccess cannot serve the order. */
  | { readonly lacks: 'code' | 'whole naira' };

/** The old API writes them with two digits: `01`. */
const NETWORKS: ReadonlyMap<string, number> = new Map([
  ['MTN', 1],
  ['GLO', 2],
  ['AIRTEL', 3],
  ['9MOBILE', 4],
]);

/** The `airtime_type` of airtime that is sold at its face value. */
const VTU = '001';

const KOBO_PER_NAIRA = 100n;

export function toPurchase(order: ProviderOrder): Purchase {
  const network = NETWORKS.get(order.network);
  if (network === undefined) return { lacks: 'code' };
  switch (order.product) {
    case 'airtime':
      return airtime(order, network);
    case 'data':
      return data(order, network);
    default:
      return { lacks: 'code' };
  }
}

/**
 * Builds an order of airtime. Whether EasyAccess accepts kobo is not documented, and an amount that
 * it rounds would be another purchase. So only whole naira are sent.
 */
function airtime({ reference, recipient, amount }: ProviderOrder, network: number): Purchase {
  if (amount % KOBO_PER_NAIRA !== 0n) return { lacks: 'whole naira' };
  return {
    api: 'old',
    path: '/airtime.php',
    body: {
      network: `0${network}`,
      amount: Number(amount / KOBO_PER_NAIRA),
      mobileno: localForm(recipient),
      airtime_type: VTU,
      client_reference: reference,
    },
  };
}

/**
 * Builds an order of a plan. EasyAccess refuses it if its price has risen above the merchant's
 * charge.
 */
function data({ reference, recipient, planCodes, charge, amount }: ProviderOrder, network: number): Purchase {
  const dataplan = planCodes?.variation_code;
  if (dataplan === undefined) return { lacks: 'code' };
  return {
    api: 'new',
    path: '/live/v1/purchase-data',
    body: {
      network,
      dataplan,
      mobileno: localForm(recipient),
      client_reference: reference,
      max_amount_payable: Number(formatAmount(charge ?? amount)),
    },
  };
}
