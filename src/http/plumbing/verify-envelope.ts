// The shape a verified customer is answered in: envelope C. Pure. What the biller did not tell is left out.
import { formatAmount } from '../../kernel/money.ts';
import type { CustomerFact } from '../../products/customer.ts';
import type { BillProduct } from '../../products/product.ts';
import { recordOf } from '../../products/registry.ts';
import type { VerifiedCustomer } from '../../vending/purchases/verify-bill-customer.ts';

export type VerifyEnvelope = {
  readonly state: 'ok';
  readonly code: '00';
  readonly message: string;
  readonly result: Readonly<Record<string, string>>;
};

/** What was asked; `msisdn` as it was sent. */
type Question = { readonly product: BillProduct; readonly network: string; readonly msisdn: string };

export function verifyEnvelope(question: Question, verified: VerifiedCustomer): VerifyEnvelope {
  const { product, network, msisdn } = question;
  const { facts } = recordOf(product).customer;
  const fields = {
    product,
    network,
    msisdn,
    customer_name: verified.customer.name,
    ...Object.fromEntries(facts.map((fact) => [factNames[fact], tell(fact, verified)])),
  };
  return {
    state: 'ok',
    code: '00',
    message: 'Customer verified',
    result: Object.fromEntries(Object.entries(fields).filter(isTold)),
  };
}

/** The names that facts have in answers. */
export const factNames = {
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

function tell(fact: CustomerFact, { customer, limits }: VerifiedCustomer): string | undefined {
  // Of the plan and the customer: the narrower ones.
  if (fact === 'minAmount') return formatAmount(limits.min);
  if (fact === 'maxAmount') return formatAmount(limits.max);
  const value = customer[fact];
  return typeof value === 'bigint' ? formatAmount(value) : value;
}

function isTold(field: [string, string | undefined]): field is [string, string] {
  return field[1] !== undefined && field[1] !== '';
}
