// The wire, once: these schemas validate every request, shape every answer and are the source of the OpenAPI document.
// A request field's description says what is right, as the end of "<field> must be …": the same words document the
// field and refuse a wrong value.
import { type Static, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox';
import { listWords } from '../../kernel/list-words.ts';
import { billProducts, type Product, products } from '../../products/product.ts';
import { recordOf } from '../../products/registry.ts';
import { airtimeRange, type Format, mobileNetworkList } from './formats.ts';

type TextOptions = { readonly format: Format; readonly maxLength?: number; readonly examples?: string[] };

function text(description: string, { maxLength = 100, ...options }: TextOptions) {
  return Type.String({ description, minLength: 1, maxLength, ...options });
}

const cleanText = 'without control characters or spaces around it';

const merchant = text('the code of your merchant profile', { format: 'clean-text', examples: ['DEMO'] });

const mobileNumber = text('a Nigerian mobile number such as "08031234567" or "2348031234567"', {
  format: 'mobile-number',
  examples: ['08031234567'],
});

const mobileNetwork = text(`one of ${mobileNetworkList}, as a string in any letter case`, {
  format: 'mobile-network',
  examples: ['mtn'],
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
});

/** A list of words, as a JSON Schema that also says they are strings. */
export function words<const Word extends string>(
  list: readonly Word[],
  options: { description?: string } = {},
): TUnsafe<Word> {
  return Type.Unsafe<Word>(Type.String({ enum: [...list], ...options }));
}

function alias(field: string) {
  return Type.Optional(Type.String({ description: `a string: another name of ${field}` }));
}

/** Other names of request fields, and the fields they stand for. */
export const fieldAliases = {
  merchant_code: 'merchant',
  customer_msisdn: 'msisdn',
  client_request_id: 'request_ref',
  plan: 'plan_code',
} as const;

const aliases = {
  merchant_code: alias('merchant'),
  customer_msisdn: alias('msisdn'),
  client_request_id: alias('request_ref'),
};

const planAlias = { plan: alias('plan_code') };

/** In the words of the refusal: `the body must be a JSON object`. */
const bodyOptions = { description: 'a JSON object' };

const mobileCommon = { merchant, msisdn: mobileNumber, network: mobileNetwork, request_ref: reference };

const airtimeFields = { ...mobileCommon, amount: airtimeAmount, ...aliases };
const dataFields = { ...mobileCommon, plan_code: planCode, amount, ...aliases, ...planAlias };

const airtimeExample = {
  merchant: 'DEMO',
  msisdn: '08031234567',
  network: 'mtn',
  amount: '100.00',
  request_ref: 'order-20261121-0001',
};

const dataExample = { ...airtimeExample, plan_code: 'MTN-1', request_ref: 'order-20261121-0002' };

export const airtimeBody = Type.Object(airtimeFields, {
  ...bodyOptions,
  title: 'AirtimeBody',
  examples: [airtimeExample],
});
export const dataBody = Type.Object(dataFields, {
  ...bodyOptions,
  title: 'DataBody',
  examples: [dataExample],
});

const phone = text('a Nigerian mobile number of the customer such as "08031234567"', {
  format: 'mobile-number',
});

function billCustomer(what: string) {
  return text(`${what}, a string of 1 to 64 characters ${cleanText}`, {
    format: 'clean-text',
    maxLength: 64,
  });
}

/** Which networks there are, the catalog says: the routes look it up. */
function billNetwork(what: string, example: string) {
  return text(what, { format: 'clean-text', examples: [example] });
}

const billPlanCode = text('the id of a plan from the list of bill plans, as a string such as "2001"', {
  format: 'clean-text',
  examples: ['2001'],
});

function billFields(network: TSchema, customer: string) {
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
    { product: Type.Literal(product), ...fieldsOf(product) },
    { ...bodyOptions, title: `${capitalised(product)}Transaction` },
  ),
);

/** As part of a schema's name. */
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

const verifyExample = {
  merchant: 'DEMO',
  product: 'ELECTRICITY',
  network: 'Ikeja Electric',
  msisdn: '10000000001',
  plan_code: '2001',
};

const electricityExample = { ...verifyExample, amount: '5000.00', request_ref: 'order-20261121-0003' };

/** A purchase of any product: `product` chooses which of the bodies it must be. */
export const anyProductBody = Type.Object(anyProduct, {
  ...bodyOptions,
  title: 'TransactionBody',
  discriminator: { propertyName: 'product' },
  oneOf: productBodies,
  examples: [
    { product: 'airtime', ...airtimeExample },
    { product: 'data', ...dataExample },
    electricityExample,
  ],
});

/** Any of the create bodies once it is valid. */
export type CreateBody = Static<typeof airtimeBody> & {
  product?: string;
  plan_code?: string;
  phone?: string;
};

const customerNouns = billProducts.map((product) => recordOf(product).customer.noun);
const networkExamples = billProducts.map((product) => `"${recordOf(product).networkExample}"`);

/** Who the customer of a bill is. Exactly one of the two ids of a plan: the route counts them. */
export const verifyBody = Type.Object(
  {
    merchant,
    msisdn: billCustomer(`the ${listWords(customerNouns, 'or')} number`),
    network: billNetwork(
      `a network of the product, such as ${listWords(networkExamples, 'or')}`,
      'Ikeja Electric',
    ),
    product: words(billProducts, { description: `one of ${billProducts.join(', ')}` }),
    plan_code: Type.Optional(billPlanCode),
    service_id: Type.Optional(
      text(
        'the legacy id of a plan, as a string such as "ikeja-electric-prepaid", sent in place of plan_code',
        {
          format: 'clean-text',
        },
      ),
    ),
    merchant_code: aliases.merchant_code,
    customer_msisdn: aliases.customer_msisdn,
    ...planAlias,
  },
  { ...bodyOptions, title: 'VerifyBody', examples: [verifyExample] },
);

export type VerifyBody = Static<typeof verifyBody>;

const lookupKey = text(`the request_ref of a purchase, 1 to 100 characters ${cleanText}`, {
  format: 'clean-text',
  examples: ['order-20261121-0001'],
});

/** Exactly one of the three; the route counts them, so that its refusal can say so in one sentence. */
export const statusQuery = Type.Object({
  request_ref: Type.Optional(lookupKey),
  request_id: Type.Optional(lookupKey),
  client_request_id: Type.Optional(lookupKey),
});

const PAGE_MAX = 100_000;
const PAGE_SIZE_MAX = 100;
export const statementPageSize = PAGE_SIZE_MAX;
export const firstPage = 1;
export const defaultPageSize = 10;

function wholeNumber(to: number, fallback: number) {
  return Type.Optional(
    Type.Integer({
      description: `a whole number from 1 to ${to}, in digits`,
      minimum: 1,
      maximum: to,
      default: fallback,
    }),
  );
}

export const listQuery = Type.Object({
  page: wholeNumber(PAGE_MAX, firstPage),
  limit: wholeNumber(PAGE_SIZE_MAX, defaultPageSize),
  msisdn: Type.Optional(billCustomer('a mobile number in any spelling, or a customer number as it was sent')),
  network: Type.Optional(
    text('the name of a mobile or bill network, such as "mtn" or "EKEDC"', {
      format: 'clean-text',
      examples: ['mtn'],
    }),
  ),
  status: Type.Optional(
    words(['0', '1', '2', '00', '01', '02'], {
      description: '0 (success), 1 (failed) or 2 (pending), or 00, 01, 02',
    }),
  ),
});

export const planParams = Type.Object({ network: mobileNetwork });

export const billPlanParams = Type.Object({
  product: text(
    `one of ${billProducts.map((product) => product.toLowerCase()).join(', ')}, in any letter case`,
    {
      format: 'bill-product',
      examples: ['electricity'],
    },
  ),
});

export const billPlanQuery = Type.Object({
  network: Type.Optional(billNetwork('a network of the product, such as "EKEDC" or "DSTV"', 'EKEDC')),
});

const currencies = ['NGN', 'USD', 'EUR', 'GBP', 'CAD', 'AED'] as const;

const currency = Type.Optional(
  words(currencies, { description: `one of ${currencies.join(', ')}; NGN when absent` }),
);

function personal(what: string, options: TextOptions) {
  return Type.Optional(text(what, options));
}

const firstRegistration = 'required on first registration';

/** What is required depends on what is registered already: the operation says what is missing. */
export const fundingAccountBody = Type.Object(
  {
    currency,
    bvn: personal('the 11 digits of a BVN, as a string; required for NGN', { format: 'bvn' }),
    email: personal(`an e-mail address; ${firstRegistration}`, { format: 'e-mail', maxLength: 254 }),
    first_name: personal(
      `the first name of the account holder, 1 to 50 characters ${cleanText}; ${firstRegistration}`,
      { format: 'clean-text', maxLength: 50 },
    ),
    last_name: personal(
      `the last name of the account holder, 1 to 50 characters ${cleanText}; ${firstRegistration}`,
      { format: 'clean-text', maxLength: 50 },
    ),
    phone_number: personal(
      `a phone number such as "08031234567", or one that begins with + and the country code; ${firstRegistration}`,
      { format: 'phone-number' },
    ),
    date_of_birth: personal('the birthday of an adult, as "YYYY-MM-DD"', { format: 'day' }),
    id_card: Type.Optional(
      Type.String({
        description: 'a file in multipart/form-data: JPEG, PNG, WebP or PDF, at most 5 MB',
        format: 'binary',
      }),
    ),
  },
  {
    description: 'a JSON object, or multipart/form-data',
    title: 'FundingAccountBody',
    examples: [
      {
        currency: 'NGN',
        bvn: '22222222222',
        email: 'ada@example.com',
        first_name: 'Ada',
        last_name: 'Obi',
        phone_number: '08031234567',
        date_of_birth: '1990-04-17',
      },
    ],
  },
);

export type FundingAccountBody = Static<typeof fundingAccountBody>;

export const fundingAccountQuery = Type.Object({ currency });

export const balanceQuery = Type.Object({ currency });

const day = (what: string) =>
  text(`${what}, a day in Lagos as "YYYY-MM-DD"`, { format: 'day', examples: ['2026-11-21'] });

export const statementQuery = Type.Object({
  from: Type.Optional(day('the first day of the statement (that of "to" when absent)')),
  to: Type.Optional(day('its last day (today when absent)')),
  currency,
  limit: wholeNumber(PAGE_SIZE_MAX, statementPageSize),
  cursor: Type.Optional(
    text('the next_cursor of the page before, with the same days and currency', { format: 'clean-text' }),
  ),
  format: Type.Optional(words(['json', 'csv'], { description: 'json or csv; csv is the whole statement' })),
});
