/**
 * The reasons to refuse a merchant's request, as codes with parameters. The core throws them in a
 * `GatewayError`. Messages, field names and HTTP statuses belong to the API:
 * `src/api/plumbing/request-errors.ts` has one entry for each code.
 *
 * Amounts are in minor units. A `role` names a field by its purpose, because routes name it
 * differently.
 */
import type { Currency } from './money.ts';

type Nothing = unknown;
type SubjectStatus = 'pending' | 'success' | 'failed';

/** The purpose of a field of a purchase or an order. */
export type PurchaseRole =
  | 'merchant'
  | 'product'
  | 'network'
  | 'customer'
  | 'plan'
  | 'kind'
  | 'amount'
  | 'phone'
  | 'quantity'
  | 'cardValue'
  | 'channel'
  | 'address'
  | 'voucher';

/** The result of comparing a request with the first purchase under its reference. */
export type Repeat = {
  readonly differing: readonly PurchaseRole[];
  /** Fields whose first values are not stored, or no longer. */
  readonly unknown: readonly PurchaseRole[];
};

export type RequestFaults = {
  // Temporary. Nothing was stored, and the same request may be sent again.

  /** This process serves its maximum of concurrent requests. */
  requests_full: Nothing;
  /** The maximum number of purchases is waiting for the database in this process. */
  purchases_full: Nothing;
  /** Every provider that sells it is at its limit; the first is free again after `freeAfterMs`. */
  providers_busy: { readonly freeAfterMs: number };
  /** The maximum of QR codes waits to be drawn, for this merchant or in total. */
  qr_codes_full: Nothing;
  /** The merchant's share of queries to the provider is in use, or all of them are. */
  provider_look_ups_full: Nothing;
  /** The maximum of credentials waits to be looked up in this process. */
  credentials_full: Nothing;
  /** The database cannot be reached, or is too slow. The purchase was not stored. */
  purchase_not_stored: Nothing;
  /** The merchant's maximum of concurrent lookups is in use. */
  look_ups_full: Nothing;
  /** The database cannot be reached, or is too slow. The request stores no purchase. */
  database_away: Nothing;
  /** Another request is opening the same funding account. */
  account_being_opened: Nothing;

  // No provider can serve it at the moment. Nothing was stored.

  no_provider: { readonly product: string; readonly network: string };
  /** The operator has paused all providers of the route. */
  selling_paused: { readonly product: string; readonly network: string };
  /**
   * The database was restored, and purchases since its backup are not known yet. For a lookup: it
   * is unknown whether the purchase exists.
   */
  purchases_locked: Nothing;
  no_exchange_rate: { readonly currency: Currency };
  no_bank: { readonly currency: Currency };

  // No provider answered. Nothing was bought.

  /**
   * For an order: a fault of the provider or of our account prevents it, such as an empty float.
   */
  order_not_served: Nothing;
  availability_unknown: Nothing;
  mtn_balances_unknown: Nothing;
  /** The registration is stored, and the same request continues it. */
  bank_silent: Nothing;

  // Not allowed, or not found.

  /** The merchant may still look up its own data. */
  merchant_suspended: Nothing;
  product_not_enabled: { readonly product: string };
  funding_not_enabled: { readonly currency: Currency };
  /** For a purchase: the wallet that would pay. */
  no_wallet_to_pay: { readonly currency: Currency };
  no_wallet: { readonly currency: Currency };
  no_funding_account: { readonly currency: Currency };
  /** The bank refused to open it, for this reason. */
  funding_account_refused: { readonly currency: Currency; readonly reason: string };

  // The merchant's key.

  /** The purchase `purchaseId` used it first. */
  reference_used: {
    readonly role: 'reference';
    readonly reference: string;
    readonly purchaseId: string;
    readonly status: SubjectStatus;
    /** Absent if the two were not compared. */
    readonly repeat?: Repeat | undefined;
  };
  /** The purchase may exist, and its outcome is unknown: only its status shows it. */
  outcome_unknown: { readonly reference: string; readonly purchaseId: string };

  // The plan.

  data_plan_missing: { readonly role: 'plan' };
  data_plan_unknown: { readonly role: 'plan'; readonly network: string };
  data_plan_of_other_network: {
    readonly role: 'plan';
    readonly network: string;
    readonly planNetwork: string;
  };
  bill_plan_unknown: BillPlanNamed;
  bill_plan_of_other_network: BillPlanNamed & { readonly planNetwork: string };
  bill_plan_of_other_product: BillPlanNamed & { readonly planProduct: string };
  /** `detail` is the provider's own line, where it has one. */
  card_not_available: {
    readonly role: 'plan';
    readonly fulfillment: 'out_of_stock' | 'preorder';
    readonly detail: string | undefined;
  };
  /** The voucher that pays is worth less. */
  plan_above_voucher: { readonly role: 'plan'; readonly price: bigint; readonly value: bigint };

  // The amount.

  amount_not_price: { readonly plan: string; readonly price: bigint };
  /** The network sells data by amount, and none of its plans has this price. */
  amount_of_no_plan: { readonly network: string };
  /** The product accepts no kobo, or none of its providers does. */
  amount_not_whole_naira: Nothing;
  amount_below: { readonly plan: string; readonly min: bigint };
  amount_above: { readonly plan: string; readonly max: bigint };
  face_value_out_of_range: { readonly min: bigint; readonly max: bigint; readonly currency: string };

  // The customer of a bill.

  /** `form` describes the valid form. */
  customer_malformed: { readonly form: string };
  /** The network sells for a mobile number, and this is not one. */
  number_malformed: { readonly network: string };
  /** The network has no customers to verify: it sells for a mobile number. */
  network_without_customers: { readonly network: string };
  phone_missing: { readonly product: string };
  phone_malformed: Nothing;

  // Orders.

  /** The merchant has no redeemable voucher with the code, for any reason. */
  no_such_voucher: Nothing;
  channel_not_offered: { readonly channel: string; readonly offered: readonly string[] };

  // A statement.

  /** The cursor is of another statement. */
  cursor_of_other_statement: Nothing;
  page_too_deep: Nothing;

  // Events and webhooks.

  /** It is not a cursor of this feed. */
  event_cursor_unknown: Nothing;
  /** Later events are no longer kept. */
  event_cursor_expired: Nothing;
  /** The maximum of long polls of the credential, or of this process, is waiting. */
  event_polls_full: Nothing;
  /** `why` states the valid form. */
  endpoint_url_refused: { readonly why: EndpointUrlFault };
  endpoints_full: { readonly max: number };
  no_endpoint: Nothing;
  no_webhook_delivery: Nothing;
  /** The endpoint is disabled: nothing is sent to it. */
  endpoint_disabled: Nothing;

  // Batches.

  batch_file_unreadable: { readonly why: 'empty' | 'encoding' | 'format' | 'columns' | 'spreadsheet' };
  batch_rows_full: { readonly max: number };
  batch_column_missing: { readonly column: string };
  batch_column_repeated: { readonly column: string };
  no_batch: Nothing;
  batch_ended: { readonly state: string };
  batch_not_started: Nothing;
  batch_has_duplicates: { readonly count: number };
  /** The balance does not cover it. */
  batch_not_covered: { readonly charge: bigint; readonly available: bigint };

  // Test credentials.

  /** The credential is live. */
  test_credentials_only: Nothing;
  /** The test clock may be moved by `leftS` seconds more. */
  test_clock_ends: { readonly leftS: number };
  /** The transfer of that reference was of another amount or currency. */
  test_deposit_differs: { readonly reference: string };

  // A registration for a funding account.

  registrant_missing: { readonly role: RegistrantRole };
  not_an_adult: Nothing;
  /** The bank knows another profile by it. */
  email_taken: Nothing;
  /** The bank's own reason. */
  registration_refused: { readonly reason: string };
};

/** The error of an endpoint's URL. */
export type EndpointUrlFault = 'malformed' | 'not_https' | 'port' | 'private';

/** The kind of person or company that a bank opens an account for. */
export type RegistrantRole = 'email' | 'firstName' | 'lastName' | 'phone' | 'bvn';

/** A bill plan, named by its code or by its old service id. */
type BillPlanNamed = {
  readonly role: 'plan' | 'service';
  readonly product: string;
  readonly network: string;
};

/** An error with the code, or any error. */
export type RequestFault<Code extends keyof RequestFaults = keyof RequestFaults> = {
  readonly [C in Code]: { readonly code: C } & RequestFaults[C];
}[Code];
