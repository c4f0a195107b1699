// The answers of the wire, as schemas: what each route's 200 looks like, and every refusal a route can give.
import { type TProperties, type TSchema, Type } from 'typebox';
import type { VendMode } from '../../vending/vend/vend.ts';
import { words } from './schemas.ts';

export const statusWord = words(['success', 'failed', 'pending']);
export const outcomeCode = words(['00', '01', '02'], { description: '00 success, 01 failed, 02 pending' });
/**
 * One answer: its `title` becomes the schema's name in the OpenAPI document, its description that of the response.
 */
export function answer(title: string, description: string, properties: TProperties, example: unknown) {
  return Type.Object(properties, { title, 'x-response-description': description, examples: [example] });
}

export const optionalText = (description: string) => Type.Optional(Type.String({ description }));

/** What a purchase can have brought, by product. Only what is there is sent. */
const goods = {
  token: optionalText('prepaid electricity: the recharge token'),
  units: optionalText('prepaid electricity: the units bought'),
  kct1: optionalText('first key change token, to be loaded before the token'),
  kct2: optionalText('second key change token, to be loaded before the token'),
  payment_spent_on: optionalText('set when the payment cleared a debt; then there is no token'),
  customer_name: optionalText('the name the biller has'),
};

/** What an order of gift cards or an eSIM can have brought. Only what is there is sent. */
export const orderGoodsProperties = {
  reference_code: optionalText("the provider's own reference, where it gave one"),
  cards: Type.Optional(
    Type.Array(
      Type.Object(
        {
          card_number: optionalText('the number or code on the card'),
          pin: optionalText('its PIN'),
          claim_url: optionalText('where it is claimed'),
        },
        { additionalProperties: true },
      ),
      { description: 'gift cards, once they are there: one for each that was ordered' },
    ),
  ),
  iccid: optionalText('eSIM, once it is issued'),
  activation_code: optionalText('eSIM: the code to type in by hand'),
  smdp_address: optionalText('eSIM: the SM-DP+ address'),
  lpa: optionalText('eSIM: what the QR code says'),
  redemption_instructions: optionalText('eSIM: how it is installed'),
};

const purchase = {
  internal_reference: Type.String({ format: 'uuid' }),
  msisdn: Type.String({ description: 'as it was sent' }),
  product: Type.String(),
  request_id: Type.String({ description: 'the request_ref of the purchase' }),
  network: Type.String({ description: 'in its canonical spelling' }),
  amount: Type.String({ description: 'naira with two decimals' }),
  plan: Type.String({ description: 'the plan code; empty for airtime' }),
  merchant_id: Type.Integer(),
};

const telcoMessage = optionalText('what the network or the biller said');

const purchaseExample = {
  internal_reference: '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10',
  msisdn: '08031234567',
  product: 'airtime',
  request_id: 'order-20261121-0001',
  network: 'MTN',
  amount: '100.00',
  plan: '',
  merchant_id: 1,
};

/** Envelope A of the interface, with the example that fits the way the merchant waits. */
export function createAnswer(mode: VendMode): TSchema {
  const example =
    mode === 'sync'
      ? createExample('success', '00', 'Transaction successful', {
          created_at: '2026-11-21T13:05:09.120+01:00',
        })
      : createExample('pending', '02', 'Transaction pending', {});
  return answer(
    'CreateAnswer',
    'The purchase, as far as it has got. A failed purchase is not an HTTP error.',
    {
      status: statusWord,
      response_code: outcomeCode,
      response_message: Type.String(),
      data: Type.Object({
        ...purchase,
        created_at: optionalText('RFC 3339; on sync creates only'),
        telco_message: telcoMessage,
        ...goods,
      }),
    },
    example,
  );
}

function createExample(status: string, code: string, message: string, more: object): object {
  return {
    status,
    response_code: code,
    response_message: message,
    data: { ...purchaseExample, ...more },
  };
}

const localTimes = {
  created_at: Type.String({ description: 'YYYY-MM-DD HH:MM:SS in Africa/Lagos' }),
  updated_at: Type.String({ description: 'YYYY-MM-DD HH:MM:SS in Africa/Lagos' }),
};

const localTimesExample = { created_at: '2026-11-21 13:05:09', updated_at: '2026-11-21 13:05:10' };

/** Envelope B of the interface. */
export const statusAnswer = answer(
  'StatusAnswer',
  'The purchase as it stands.',
  {
    state: statusWord,
    code: outcomeCode,
    message: Type.String(),
    payload: Type.Object({
      ...purchase,
      merchant_name: Type.String(),
      ...localTimes,
      telco_message: telcoMessage,
      ...goods,
      ...orderGoodsProperties,
    }),
  },
  {
    state: 'success',
    code: '00',
    message: 'Transaction successful',
    payload: { ...purchaseExample, merchant_name: 'Demo merchant', ...localTimesExample },
  },
);

export const listAnswer = answer(
  'ListAnswer',
  'A page of purchases, newest first.',
  {
    state: Type.Literal('ok'),
    result: Type.Object({
      items: Type.Array(Type.Object({ ...purchase, status: statusWord, code: outcomeCode, ...localTimes })),
      page_info: Type.Object({
        total_items: Type.Integer(),
        page: Type.Integer(),
        page_size: Type.Integer(),
        total_pages: Type.Integer(),
      }),
    }),
  },
  {
    state: 'ok',
    result: {
      items: [{ ...purchaseExample, status: 'success', code: '00', ...localTimesExample }],
      page_info: { total_items: 1, page: 1, page_size: 10, total_pages: 1 },
    },
  },
);

export const dataPlansAnswer = answer(
  'DataPlansAnswer',
  'The data plans on sale.',
  {
    status: Type.Literal('2000'),
    description: Type.String(),
    data: Type.Array(
      Type.Object({
        plan_code: Type.String({ description: 'what to send as plan_code' }),
        id: Type.Integer({ description: 'catalog id (legacy)' }),
        name: Type.String(),
        description: Type.String(),
        price: Type.String({ description: 'naira; the amount to send' }),
        tarrifTypeId: Type.String({ description: "the network's own tariff id (legacy)" }),
        validity: Type.String(),
        value: Type.String({ description: 'how much data' }),
        group: Type.String(),
        shortCode: Type.String({ description: 'also accepted as plan_code' }),
      }),
    ),
  },
  {
    status: '2000',
    description: 'Data plans of MTN',
    data: [
      {
        plan_code: 'MTN-1',
        id: 1001,
        name: 'MTN Gifting 110MB - 1 day',
        description: "110MB of the network's own bundle, valid for 1 day",
        price: '100.00',
        tarrifTypeId: '1010',
        validity: '1 day',
        value: '110MB',
        group: 'Daily',
        shortCode: 'MTN-110MB-1D',
      },
    ],
  },
);

export const balanceAnswer = answer(
  'BalanceAnswer',
  'The wallet of the credential: test credentials see the test wallet.',
  {
    state: Type.Literal('ok'),
    result: Type.Object({
      merchant_id: Type.Integer(),
      currency: Type.String(),
      balance: Type.String({ description: 'what is on the wallet, reserved money included' }),
      billing_mode: words(['prepaid', 'postpaid'], {
        description: 'postpaid where credit_floor is below zero',
      }),
      credit_floor: Type.String({ description: 'how low the wallet may go' }),
      held: Type.String({ description: 'reserved for pending purchases' }),
      available: Type.String({ description: 'what can be spent now: balance less held less credit_floor' }),
    }),
  },
  {
    state: 'ok',
    result: {
      merchant_id: 1,
      currency: 'NGN',
      balance: '250000.00',
      billing_mode: 'prepaid',
      credit_floor: '0.00',
      held: '100.00',
      available: '249900.00',
    },
  },
);

export const mtnBalanceAnswer = answer(
  'MtnBalanceAnswer',
  'The vending lines at MTN; none where MTN vending is not enabled.',
  {
    state: Type.Literal('ok'),
    result: Type.Object({
      wallets: Type.Array(
        Type.Object({ phone: Type.String(), balance: Type.String(), client_name: Type.String() }),
      ),
      total: Type.String({ description: 'the sum of the balances' }),
    }),
  },
  {
    state: 'ok',
    result: {
      wallets: [{ phone: '2348031234567', balance: '4567.00', client_name: 'Mama Put Stores' }],
      total: '4567.00',
    },
  },
);

const statementItem = Type.Object({
  time: Type.String({ description: 'RFC 3339 in Africa/Lagos' }),
  type: words(['purchase', 'deposit', 'voucher', 'correction', 'other']),
  reference: Type.String({
    description: 'your request_ref of a purchase, the reference of the bank of a deposit',
  }),
  internal_reference: Type.String({ format: 'uuid' }),
  amount: Type.String({ description: 'below zero where it left the wallet' }),
  balance: Type.String({ description: 'what the wallet had after it' }),
});

export const statementAnswer = answer(
  'StatementAnswer',
  'What moved the wallet, oldest first; with format=csv, or Accept: text/csv, all of it as CSV.',
  {
    state: Type.Literal('ok'),
    result: Type.Object({
      opening_balance: Type.String({ description: 'before the first day' }),
      closing_balance: Type.String({ description: 'after the last day, or now' }),
      items: Type.Array(statementItem),
      next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'null on the last page' }),
    }),
  },
  {
    state: 'ok',
    result: {
      opening_balance: '250000.00',
      closing_balance: '249900.00',
      items: [
        {
          time: '2026-11-21T13:05:09.120+01:00',
          type: 'purchase',
          reference: 'order-20261121-0001',
          internal_reference: '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10',
          amount: '-100.00',
          balance: '249900.00',
        },
      ],
      next_cursor: null,
    },
  },
);

const untilKnown = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description: `${description}; null while pending` });

export const fundingAccountAnswer = answer(
  'FundingAccountAnswer',
  'The bank account whose transfers top the wallet up.',
  {
    state: Type.Literal('ok'),
    result: Type.Object({
      account_number: untilKnown('ten digits'),
      account_name: untilKnown('the name that a payer sees'),
      bank_name: untilKnown('the bank that keeps it'),
      currency: Type.String(),
      status: words(['active', 'pending'], { description: 'pending: the bank is opening it' }),
      id_document_uploaded: Type.Boolean(),
      convenience_fee: Type.String({ description: 'what each deposit is lessened by' }),
    }),
  },
  {
    state: 'ok',
    result: {
      account_number: '6012345678',
      account_name: 'Ada Obi',
      bank_name: 'Wema Bank',
      currency: 'NGN',
      status: 'active',
      id_document_uploaded: false,
      convenience_fee: '100.00',
    },
  },
);

function healthAnswer(description: string, status: 'ok' | 'error', database: 'ok' | 'down'): TSchema {
  return answer(
    'HealthAnswer',
    description,
    {
      status: words(['ok', 'error']),
      version: Type.String(),
      uptime_s: Type.Integer(),
      checks: Type.Object({
        database: words(['ok', 'down']),
        jobs: Type.String({ description: '`ok`, or `late: ` and the background jobs that do not get on' }),
      }),
    },
    { status, version: '0.1.0', uptime_s: 86_400, checks: { database, jobs: 'ok' } },
  );
}

export const healthAnswers: Readonly<Record<200 | 503, TSchema>> = {
  200: healthAnswer('It can take purchases.', 'ok', 'ok'),
  503: healthAnswer('The database does not answer.', 'error', 'down'),
};
