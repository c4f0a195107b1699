// The answers of the wire, as schemas: what each route's 200 looks like, and every refusal a route can give.
import { type TSchema, Type } from 'typebox';

const statusWord = Type.Enum(['success', 'failed', 'pending']);
const outcomeCode = Type.Enum(['00', '01', '02'], { description: '00 success, 01 failed, 02 pending' });
const optionalText = (description: string) => Type.Optional(Type.String({ description }));

/** What a purchase can have brought, by product. Only what is there is sent. */
const goods = {
  token: optionalText('prepaid electricity: the recharge token'),
  units: optionalText('prepaid electricity: the units bought'),
  kct1: optionalText('first key change token, to be loaded before the token'),
  kct2: optionalText('second key change token, to be loaded before the token'),
  payment_spent_on: optionalText('set when the payment cleared a debt; then there is no token'),
  customer_name: optionalText('the name the biller has'),
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

/** Envelope A of the interface. */
export const createAnswer = Type.Object(
  {
    status: statusWord,
    response_code: outcomeCode,
    response_message: Type.String(),
    data: Type.Object({
      ...purchase,
      created_at: optionalText('RFC 3339; on sync creates only'),
      telco_message: optionalText('what the network or the biller said'),
      ...goods,
    }),
  },
  { description: 'The purchase, as far as it has got. A failed purchase is not an HTTP error.' },
);

export const createExamples = {
  sync: {
    status: 'success',
    response_code: '00',
    response_message: 'Transaction successful',
    data: { ...purchaseExample, created_at: '2026-11-21T13:05:09.120+01:00' },
  },
  async: {
    status: 'pending',
    response_code: '02',
    response_message: 'Transaction is being processed',
    data: purchaseExample,
  },
};

/** Envelope B of the interface. */
export const statusAnswer = Type.Object(
  {
    state: statusWord,
    code: outcomeCode,
    message: Type.String(),
    payload: Type.Object({
      ...purchase,
      merchant_name: Type.String(),
      created_at: Type.String({ description: 'YYYY-MM-DD HH:MM:SS in Africa/Lagos' }),
      updated_at: Type.String({ description: 'YYYY-MM-DD HH:MM:SS in Africa/Lagos' }),
      telco_message: optionalText('what the network or the biller said'),
      ...goods,
    }),
  },
  {
    description: 'The purchase as it stands.',
    examples: [
      {
        state: 'success',
        code: '00',
        message: 'Transaction successful',
        payload: {
          ...purchaseExample,
          merchant_name: 'Demo merchant',
          created_at: '2026-11-21 13:05:09',
          updated_at: '2026-11-21 13:05:10',
        },
      },
    ],
  },
);

const listRow = {
  internal_reference: purchase.internal_reference,
  request_id: purchase.request_id,
  product: purchase.product,
  network: purchase.network,
  msisdn: purchase.msisdn,
  amount: purchase.amount,
  plan: purchase.plan,
  status: statusWord,
  code: outcomeCode,
  merchant_id: purchase.merchant_id,
  created_at: Type.String({ description: 'YYYY-MM-DD HH:MM:SS in Africa/Lagos' }),
  updated_at: Type.String({ description: 'YYYY-MM-DD HH:MM:SS in Africa/Lagos' }),
};

export const listAnswer = Type.Object(
  {
    state: Type.Literal('ok'),
    result: Type.Object({
      items: Type.Array(Type.Object(listRow)),
      page_info: Type.Object({
        total_items: Type.Integer(),
        page: Type.Integer(),
        page_size: Type.Integer(),
        total_pages: Type.Integer(),
      }),
    }),
  },
  {
    description: 'A page of purchases, newest first.',
    examples: [
      {
        state: 'ok',
        result: {
          items: [
            {
              ...purchaseExample,
              status: 'success',
              code: '00',
              created_at: '2026-11-21 13:05:09',
              updated_at: '2026-11-21 13:05:10',
            },
          ],
          page_info: { total_items: 1, page: 1, page_size: 10, total_pages: 1 },
        },
      },
    ],
  },
);

export const dataPlansAnswer = Type.Object(
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
    description: 'The data plans on sale.',
    examples: [
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
    ],
  },
);

export const balanceAnswer = Type.Object(
  {
    state: Type.Literal('ok'),
    result: Type.Object({
      merchant_id: Type.Integer(),
      currency: Type.String(),
      balance: Type.String({ description: 'what is on the wallet, reserved money included' }),
      billing_mode: Type.Enum(['prepaid', 'postpaid'], {
        description: 'postpaid where credit_floor is below zero',
      }),
      credit_floor: Type.String({ description: 'how low the wallet may go' }),
      held: Type.String({ description: 'reserved for pending purchases' }),
      available: Type.String({ description: 'what can be spent now: balance less held less credit_floor' }),
    }),
  },
  {
    description: 'The wallet of the credential: test credentials see the test wallet.',
    examples: [
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
    ],
  },
);

function healthAnswer(status: 'ok' | 'error', description: string): TSchema {
  return Type.Object(
    {
      status: Type.Literal(status),
      version: Type.String(),
      uptime_s: Type.Integer(),
      checks: Type.Object({ database: Type.Enum(['ok', 'down']) }),
    },
    {
      description,
      examples: [
        { status, version: '0.1.0', uptime_s: 86_400, checks: { database: status === 'ok' ? 'ok' : 'down' } },
      ],
    },
  );
}

export const healthAnswers: Readonly<Record<200 | 503, TSchema>> = {
  200: healthAnswer('ok', 'It can take purchases.'),
  503: healthAnswer('error', 'The database does not answer.'),
};

type Refusal = { readonly description: string; readonly example: Readonly<Record<string, unknown>> };

const refusals = {
  400: {
    description: 'The request cannot be read, or something in it is wrong.',
    example: {
      message: 'network must be a string: mtn, glo, airtel or 9mobile, in any letter case',
      errors: [
        {
          field: 'network',
          message: 'network must be a string: mtn, glo, airtel or 9mobile, in any letter case',
        },
      ],
    },
  },
  401: {
    description: 'The credential headers are missing or wrong.',
    example: { message: 'Missing or invalid credentials: send X-Merchant-Key and X-Merchant-Secret' },
  },
  403: {
    description: 'The credential may not do this: not its merchant, or a product that is not enabled.',
    example: { message: 'merchant is not the profile this credential belongs to' },
  },
  404: {
    description: 'There is no such merchant, purchase or wallet.',
    example: { message: 'No purchase with this reference' },
  },
  422: {
    description:
      'A required field is missing, or the reference was used before; then `data` tells of the first purchase.',
    example: {
      message: 'request_ref was used before: query its status',
      data: {
        internal_reference: purchaseExample.internal_reference,
        status: 'success',
        response_code: '00',
      },
    },
  },
  429: {
    description: 'More requests than the credential may send; Retry-After says when to go on.',
    example: { message: 'Too many requests: the limit is 500 a second' },
  },
  500: {
    description: 'The outcome is not known here: query the status, do not send again.',
    example: { message: 'The outcome is not known yet: query the status' },
  },
  503: {
    description: 'Nothing was stored: send the same request again, after Retry-After where it is given.',
    example: { message: 'Too busy: send the request again' },
  },
} as const satisfies Readonly<Record<number, Refusal>>;

type RefusalStatus = keyof typeof refusals;

const refusalSchemas = new Map<RefusalStatus, TSchema>();

/** The refusals of a route by status, for its `response` schemas. Every route can give 401, 403, 429, 500 and 503. */
export function refusalAnswers(...statuses: readonly RefusalStatus[]): Record<number, TSchema> {
  return Object.fromEntries(
    [...statuses, 401, 403, 429, 500, 503].map((status) => [status, refusal(status as RefusalStatus)]),
  );
}

function refusal(status: RefusalStatus): TSchema {
  const known = refusalSchemas.get(status);
  if (known !== undefined) return known;
  const { description, example } = refusals[status];
  const schema = Type.Object(
    {
      status: Type.Literal('error'),
      code: Type.Literal(status),
      message: Type.String(),
      errors: Type.Optional(Type.Array(Type.Object({ field: Type.String(), message: Type.String() }))),
    },
    { description, additionalProperties: true, examples: [{ status: 'error', code: status, ...example }] },
  );
  refusalSchemas.set(status, schema);
  return schema;
}
