/** The bodies of purchases, one for each product, and envelope A of the interface. */
import {
  type Static,
  type TObject,
  type TOptional,
  type TProperties,
  type TString,
  type TUnsafe,
  Type,
} from 'typebox';
import { listWords } from '../../../../core/list-words.ts';
import { formatAmount } from '../../../../core/money.ts';
import { airtimeKinds } from '../../../../core/products/plan-kind.ts';
import { type Product, products } from '../../../../core/products/product.ts';
import { recordOf } from '../../../../core/products/registry.ts';
import { answer, optionalText, outcomeCode, statusWord } from '../../../plumbing/answer.ts';
import { billNetwork, bodyOptions, cleanText, mobileNetwork, text, words } from '../../../plumbing/fields.ts';
import { airtimeRange } from '../../../plumbing/formats.ts';
import { samplePurchase } from '../../../plumbing/openapi/sample-purchases.ts';
import { failureFields } from '../../../plumbing/outcome-words.ts';
import { goodsFields, purchaseFields } from '../../../plumbing/purchase-answer.ts';
import {
  billCustomer,
  billPlanCode,
  customerAliases,
  merchant,
  planAlias,
  referenceAlias,
} from '../fields.ts';

const mobileNumber = text('a Nigerian mobile number such as "08031234567" or "2348031234567"', {
  format: 'mobile-number',
  examples: ['08031234567'],
});

const reference = text(
  `your own unique key for this purchase, a string of 1 to 100 characters ${cleanText}`,
  {
    format: 'clean-text',
    examples: ['order-20261121-0001'],
  },
);

const amount = text('an amount of naira as a string: digits with at most two decimals, above zero', {
  format: 'naira-amount',
  examples: ['1000.00'],
});

const airtimeAmount = text(
  `an amount of naira as a string: digits with at most two decimals, from ${airtimeRange}`,
  { format: 'airtime-amount', examples: ['100.00'] },
);

const planCode = text('a plan code from the list of plans, as a string such as "MTN-1"', {
  format: 'clean-text',
  examples: ['MTN-1'],
  'x-or-integer': true,
});

const aliases = { ...customerAliases, ...referenceAlias };
const mobileCommon = { merchant, msisdn: mobileNumber, network: mobileNetwork, request_ref: reference };
const airtimeKind = Type.Optional(
  words(airtimeKinds, {
    description: `one of ${airtimeKinds.join(', ')}: how the network credits it; default ${airtimeKinds[0]}`,
  }),
);
const airtimeFields = { ...mobileCommon, amount: airtimeAmount, kind: airtimeKind, ...aliases };
const dataFields = { ...mobileCommon, plan_code: planCode, amount, ...aliases, ...planAlias };

/** A purchase as a merchant writes it. */
function exampleOf(product: Product, fields: Readonly<Record<string, string>> = {}): object {
  const { network, msisdn, planCode, faceValue, reference } = samplePurchase(product, 'success');
  const record = recordOf(product);
  return {
    merchant: 'DEMO',
    msisdn,
    network: record.kind === 'direct' ? network.toLowerCase() : network,
    ...(planCode !== undefined && { plan_code: planCode }),
    amount: formatAmount(faceValue),
    request_ref: reference,
    ...(record.kind === 'bill' && record.customer.phone === 'required' && { phone: '08031234567' }),
    ...fields,
  };
}

export const airtimeBody = Type.Object(airtimeFields, {
  ...bodyOptions,
  title: 'AirtimeBody',
  'x-examples': { airtime: exampleOf('airtime') },
});

export const dataBody = Type.Object(dataFields, {
  ...bodyOptions,
  title: 'DataBody',
  'x-examples': { data: exampleOf('data') },
});

export const phone = text('a Nigerian mobile number of the customer such as "08031234567"', {
  format: 'mobile-number',
});

function billFields(network: TString, customer: string) {
  return {
    merchant,
    msisdn: billCustomer(customer),
    network,
    plan_code: billPlanCode,
    amount,
    request_ref: reference,
    ...aliases,
    ...planAlias,
  };
}

/** The fields of a create body, by how the product's plans are chosen. */
function fieldsOf(product: Product): TProperties {
  const record = recordOf(product);
  if (record.kind === 'direct') return record.plans === 'none' ? airtimeFields : dataFields;
  const { customer, networkText, networkExample } = record;
  return {
    ...billFields(billNetwork(networkText, networkExample), customer.sent),
    phone: customer.phone === 'required' ? phone : Type.Optional(phone),
  };
}

const productBodies = products.map((product) =>
  Type.Object(
    {
      product: Type.Literal(product, { description: listWords(products, 'or'), 'x-any-case': true }),
      ...fieldsOf(product),
    },
    { ...bodyOptions, title: `${capitalised(product)}Transaction` },
  ),
);

/** The name as a part of a schema's name. */
function capitalised(product: Product): string {
  return `${product.charAt(0).toUpperCase()}${product.slice(1).toLowerCase()}`;
}

const anyProduct = {
  merchant,
  msisdn: text('the number to recharge, or the customer number at the biller', { format: 'clean-text' }),
  network: text('a network of the product', { format: 'clean-text' }),
  product: Type.String({ description: listWords(products, 'or') }),
  amount,
  request_ref: reference,
};

type AnyFields = Omit<typeof anyProduct, 'product'> & {
  readonly product: TUnsafe<Product>;
  readonly plan_code: TOptional<typeof planCode>;
  readonly kind: typeof airtimeKind;
  readonly phone: TOptional<typeof phone>;
};

/** A valid purchase as it was sent. The product decides which optional fields it has. */
export type PurchaseBody = Static<TObject<AnyFields>>;

/** A purchase of any product: `product` chooses which of the bodies it must be. */
export const anyProductBody: TUnsafe<PurchaseBody> = Type.Unsafe(
  Type.Object(anyProduct, {
    ...bodyOptions,
    title: 'TransactionBody',
    discriminator: { propertyName: 'product' },
    oneOf: productBodies,
    'x-examples': {
      ...Object.fromEntries(
        products.map((product) => [product.toLowerCase(), { product, ...exampleOf(product) }]),
      ),
      electricity_postpaid: {
        product: 'ELECTRICITY',
        ...exampleOf('ELECTRICITY', { msisdn: '10000000002', plan_code: '2002' }),
      },
    },
  }),
);

/** Envelope A of the interface. */
export const createAnswer = answer(
  'CreateAnswer',
  'The current state of the purchase. A failed purchase is not an HTTP error.',
  {
    status: statusWord,
    response_code: outcomeCode,
    response_message: Type.String(),
    data: Type.Object({
      ...purchaseFields,
      created_at: optionalText('RFC 3339; absent on pending async creates'),
      ...failureFields,
      ...goodsFields,
    }),
  },
);

export type CreateAnswer = Static<typeof createAnswer>;
