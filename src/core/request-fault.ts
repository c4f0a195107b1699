/**
 * What a merchant's request can be refused for, as facts. The core throws them in a `GatewayError`.
 * The words a merchant reads, the names of fields and the HTTP status are the edge's:
 * `src/api/plumbing/request-errors.ts` has them, one entry a code.
 *
 * Amounts are in minor units. A `role` says what a field is for, where it has another name on
 * another route.
 */
import type { Currency } from './money.ts';

type Nothing = unknown;
type SubjectStatus = 'pending' | 'success' | 'failed';

/** What a field of a purchase or an order is for. */
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

/** How a request compares with the first purchase under its reference. */
export type Repeat = {
  readonly differing: readonly PurchaseRole[];
  /** Those whose first values are not stored, or not any more. */
  readonly unknown: readonly PurchaseRole[];
};

export type RequestFaults = {
  // Not now. Nothing was stored, and the same request may be sent again.

  /** As many requests as this process serves at once are under way. */
  requests_full: Nothing;
  /** As many purchases as this process keeps wait for the database. */
  purchases_full: Nothing;
  /** Every provider that sells it is at its limit; the first is free again after `freeAfterMs`. */
  providers_busy: { readonly freeAfterMs: number };
  /** As many QR codes as this process keeps of the merchant, or of all, wait to be drawn. */
  qr_codes_full: Nothing;
  /** The merchant's share of look-ups at the provider is under way, or all of them. */
  provider_look_ups_full: Nothing;
  /** As many credentials as this process keeps wait to be looked up. */
  credentials_full: Nothing;
  /** The database cannot be reached, or is too slow. The purchase was not stored. */
  purchase_not_stored: Nothing;
  /** As many look-ups of the merchant as it may have at a time are under way. */
  look_ups_full: Nothing;
  /** The database cannot be reached, or is too slow. The request stores no purchase. */
  database_away: Nothing;
  /** Another request is opening the same funding account. */
  account_being_opened: Nothing;

  // Nobody can serve it at the moment. Nothing was stored.

  no_provider: { readonly product: string; readonly network: string };
  /** The operator keeps purchases from all providers of the route. */
  selling_paused: { readonly product: string; readonly network: string };
  /**
   * The database was restored, and what was bought since its backup is not known yet. Of a look-up:
   * nobody can say yet whether there is such a purchase.
   */
  purchases_locked: Nothing;
  no_exchange_rate: { readonly currency: Currency };
  no_bank: { readonly currency: Currency };

  // Nobody upstream could say. Nothing was bought.

  /** Of an order: the provider's own fault is in its way, such as our money there. */
  order_not_served: Nothing;
  availability_unknown: Nothing;
  mtn_balances_unknown: Nothing;
  /** The registration is stored: the same request goes on where this one stopped. */
  bank_silent: Nothing;

  // Not allowed, or not there.

  /** It may still look up what is its own. */
  merchant_suspended: Nothing;
  product_not_enabled: { readonly product: string };
  funding_not_enabled: { readonly currency: Currency };
  /** Of a purchase: what it would be paid from. */
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
    /** Absent where the two were not compared. */
    readonly repeat?: Repeat | undefined;
  };
  /** The purchase may exist, and its outcome is not known: only its status can tell. */
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
  /** The network sells data by amount, and no plan of it costs this. */
  amount_of_no_plan: { readonly network: string };
  /** The product takes none, or nobody who could sell it does. */
  amount_not_whole_naira: Nothing;
  amount_below: { readonly plan: string; readonly min: bigint };
  amount_above: { readonly plan: string; readonly max: bigint };
  face_value_out_of_range: { readonly min: bigint; readonly max: bigint; readonly currency: string };

  // The customer of a bill.

  /** `form` says what it must look like. */
  customer_malformed: { readonly form: string };
  /** The network sells for a mobile number, and this is none. */
  number_malformed: { readonly network: string };
  /** There is nobody to verify: the network sells for a mobile number. */
  network_without_customers: { readonly network: string };
  phone_missing: { readonly product: string };
  phone_malformed: Nothing;

  // Orders.

  /** No voucher of the merchant that can be redeemed has the code, for whatever reason. */
  no_such_voucher: Nothing;
  channel_not_offered: { readonly channel: string; readonly offered: readonly string[] };

  // A statement.

  /** The cursor is of another statement. */
  cursor_of_other_statement: Nothing;
  page_too_deep: Nothing;

  // Events and webhooks.

  /** It is none of this feed. */
  event_cursor_unknown: Nothing;
  /** What came after it is not kept any more. */
  event_cursor_expired: Nothing;
  /** As many questions for events as the credential may have at a time, or this process, wait. */
  event_polls_full: Nothing;
  /** `why` says what it must be. */
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

/** What is wrong with the URL of an endpoint. */
export type EndpointUrlFault = 'malformed' | 'not_https' | 'port' | 'private';

/** Whom a bank opens an account for. */
export type RegistrantRole = 'email' | 'firstName' | 'lastName' | 'phone' | 'bvn';

/** A bill plan, named by its code or by its old service id. */
type BillPlanNamed = {
  readonly role: 'plan' | 'service';
  readonly product: string;
  readonly network: string;
};

/** One fault of the code, or any. */
export type RequestFault<Code extends keyof RequestFaults = keyof RequestFaults> = {
  readonly [C in Code]: { readonly code: C } & RequestFaults[C];
}[Code];
