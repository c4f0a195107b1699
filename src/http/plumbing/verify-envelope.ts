// The shape a verified customer is answered in: envelope C. Pure. What the biller did not tell is left out.
import { formatAmount } from '../../kernel/money.ts';
import type { BillProduct } from '../../products/product.ts';
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
  const fields = {
    product,
    network,
    msisdn,
    customer_name: verified.customer.name,
    ...fieldsOf[product](verified),
  };
  return {
    state: 'ok',
    code: '00',
    message: 'Customer verified',
    result: Object.fromEntries(Object.entries(fields).filter(isTold)),
  };
}

type Fields = Readonly<Record<string, string | undefined>>;

const fieldsOf: Readonly<Record<BillProduct, (verified: VerifiedCustomer) => Fields>> = {
  ELECTRICITY: ({ customer, limits }) => ({
    customer_address: customer.address,
    min_amount: formatAmount(limits.min),
    max_amount: formatAmount(limits.max),
    meter_number: customer.meterNumber,
    arrears: amountOf(customer.arrears),
    account_type: customer.accountType,
    meter_type: customer.meterType,
    district: customer.district,
    business_unit: customer.businessUnit,
    district_reference: customer.districtReference,
    tariff: customer.tariff,
  }),
  CABLE: ({ customer }) => ({
    current_bouquet: customer.currentBouquet,
    renewal_amount: amountOf(customer.renewalAmount),
    due_date: customer.dueDate,
  }),
  BETTING: ({ customer }) => ({ customer_username: customer.username }),
};

function amountOf(kobo: bigint | undefined): string | undefined {
  return kobo === undefined ? undefined : formatAmount(kobo);
}

function isTold(field: [string, string | undefined]): field is [string, string] {
  return field[1] !== undefined && field[1] !== '';
}
