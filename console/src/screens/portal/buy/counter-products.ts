/** The products that can be bought here, and the names of their customer numbers. */
import type { Input } from '../../../api/operations.ts';

export type CounterProduct = Input<'merchant_purchase.quote'>['product'];

type Terms = {
  readonly numberLabel: string;
  readonly networkLabel: string;
  /** Bills also take the mobile number of the customer. */
  readonly isBill: boolean;
};

const mobile: Terms = { numberLabel: 'Mobile number', networkLabel: 'Network', isBill: false };
const bill = { networkLabel: 'Biller', isBill: true };

export const counterProducts: Readonly<Record<CounterProduct, Terms>> = {
  airtime: mobile,
  data: mobile,
  ELECTRICITY: { ...bill, numberLabel: 'Meter number' },
  CABLE: { ...bill, numberLabel: 'Smartcard number' },
  BETTING: { ...bill, numberLabel: 'Account number' },
  EDUCATION: { ...bill, numberLabel: 'Mobile number or profile' },
};

export const counterProductNames = Object.keys(counterProducts) as CounterProduct[];

export function isCounterProduct(product: string): product is CounterProduct {
  return product in counterProducts;
}
