/**
 * Every `reason` of the merchants' API: the stable code of a refusal or a failed purchase, with its
 * HTTP statuses and its meaning. `request-errors.ts` defines those of the core. The OpenAPI
 * document and the errors page for merchants are generated from this list. Within one version of
 * the API a code keeps its meaning and is never removed.
 */
import type { OutcomeReason } from '../../purchases/state/outcome-reason.ts';
import type { RefusalStatus } from './refusals.ts';
import { requestErrors } from './request-errors.ts';

type ReasonEntry = {
  /** 200 means a purchase that failed, or the result of an agent's tool. */
  readonly statuses: readonly [ReasonStatus, ...ReasonStatus[]];
  /** One sentence. */
  readonly meaning: string;
};

type ReasonStatus = RefusalStatus | 200;

/** The API's code for each way in which a purchase fails. */
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

type FailureReason = (typeof failureReasons)[keyof typeof failureReasons];

/** The errors of the HTTP server, and of failed purchases. */
const edgeReasons = {
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
  expectation_unsupported: entry(417, 'The `Expect` header is not `100-continue`.'),
  headers_too_large: entry(431, 'The request headers are larger than the limit.'),

  // Any field.

  field_missing: entry(
    [422, 400],
    'A required field is missing; the status is 400 only where a customer is verified.',
  ),
  field_invalid: entry(400, 'A field has a wrong type or value; `message` states a valid one.'),
  field_repeated: entry(400, 'A field was sent more than once.'),
  alias_differs: entry(400, 'A field was sent under both of its names with different values.'),

  // The credential and the merchant.

  not_authenticated: entry(401, 'The credential headers are missing or wrong.'),
  notice_not_signed: entry(401, 'The notice of a bank does not carry its signature.'),
  credential_unconfirmed: entry(403, 'The credential waits to be confirmed after a restore of the database.'),
  address_not_allowed: entry(403, 'The credential cannot be used from this IP address.'),
  origin_not_allowed: entry(403, 'Web pages of this origin cannot call this path.'),
  merchant_not_own: entry(403, 'The merchant code belongs to another merchant.'),
  merchant_unknown: entry(404, 'The merchant code does not exist.'),
  merchant_codes_limited: entry(
    429,
    'The caller has sent too many merchant codes that are not its own; requests with its own code are served.',
  ),
  rate_limited: entry(
    429,
    'The credential or its merchant has sent more requests than the rate limit allows.',
  ),
  purchases_not_allowed: entry(200, 'An agent tried to buy with a credential that can only look up.'),

  // The reference.

  reference_not_single: entry(400, 'The lookup needs exactly one reference.'),
  purchase_unknown: entry(404, 'No purchase of the merchant has this reference.'),
  order_unknown: entry(404, 'No order of the merchant has this `request_id`.'),
  qr_code_not_ready: entry(404, 'The order has no QR code yet: look it up again.'),
  qr_code_never: entry(404, 'The order failed, so it has no QR code.'),

  // The plan.

  network_unknown: entry(400, 'The network does not exist.'),
  plan_named_twice: entry(400, '`plan_code` and `service_id` were both sent.'),
  card_plan_unknown: entry(400, 'No gift card on sale has this `plan_id`.'),
  esim_plan_unknown: entry(404, 'No eSIM on sale has this plan id.'),

  // The amount.

  face_value_malformed: entry(400, 'The face value is not an amount.'),

  // Orders.

  voucher_code_malformed: entry(400, 'The voucher code is mistyped.'),
  channel_missing: entry(400, '`destination` needs a `send_via`.'),
  destination_missing: entry(422, '`send_via` needs a `destination`.'),
  destination_malformed: entry(400, 'The destination does not fit `send_via`.'),

  // Lists and statements.

  cursor_malformed: entry(400, 'The cursor was not returned by this list.'),
  day_malformed: entry(400, 'The value is not a day.'),
  days_reversed: entry(400, '`from` is after `to`.'),

  // Events and webhooks.

  event_type_unknown: entry(400, 'An event type does not exist.'),
  time_malformed: entry(400, 'The value is not a time as RFC 3339.'),

  // Batches.

  batch_rows_invalid: entry(400, 'Rows of the file cannot be bought; `errors` lists the first ones.'),

  // Wallets and funding accounts.

  file_invalid: entry(400, 'The file is too large or of a wrong type, or is not a file.'),
  file_not_taken: entry(400, 'The form has a file in a field that takes no file.'),

  // Agents.

  messages_not_single: entry(400, 'An agent sent several messages in one request.'),
  arguments_invalid: entry(200, 'An agent called a tool with wrong arguments.'),

  // The service is unavailable.

  unexpected_error: entry(
    500,
    'The gateway failed: query the status of a purchase before you send it again.',
  ),
  stopping: entry(503, 'The server is stopping.'),
  uploads_full: entry(503, 'Too many uploads are in progress.'),

  // A purchase failed. Verification of a customer returns the first two as refusals.

  customer_rejected: entry([200, 400], 'The biller does not accept the customer.'),
  customer_not_verified: entry([200, 502], 'The biller could not be reached to verify the customer.'),
  provider_refused: entry(200, 'The provider refused the purchase.'),
  amount_out_of_range: entry(200, 'The amount is outside the limits of the customer.'),
  insufficient_funds: entry(200, 'The balance of the wallet does not cover the purchase.'),
  over_purchase_cap: entry(200, 'The purchase exceeds the spend cap per purchase of the credential.'),
  over_daily_cap: entry(200, 'The purchase exceeds the rest of the daily spend cap of the credential.'),
  not_received: entry(200, 'The provider did not receive the purchase.'),
  not_sent: entry(200, 'No provider could be reached, so the purchase was not sent.'),
} as const satisfies Readonly<Record<FailureReason, ReasonEntry>> & Readonly<Record<string, ReasonEntry>>;

export const reasons = { ...edgeReasons, ...requestErrors };

export type Reason = keyof typeof reasons;

/** In alphabetical order. */
export const allReasons = (Object.keys(reasons) as Reason[]).toSorted();

function entry<const Status extends ReasonStatus>(
  statuses: Status | readonly [Status, ...Status[]],
  meaning: string,
): { readonly statuses: readonly [Status, ...Status[]]; readonly meaning: string } {
  return { statuses: typeof statuses === 'number' ? [statuses] : statuses, meaning };
}
