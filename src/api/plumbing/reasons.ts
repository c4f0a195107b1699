/**
 * Every `reason` of the merchants' API: the stable code of a refusal or a failed purchase, with the
 * HTTP statuses that it comes with and its meaning. The OpenAPI document and the errors page of the
 * merchants are made from this list. A code never changes its meaning and is never removed within
 * one version of the API.
 */
import type { RequestFaults } from '../../core/request-fault.ts';
import type { OutcomeReason } from '../../purchases/state/outcome-reason.ts';
import type { RefusalStatus } from './refusals.ts';

type ReasonEntry = {
  /** 200 is a purchase that failed, or a result of an agent's tool. */
  readonly statuses: readonly [ReasonStatus, ...ReasonStatus[]];
  /** One sentence. */
  readonly meaning: string;
};

type ReasonStatus = RefusalStatus | 200;

/** The code on the wire for each way in which a purchase fails. */
export const failureReasons = {
  refused: 'provider_refused',
  customer_rejected: 'customer_rejected',
  amount_out_of_range: 'amount_out_of_range',
  not_verified: 'customer_not_verified',
  insufficient_funds: 'insufficient_funds',
  over_purchase_cap: 'over_purchase_cap',
  over_daily_cap: 'over_daily_cap',
  not_found: 'not_received',
  not_sent: 'not_sent',
} as const satisfies Readonly<Record<Exclude<OutcomeReason, 'delivered'>, string>>;

export type FailureReason = (typeof failureReasons)[keyof typeof failureReasons];

/** The compiler demands an entry for each fault of the core and for each failure. */
export const reasons = {
  // The request as a whole.

  request_malformed: entry(400, 'The request is not valid HTTP.'),
  host_missing: entry(400, 'The Host header is missing, and HTTP/1.1 requires it.'),
  path_malformed: entry(400, 'The path is not a valid URL path.'),
  query_malformed: entry(400, 'The query string is not valid percent-encoding.'),
  content_type_missing: entry(400, 'The Content-Type header is missing.'),
  content_type_malformed: entry(400, 'The Content-Type header is not valid.'),
  body_missing: entry(400, 'The request has no body.'),
  body_incomplete: entry(400, 'The connection closed before the whole body arrived.'),
  body_too_large: entry(400, 'The body is larger than the limit.'),
  body_not_utf8: entry(400, 'The body is not UTF-8 text.'),
  body_not_json: entry(400, 'The body is not valid JSON.'),
  body_too_many_members: entry(400, 'The body has too many fields.'),
  body_too_deep: entry(400, 'The body is nested too deeply.'),
  body_key_not_allowed: entry(400, 'The body has the key `__proto__`.'),
  text_malformed: entry(400, 'A text has a NUL character or invalid Unicode.'),
  form_malformed: entry(400, 'The body is not a readable multipart form.'),
  form_too_large: entry(400, 'The form has too many fields.'),
  path_unknown: entry(404, 'The path does not exist.'),
  method_not_allowed: entry(405, 'The path does not take this method; `Allow` lists its methods.'),
  request_too_slow: entry(408, 'The request did not arrive in time.'),
  upload_stalled: entry(408, 'The upload stopped arriving.'),
  expectation_unsupported: entry(417, 'The `Expect` header asks for something other than `100-continue`.'),
  headers_too_large: entry(431, 'The request headers are larger than the limit.'),

  // Any field.

  field_missing: entry(
    [422, 400],
    'A required field is missing; the status is 400 only where a customer is verified.',
  ),
  field_invalid: entry(400, 'A field has a wrong type or value; `message` says what is right.'),
  field_repeated: entry(400, 'A field was sent more than once.'),
  alias_differs: entry(400, 'A field was sent under both of its names with different values.'),

  // The credential and the merchant.

  not_authenticated: entry(401, 'The credential headers are missing or wrong.'),
  notice_not_signed: entry(401, 'The notice of a bank does not carry its signature.'),
  credential_unconfirmed: entry(403, 'The credential waits to be confirmed after a restore of the database.'),
  address_not_allowed: entry(403, 'The credential cannot be used from this IP address.'),
  origin_not_allowed: entry(403, 'Web pages of this origin cannot call this path.'),
  merchant_suspended: entry(403, 'The merchant is suspended: it can look up purchases and cannot buy.'),
  merchant_not_own: entry(403, 'The merchant code belongs to another merchant.'),
  merchant_unknown: entry(404, 'The merchant code does not exist.'),
  merchant_codes_limited: entry(
    429,
    'The caller has sent too many merchant codes that are not its own; requests with its own code are served.',
  ),
  product_not_enabled: entry(403, 'The product is not enabled for the merchant.'),
  funding_not_enabled: entry(403, 'Bank funding is not enabled for the wallet of this currency.'),
  test_credentials_only: entry(403, 'The path is for test credentials, and this credential is live.'),
  rate_limited: entry(
    429,
    'The credential or its merchant has sent more requests than the rate limit allows.',
  ),
  purchases_not_allowed: entry(200, 'An agent tried to buy with a credential that can only look up.'),

  // The reference.

  reference_used: entry(
    422,
    'The reference was used before; `data` describes the first purchase and says whether it differs.',
  ),
  reference_not_single: entry(400, 'The lookup needs exactly one reference.'),
  outcome_unknown: entry(
    500,
    'The purchase may exist and its outcome is not known yet: query its status under the same reference.',
  ),
  purchase_unknown: entry(404, 'No purchase of the merchant has this reference.'),
  order_unknown: entry(404, 'No order of the merchant has this `request_id`.'),
  qr_code_not_ready: entry(404, 'The order has no QR code yet: look it up again.'),
  qr_code_never: entry(404, 'The order failed, so it has no QR code.'),

  // The plan.

  network_unknown: entry(400, 'The network does not exist.'),
  data_plan_missing: entry(422, 'A purchase of data needs a plan.'),
  data_plan_unknown: entry(400, 'The network has no data plan with this code.'),
  data_plan_of_other_network: entry(400, 'The data plan belongs to another network.'),
  bill_plan_unknown: entry(400, 'The network has no bill plan with this code.'),
  bill_plan_of_other_network: entry(400, 'The bill plan belongs to another network.'),
  bill_plan_of_other_product: entry(400, 'The bill plan belongs to another product.'),
  plan_named_twice: entry(400, '`plan_code` and `service_id` were both sent.'),
  card_plan_unknown: entry(400, 'No gift card on sale has this `plan_id`.'),
  card_not_available: entry(400, 'The gift card is out of stock or not released yet.'),
  esim_plan_unknown: entry(404, 'No eSIM on sale has this plan id.'),
  plan_above_voucher: entry(400, 'The plan costs more than the voucher is worth.'),

  // The amount.

  amount_not_price: entry(400, 'The amount differs from the price of the plan.'),
  amount_of_no_plan: entry(400, 'No data plan of the network has this price.'),
  amount_not_whole_naira: entry(400, 'The amount must be whole naira.'),
  amount_below: entry(400, 'The amount is below the minimum of the plan.'),
  amount_above: entry(400, 'The amount is above the maximum of the plan.'),
  face_value_malformed: entry(400, 'The face value is not an amount.'),
  face_value_out_of_range: entry(400, 'The face value is outside the limits of the gift card.'),

  // The customer.

  customer_malformed: entry(400, 'The customer number does not have the form that the network needs.'),
  number_malformed: entry(400, 'The network sells for mobile numbers, and `msisdn` is not one.'),
  network_without_customers: entry(400, 'The network has no customers to verify.'),
  phone_missing: entry(422, 'The product needs the mobile number of the customer.'),
  phone_malformed: entry(400, 'The phone is not a Nigerian mobile number.'),

  // Orders.

  no_such_voucher: entry(400, 'The voucher code is invalid or already redeemed.'),
  voucher_code_malformed: entry(400, 'The voucher code is mistyped.'),
  channel_not_offered: entry(400, 'The gateway does not send messages over this channel.'),
  channel_missing: entry(400, '`destination` needs a `send_via`.'),
  destination_missing: entry(422, '`send_via` needs a `destination`.'),
  destination_malformed: entry(400, 'The destination does not fit `send_via`.'),

  // Lists and statements.

  cursor_malformed: entry(400, 'The cursor was not returned by this list.'),
  cursor_of_other_statement: entry(400, 'The cursor belongs to another statement.'),
  page_too_deep: entry(400, 'The page is beyond the last one that a number reaches: use `cursor`.'),
  day_malformed: entry(400, 'The value is not a day.'),
  days_reversed: entry(400, '`from` is after `to`.'),

  // Events and webhooks.

  event_type_unknown: entry(400, 'An event type does not exist.'),
  event_cursor_unknown: entry(400, 'The cursor does not belong to this feed.'),
  event_cursor_expired: entry(400, 'The events after the cursor are no longer kept.'),
  event_polls_full: entry(429, 'The merchant has too many concurrent long-poll requests.'),
  endpoint_url_refused: entry(400, 'The URL cannot be the address of a webhook endpoint.'),
  endpoints_full: entry(400, 'The merchant has the maximum number of webhook endpoints.'),
  endpoint_disabled: entry(400, 'The webhook endpoint is disabled.'),
  no_endpoint: entry(404, 'No webhook endpoint of the merchant has this id.'),
  no_webhook_delivery: entry(404, 'No delivery of the endpoint has this id.'),
  time_malformed: entry(400, 'The value is not a time as RFC 3339.'),

  // Wallets and funding accounts.

  no_wallet: entry(404, 'The merchant has no wallet of this currency.'),
  no_wallet_to_pay: entry(404, 'The merchant has no wallet to pay the purchase from.'),
  no_funding_account: entry(404, 'The merchant has no funding account of this currency.'),
  funding_account_refused: entry(404, 'The bank refused to open the funding account.'),
  registrant_missing: entry(422, 'The registration lacks a field about the account holder.'),
  not_an_adult: entry(400, 'The account holder must be an adult.'),
  email_taken: entry(400, 'The bank has this e-mail address for another account holder.'),
  registration_refused: entry(400, 'The bank refused the registration.'),
  file_invalid: entry(400, 'The file is too large or of a wrong type, or is not a file.'),
  file_not_taken: entry(400, 'The form has a file in a field that takes no file.'),

  // Test credentials.

  test_clock_ends: entry(400, 'The test clock cannot be moved so far.'),
  test_deposit_differs: entry(
    422,
    'The reference was used for a test deposit of another amount or currency.',
  ),

  // Agents.

  messages_not_single: entry(400, 'An agent sent several messages in one request.'),
  arguments_invalid: entry(200, 'An agent called a tool with wrong arguments.'),

  // The service cannot answer now.

  unexpected_error: entry(
    500,
    'The gateway failed: query the status of a purchase before you send it again.',
  ),
  stopping: entry(503, 'The server is stopping.'),
  requests_full: entry(503, 'The merchant has its share of concurrent requests, or the gateway its maximum.'),
  purchases_full: entry(503, 'The queue of purchases is full.'),
  purchase_not_stored: entry(503, 'The purchase could not be stored.'),
  providers_busy: entry(503, 'Every provider of the product is at its limit.'),
  qr_codes_full: entry(503, 'Too many QR codes are being drawn.'),
  provider_look_ups_full: entry(503, 'Too many lookups are waiting for the provider.'),
  credentials_full: entry(503, 'Too many credentials are being checked.'),
  look_ups_full: entry(429, 'The merchant has too many concurrent lookups.'),
  uploads_full: entry(503, 'Too many uploads are in progress.'),
  database_away: entry(503, 'The gateway cannot look this up at the moment.'),
  account_being_opened: entry(503, 'Another request is opening the same funding account.'),
  no_provider: entry(503, 'No provider is available for the product and network.'),
  selling_paused: entry(503, 'The operator has paused the product and network.'),
  selling_fenced: entry(503, 'Purchases are paused while recent transactions are recovered.'),
  no_exchange_rate: entry(503, 'The currency has no exchange rate.'),
  no_bank: entry(503, 'No bank is available for accounts of this currency.'),
  order_not_served: entry(502, 'The provider cannot serve the order at the moment.'),
  availability_unknown: entry(502, 'Availability could not be checked.'),
  mtn_balances_unknown: entry(502, 'The balances could not be read from the provider.'),
  bank_silent: entry(502, 'The bank did not answer; the registration is stored.'),

  // A purchase failed. Verification of a customer gives the first two as refusals.

  customer_rejected: entry([200, 400], 'The biller does not accept the customer.'),
  customer_not_verified: entry([200, 502], 'The biller could not be reached to verify the customer.'),
  provider_refused: entry(200, 'The provider refused the purchase.'),
  amount_out_of_range: entry(200, 'The amount is outside the limits of the customer.'),
  insufficient_funds: entry(200, 'The balance of the wallet does not cover the purchase.'),
  over_purchase_cap: entry(200, 'The purchase exceeds the spend cap per purchase of the credential.'),
  over_daily_cap: entry(200, 'The purchase exceeds the rest of the daily spend cap of the credential.'),
  not_received: entry(200, 'The provider did not receive the purchase.'),
  not_sent: entry(200, 'No provider could be reached, so the purchase was not sent.'),
} as const satisfies Readonly<Record<keyof RequestFaults | FailureReason, ReasonEntry>> &
  Readonly<Record<string, ReasonEntry>>;

export type Reason = keyof typeof reasons;

/** The statuses that a refusal of this reason can have. */
export type StatusOf<Of extends Reason> = Extract<(typeof reasons)[Of]['statuses'][number], RefusalStatus>;

export const allReasons = Object.keys(reasons) as Reason[];

function entry<const Status extends ReasonStatus>(
  statuses: Status | readonly [Status, ...Status[]],
  meaning: string,
): { readonly statuses: readonly [Status, ...Status[]]; readonly meaning: string } {
  return { statuses: typeof statuses === 'number' ? [statuses] : statuses, meaning };
}
