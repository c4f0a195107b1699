/**
 * What the core refuses a request for, in the words of the wire: each fault's status, message and
 * field. The compiler keeps the table complete.
 */
import { formatAmount } from '../../core/money.ts';
import type {
  EndpointUrlFault,
  RegistrantRole,
  RequestFault,
  RequestFaults,
} from '../../core/request-fault.ts';
import { outcomeCodes } from './answer.ts';
import { availabilityWords } from './availability-words.ts';
import type { FieldNames } from './field-names.ts';
import type { Reason, StatusOf } from './reasons.ts';
import { type FieldFault, Refusal } from './refusal.ts';
import type { ErrorBody, RefusalStatus } from './refusals.ts';
import { repeatFields, repeatMessage } from './repeat-words.ts';

type Said<Status extends RefusalStatus = RefusalStatus> = {
  readonly status: Status;
  readonly message: string;
  /**
   * To whoever looks something up, where it differs: "send again" could be taken for the purchase
   * that is looked for.
   */
  readonly readMessage?: string;
  readonly field?: string;
  /** Of the field, where the message says something else. */
  readonly fieldMessage?: string;
  readonly retryAfterS?: number;
  readonly subject?: ErrorBody['data'];
};

type Words = {
  readonly [Code in keyof RequestFaults]: (
    fault: RequestFault<Code>,
    names: FieldNames,
  ) => Said<StatusOf<Code>>;
};

/** Soon: what is in the way passes by itself. */
const SOON_S = 1;
/** An operator has to do something, or a provider to come back. */
const LATER_S = 30;

const sendAgain = 'nothing was stored, send again';
const tryLater = 'try again a little later';

const words: Words = {
  requests_full: () => soon('Too many concurrent requests'),
  purchases_full: () => soon('The service is busy'),
  providers_busy: ({ freeAfterMs }) => ({
    status: 503,
    message: `The provider is busy; ${sendAgain}`,
    readMessage: `The provider is busy: ${tryLater}`,
    retryAfterS: Math.max(SOON_S, Math.ceil(freeAfterMs / 1_000)),
  }),
  qr_codes_full: () => later('Too many QR codes are being drawn'),
  provider_look_ups_full: () => soon('Too many look-ups wait for the provider'),
  credentials_full: () => later('Too many credentials are being looked up'),
  purchase_not_stored: () => soon('The service is busy'),
  look_ups_full: () => ({
    status: 429,
    message: 'Too many of your look-ups are under way: try again a little later',
    retryAfterS: SOON_S,
  }),
  // Not "send again": a caller could take that for the purchase which it looks up.
  database_away: () => later('The service is busy at the moment'),
  account_being_opened: () => ({
    status: 503,
    message: 'The account is being opened: send the same request again',
    retryAfterS: SOON_S,
  }),

  no_provider: ({ product, network }) => ({
    status: 503,
    message: `${nobodyServes(product, network)}; nothing was stored`,
    readMessage: nobodyServes(product, network),
    retryAfterS: LATER_S,
  }),
  selling_paused: ({ product, network }) => ({
    status: 503,
    message: `${notSold(product, network)}; nothing was stored`,
    readMessage: notSold(product, network),
    retryAfterS: LATER_S,
  }),
  selling_fenced: () => ({
    status: 503,
    message: `Nothing is sold until purchases of the last hours are brought back from the providers; ${sendAgain} later, with the same reference`,
    readMessage:
      'Purchases of the last hours are being brought back from the providers: whether this is one of them cannot be said yet. Do not buy it again, ask later',
    retryAfterS: LATER_S,
  }),
  no_exchange_rate: ({ currency }) => ({
    status: 503,
    message: `Nothing in ${currency} is sold at the moment: no exchange rate is set`,
    retryAfterS: LATER_S,
  }),
  no_bank: ({ currency }) => ({
    status: 503,
    message: `No bank serves ${currency} accounts at the moment`,
    retryAfterS: LATER_S,
  }),

  order_not_served: () => ({
    status: 502,
    message:
      'The provider cannot serve this order at the moment; nothing was stored: try again a little later',
  }),
  availability_unknown: () => ({
    status: 502,
    message: 'Whether the card is available cannot be said at the moment: try again a little later',
  }),
  mtn_balances_unknown: () => ({
    status: 502,
    message: 'The balances could not be read at the moment: try again a little later',
  }),
  bank_silent: () => ({
    status: 502,
    message:
      'The bank did not answer: your registration is stored; send the same request again, or look later',
  }),

  merchant_suspended: () => ({
    status: 403,
    message:
      'This merchant is suspended: it can look up what it has, and buy nothing; ask your account manager',
  }),
  product_not_enabled: ({ product }) => ({
    status: 403,
    message: `The product ${product} is not enabled for this merchant`,
  }),
  funding_not_enabled: ({ currency }) => ({
    status: 403,
    message: `Bank funding is not enabled for the ${currency} wallet`,
  }),
  no_wallet_to_pay: ({ currency }) => ({
    status: 404,
    message: `No ${currency} wallet is enrolled for this merchant`,
  }),
  no_wallet: ({ currency }) => ({ status: 404, message: `No ${currency} wallet is enrolled` }),
  no_funding_account: ({ currency }) => ({
    status: 404,
    message: `No ${currency} funding account: create it first`,
  }),
  funding_account_refused: ({ currency, reason }) => ({
    status: 404,
    message: `No ${currency} funding account: ${reason}`,
  }),

  reference_used: ({ role, reference, purchaseId, status, repeat }, names) => ({
    status: 422,
    message: repeatMessage(repeat, names.plan),
    field: names[role],
    fieldMessage: `${names[role]} must be unique for the merchant`,
    subject: {
      request_id: reference,
      internal_reference: purchaseId,
      status,
      response_code: outcomeCodes[status],
      ...repeatFields(repeat, names.plan),
    },
  }),
  outcome_unknown: ({ reference, purchaseId }) => ({
    status: 500,
    message: 'The outcome is not known yet; query the status of this reference, do not send it again',
    subject: {
      request_id: reference,
      internal_reference: purchaseId,
      status: 'pending',
      response_code: outcomeCodes.pending,
    },
  }),

  data_plan_missing: ({ role }, names) => ({
    status: 422,
    message: `${names[role]} is required: one from the data plans list`,
    field: names[role],
  }),
  data_plan_unknown: ({ role, network }, names) =>
    wrong(names[role], `names no ${network} data plan; see GET /v1/plans/${network.toLowerCase()}`),
  data_plan_of_other_network: ({ role, network, planNetwork }, names) =>
    wrong(names[role], `is a plan of ${planNetwork}, not of ${network}`),
  bill_plan_unknown: (fault, names) =>
    wrong(planField(fault, names), `names no ${fault.product} plan of ${fault.network}; ${seePlans(fault)}`),
  bill_plan_of_other_network: (fault, names) =>
    wrong(
      planField(fault, names),
      `is a plan of ${fault.planNetwork}, not of ${fault.network}; ${seePlans(fault)}`,
    ),
  bill_plan_of_other_product: (fault, names) =>
    wrong(
      planField(fault, names),
      `is a plan of ${fault.planProduct}, not of ${fault.product}; ${seePlans(fault)}`,
    ),
  card_not_available: (fault, names) => ({
    status: 400,
    message: `${names[fault.role]}: ${availabilityWords(fault)}`,
    field: names[fault.role],
  }),
  plan_above_voucher: ({ role, price, value }, names) =>
    wrong(
      names[role],
      `costs ${formatAmount(price)} naira, more than the ${formatAmount(value)} of the voucher: ` +
        'name a plan that costs no more',
    ),

  amount_not_price: ({ plan, price }) =>
    wrong('amount', `must equal the price of ${plan}: ${formatAmount(price)}`),
  amount_of_no_plan: ({ network }) =>
    wrong(
      'amount',
      `must be the price of a ${network} data plan; see GET /v1/plans/${network.toLowerCase()}`,
    ),
  amount_not_whole_naira: () => wrong('amount', 'must be whole naira here, such as "1000.00"'),
  amount_below: ({ plan, min }) => wrong('amount', `must be at least ${formatAmount(min)} for ${plan}`),
  amount_above: ({ plan, max }) => wrong('amount', `must be at most ${formatAmount(max)} for ${plan}`),
  face_value_out_of_range: ({ min, max, currency }) =>
    wrong('face_value', `must be from ${formatAmount(min)} to ${formatAmount(max)} ${currency}`),

  customer_malformed: ({ form }) => wrong('msisdn', `must be ${form}`),
  number_malformed: ({ network }) =>
    wrong('msisdn', `must be a Nigerian mobile number such as "08031234567" for ${network}`),
  network_without_customers: ({ network }) =>
    wrong('network', `${network} has nobody to verify: what it sells is for a mobile number`),
  phone_missing: ({ product }) =>
    missing('phone', `is required for ${product}: the customer's mobile number`),
  phone_malformed: () => wrong('phone', 'must be a Nigerian mobile number such as "08031234567"'),

  // The same words for every reason: whoever tries codes learns nothing.
  no_such_voucher: () => wrong('code', 'names no voucher that can be redeemed'),
  channel_not_offered: ({ channel, offered }) => {
    const right = offered.length === 0 ? 'not offered here' : `one of ${offered.join(', ')}`;
    return wrong('send_via', `must be ${right}: this gateway sends nothing by ${channel}`);
  },

  page_too_deep: () =>
    wrong('page', 'is too far into the list: use cursor with the next_cursor of the page before'),
  cursor_of_other_statement: () =>
    wrong('cursor', 'must be the next_cursor of the page before, with the same days and currency'),

  event_cursor_unknown: () =>
    wrong('after', 'must be the cursor of an answer before, of the same merchant and environment'),
  event_cursor_expired: () =>
    wrong(
      'after',
      'is too old: some events after it are not kept any more; begin anew without it, and look up what you miss',
    ),
  event_polls_full: () => ({
    status: 429,
    message: 'Too many concurrent long-poll requests for this merchant. Wait until one of them ends.',
    retryAfterS: SOON_S,
  }),
  endpoint_url_refused: ({ why }) => wrong('url', endpointUrlWords[why]),
  endpoints_full: ({ max }) => ({
    status: 400,
    message: `There are ${max} endpoints already, as many as there may be: delete one first`,
  }),
  no_endpoint: () => ({ status: 404, message: 'No endpoint with this id' }),
  no_webhook_delivery: () => ({ status: 404, message: 'No delivery with this id' }),
  endpoint_disabled: () => ({
    status: 400,
    message: 'The endpoint is disabled: enable it first',
  }),

  test_credentials_only: () => ({
    status: 403,
    message:
      'This is for test credentials only, and this credential is live: use one that begins with oja_test_',
  }),
  test_clock_ends: ({ leftS }) =>
    wrong('advance_s', `must be at most ${leftS} now: the test clock has been moved so far already`),
  test_deposit_differs: ({ reference }) => ({
    status: 422,
    message: `The transfer ${reference} was played before with another amount or currency: send another reference`,
    field: 'reference',
    fieldMessage: 'reference must be unique for each transfer',
  }),

  registrant_missing: ({ role }) => missing(...registrantFields[role]),
  not_an_adult: () => wrong('date_of_birth', 'must be that of an adult, as "YYYY-MM-DD"'),
  email_taken: () => wrong('email', 'is registered for the funding account of another profile: send another'),
  registration_refused: ({ reason }) => ({
    status: 400,
    message: `No account was opened: ${reason}`,
  }),
};

const endpointUrlWords: Readonly<Record<EndpointUrlFault, string>> = {
  malformed: 'must be a URL such as "https://shop.example/webhooks", without a user and a password',
  not_https: 'must begin with https://',
  port: 'must be on port 443 or 8443',
  private: 'must be on the public internet: this address is of a private or reserved network',
};

const registrantFields: Readonly<Record<RegistrantRole, readonly [field: string, words: string]>> = {
  email: ['email', 'is required: an e-mail address'],
  firstName: ['first_name', 'is required: the first name of the account holder'],
  lastName: ['last_name', 'is required: the last name of the account holder'],
  phone: ['phone_number', 'is required: a phone number such as "08031234567"'],
  bvn: ['bvn', 'is required for NGN: the 11 digits of a BVN, as a string'],
};

function soon(what: string): Said<503> {
  const readMessage = `${what}: ${tryLater}`;
  return { status: 503, message: `${what}; ${sendAgain}`, readMessage, retryAfterS: SOON_S };
}

function later(what: string): Said<503> {
  return { status: 503, message: `${what}: ${tryLater}`, retryAfterS: SOON_S };
}

/** Orders have no networks: theirs is the product's name. */
function nobodyServes(product: string, network: string): string {
  return `No provider serves ${product}${network === product ? '' : ` for ${network}`} at the moment`;
}

function notSold(product: string, network: string): string {
  return `${product}${network === product ? '' : ` for ${network}`} is not sold at the moment`;
}

function wrong(field: string, rest: string): Said<400> {
  return { status: 400, message: `${field} ${rest}`, field };
}

function missing(field: string, rest: string): Said<422> {
  return { status: 422, message: `${field} ${rest}`, field };
}

function planField({ role }: { readonly role: 'plan' | 'service' }, names: FieldNames): string {
  return role === 'plan' ? names.plan : 'service_id';
}

function seePlans({ product }: { readonly product: string }): string {
  return `see GET /v1/plans/bills/${product.toLowerCase()}`;
}

function say<Code extends keyof RequestFaults>(
  fault: RequestFault<Code>,
  names: FieldNames,
  isRead: boolean,
): Said {
  const word: Words[Code] = words[fault.code];
  const said = word(fault, names);
  return isRead && said.readMessage !== undefined ? { ...said, message: said.readMessage } : said;
}

/**
 * All faults of a request in one refusal. It is 422 where nothing but required fields are missing.
 * `isRead`: it looks something up.
 */
export function wordFaults(
  faults: readonly RequestFault[],
  names: FieldNames,
  { isRead }: { readonly isRead: boolean },
): Refusal {
  const said = faults.map((fault) => ({ reason: fault.code, ...say(fault, names, isRead) }));
  const [first, ...others] = said;
  const common = others.every((other) => other.status === first?.status) ? first?.status : undefined;
  const status = common ?? 400;
  const reasons = [...new Set(faults.map(({ code }) => code))];
  const [only, ...further] = reasons;
  const reason = only !== undefined && further.length === 0 ? only : reasonOfSeveral(status);
  return new Refusal(status, reason, said.map(({ message }) => message).join('; '), {
    fields: said.flatMap(fieldOf),
    subject: first?.subject,
    retryAfterS: first?.retryAfterS,
    loggedReason: reasons.join(','),
  });
}

/** The reason of a refusal for several causes. Each field has its own. */
function reasonOfSeveral(status: RefusalStatus): Reason {
  return status === 422 ? 'field_missing' : 'field_invalid';
}

function fieldOf({
  field,
  reason,
  message,
  fieldMessage = message,
}: Said & { readonly reason: Reason }): readonly FieldFault[] {
  return field === undefined ? [] : [{ field, reason, message: fieldMessage }];
}
