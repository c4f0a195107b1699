/**
 * The facts that a verification returns about a customer besides the name: the API name, schema and
 * text of each.
 */
import { type Static, type TObject, type TOptional, type TString, Type } from 'typebox';
import { listWords } from '../../../../core/list-words.ts';
import { formatAmount } from '../../../../core/money.ts';
import type { CustomerFact } from '../../../../core/products/customer.ts';
import { type BillProduct, billProducts } from '../../../../core/products/product.ts';
import { recordOf } from '../../../../core/products/registry.ts';
import type { VerifiedCustomer } from '../../../../purchases/create/verify-customer.ts';

const factNames = {
  address: 'customer_address',
  minAmount: 'min_amount',
  maxAmount: 'max_amount',
  meterNumber: 'meter_number',
  arrears: 'arrears',
  accountType: 'account_type',
  meterType: 'meter_type',
  district: 'district',
  businessUnit: 'business_unit',
  districtReference: 'district_reference',
  tariff: 'tariff',
  username: 'customer_username',
  currentBouquet: 'current_bouquet',
  renewalAmount: 'renewal_amount',
  dueDate: 'due_date',
} as const satisfies Readonly<Record<CustomerFact, string>>;

const factTexts: Readonly<Partial<Record<CustomerFact, string>>> = {
  minAmount: 'the minimum that can be paid now, in naira',
  maxAmount: 'the maximum that can be paid now, in naira',
  arrears: 'the arrears in naira; they do not limit purchases',
  renewalAmount: 'the price to renew the current bouquet, in naira',
  dueDate: 'until when the current bouquet is paid',
};

type FactFields = { [Fact in CustomerFact as (typeof factNames)[Fact]]: TOptional<TString> };

/** Each fact with the products that return it. */
export const factFields = Object.fromEntries(
  billProducts.flatMap(toldOf).map((fact) => {
    const tellers = billProducts.filter((name) => toldOf(name).includes(fact));
    const text = factTexts[fact];
    const named = listWords(tellers, 'and').toLowerCase();
    const description = text === undefined ? named : `${named}: ${text}`;
    return [factNames[fact], Type.Optional(Type.String({ description }))];
  }),
) as FactFields;

/** Facts that the biller does not return are left out. */
export function factsOf(product: BillProduct, verified: VerifiedCustomer): Static<TObject<FactFields>> {
  const told = toldOf(product).map((fact) => [factNames[fact], textOf(fact, verified)] as const);
  return Object.fromEntries(told.filter(([, text]) => text !== undefined && text !== ''));
}

function toldOf(name: BillProduct): readonly CustomerFact[] {
  return recordOf(name).customer.facts;
}

function textOf(fact: CustomerFact, { customer, limits }: VerifiedCustomer): string | undefined {
  // The narrower limits of the plan and the customer.
  if (fact === 'minAmount') return limits && formatAmount(limits.min);
  if (fact === 'maxAmount') return limits && formatAmount(limits.max);
  const value = customer[fact];
  return typeof value === 'bigint' ? formatAmount(value) : value;
}
