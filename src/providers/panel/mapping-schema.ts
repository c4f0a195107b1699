/**
 * The mapping of a panel account: how the panel is called and how its replies are read. Every field
 * is documented by its description. An unknown field is refused, so that a misspelt one is not
 * ignored.
 */
import { type Static, type TProperties, Type } from 'typebox';

/** Defines an object. Unknown fields are refused. */
function object<const Fields extends TProperties>(fields: Fields, description?: string) {
  return Type.Object(fields, {
    additionalProperties: false,
    ...(description !== undefined && { description }),
  });
}

function text(description: string) {
  return Type.String({ minLength: 1, maxLength: 200, description });
}

function words(description: string) {
  return Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 50, description });
}

/** Fields of a reply, as `a.b`. The first that has a value counts. `.` is the whole reply. */
function fields(description: string) {
  return words(`${description}: fields of the reply as "a.b", the first with a value counts`);
}

const template =
  'texts may have {network}, {plan}, {phone}, {recipient}, {amount}, {meter_type}, {airtime_kind}, {reference}, {order_id}, {page}; "{amount#}" is sent as a number';

const request = object({
  method: Type.Enum(['GET', 'POST'], { description: 'GET or POST' }),
  path: Type.String({
    pattern: '^/[^?#\\s]*$',
    maxLength: 200,
    description: `below the base URL, with the slash at its end that the panel wants; ${template}`,
  }),
  query: Type.Optional(Type.Record(Type.String(), Type.String(), { description: `the query; ${template}` })),
  body: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]), {
      description: `the JSON body of a POST; ${template}`,
    }),
  ),
});

const statuses = object(
  {
    fields: words('fields that have the status word; all that are present must agree'),
    success: words('words for delivered'),
    pending: words('words for not final yet'),
    failed: words('words for a final failure'),
  },
  'the status words of the reply, in any letter case. Any other word is unknown',
);

const trust = object(
  {
    success: Type.Enum(['final', 'provisional'], {
      description:
        'final: a success is believed at once. provisional: the purchase stays pending until the success is confirmed',
    }),
    confirm_by: Type.Array(Type.Enum(['balance', 'record']), {
      description:
        'balance: the balances in the reply differ by the cost. record: a lookup reads success after confirm_after_s',
    }),
    confirm_after_s: Type.Integer({ minimum: 1, maximum: 86_400, description: 'seconds after the order' }),
  },
  'whether a success is believed',
);

const verify = object(
  {
    request,
    name: fields('the name of the customer'),
    address: Type.Optional(fields('the address of the customer')),
    rejected: Type.Optional(
      object(
        { field: text('a field of the reply'), value: text('its value, as text') },
        "the panel's answer for a customer that the biller does not know",
      ),
    ),
  },
  'verifies the customer before purchase',
);

const lookup = object(
  {
    by_id: Type.Optional(request),
    record: Type.Optional(
      text('the field of the by_id reply that contains the record (default: the whole reply)'),
    ),
    statuses: Type.Optional(statuses),
    list: Type.Optional(
      object(
        {
          request,
          rows: fields('the list of records, newest first'),
          at: text('the field of a record that contains its time'),
          zone_minutes: Type.Integer({
            minimum: -720,
            maximum: 840,
            description: 'minutes east of UTC for times without a zone: 60 is Lagos',
          }),
          pages: Type.Integer({
            minimum: 1,
            maximum: 50,
            description: 'the maximum number of pages to read',
          }),
          window_s: Type.Integer({
            minimum: 60,
            maximum: 86_400,
            description: 'seconds after the order in which its record is created',
          }),
          skew_s: Type.Integer({
            minimum: 0,
            maximum: 3_600,
            description: "seconds by which the panel's clock may differ",
          }),
        },
        'finds the record by number, plan, amount and time. A record that is absent proves nothing',
      ),
    ),
  },
  'how the outcome of an order is queried',
);

const order = object({
  request,
  recipient: Type.Optional(fields('the number that the panel sold to')),
  amount: Type.Optional(fields('the amount that the panel sold')),
  plan: Type.Optional(fields('the id of the plan that the panel sold')),
  token: Type.Optional(fields('the token of a prepaid meter')),
  units: Type.Optional(fields('the units of a prepaid meter')),
  pins: Type.Optional(fields('exam PINs: a list, or text with commas')),
  serials: Type.Optional(fields('the serial numbers of the PINs, in the same order')),
  statuses: Type.Optional(statuses),
  trust: Type.Optional(trust),
  verify: Type.Optional(verify),
  lookup: Type.Optional(lookup),
});

const sentIn = Type.Enum(['header', 'query'], { description: 'where it is sent' });
const sentAs = text('the name of the header or of the query parameter');

/** A mapping with all the values of its preset. */
export const mappingSchema = object({
  preset: Type.Optional(text('the preset that the rest is added to: msorg, adex, php or smartrecharge')),
  auth: object({ in: sentIn, name: sentAs, value: text('its value, with {key}') }, 'how the key is sent'),
  networks: Type.Record(Type.String(), Type.String({ minLength: 1, maxLength: 100 }), {
    minProperties: 1,
    description:
      'the ids of networks and billers at this panel, by their names in the catalog. They differ from panel to panel: there is no default',
  }),
  meter_types: Type.Optional(
    object(
      { prepaid: text('a prepaid meter'), postpaid: text('a postpaid meter') },
      'the words for kinds of meters',
    ),
  ),
  airtime_kinds: Type.Optional(
    object(
      { vtu: text('ordinary airtime'), share_and_sell: Type.Optional(text('share and sell')) },
      'the texts for kinds of airtime. A kind without a text is not sold',
    ),
  ),
  orders: object(
    {
      airtime: Type.Optional(order),
      data: Type.Optional(order),
      CABLE: Type.Optional(order),
      ELECTRICITY: Type.Optional(order),
      EDUCATION: Type.Optional(order),
    },
    'the products that the panel sells, and how',
  ),
  statuses,
  success_http: Type.Array(Type.Integer(), {
    description: 'the HTTP statuses with which success and pending are believed',
  }),
  failed_http: Type.Array(Type.Integer(), {
    description: 'the HTTP statuses with which a failure is believed',
  }),
  duplicates: words(
    'parts of the answer to a repeated reference or order. The first one may have been delivered: unknown',
  ),
  refusals: Type.Array(
    object({
      http: Type.Array(Type.Integer(), { description: 'the HTTP statuses of the refusal' }),
      text: text('a part of its text, in any letter case'),
      fault: Type.Enum(['order', 'provider'], {
        description: 'provider: another provider may serve the order. order: the order fails',
      }),
    }),
    { maxItems: 100, description: 'refusals before execution. Any other refusal is unknown' },
  ),
  reply: object(
    {
      id: fields('the id of the order at the panel'),
      reference: Type.Optional(
        fields(
          'our reference, where the panel returns it. Without, an order like another one waits until a minute after that one',
        ),
      ),
      message: fields('the text of the network or biller'),
      cost: fields("the panel's charge"),
      balance_before: fields('the balance before the order'),
      balance_after: fields('the balance after the order'),
    },
    'fields of every reply about an order',
  ),
  trust,
  is_reversed_later: Type.Boolean({
    description: 'the panel turns successes into failures later: each is queried again for seven days',
  }),
  balance: object(
    {
      request,
      auth: Type.Optional(
        object(
          { in: sentIn, name: sentAs, value: text('its value, with {login}') },
          'sends OJA_PANEL_LOGIN in base64 instead of the key. Without that setting no float is read',
        ),
      ),
      field: fields('the balance in naira'),
    },
    'reads the float',
  ),
  plans: Type.Optional(
    object(
      {
        request,
        lists: Type.Record(Type.String(), Type.String(), {
          description: 'the list of plans in the reply, by the service_id of the catalog',
        }),
        id: text('the field with the id of a plan'),
        name: words('the fields that form its name'),
        price: fields("the account's price for it, in naira"),
        kind: Type.Optional(fields('its kind, such as SME or CORPORATE GIFTING; absent, in its name')),
        size: Type.Optional(fields('its size, such as 1GB; absent, in its name')),
        validity: Type.Optional(fields('its validity, such as 30 days; absent, in its name')),
      },
      'lists the data plans',
    ),
  ),
});

export type PanelMapping = Static<typeof mappingSchema>;
export type PanelRequest = Static<typeof request>;
export type PanelOrder = Static<typeof order>;
export type PanelStatuses = Static<typeof statuses>;
export type PanelTrust = Static<typeof trust>;
export type PanelProduct = keyof PanelMapping['orders'];
