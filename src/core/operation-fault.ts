/**
 * What an operator's act can be refused for, as facts. Operations throw them in an
 * `OperationError`; `src/backoffice/operations/fault-words.ts` says them, one entry a code.
 *
 * Amounts are in minor units of the wallet's currency.
 */
import type { Environment } from './environment.ts';
import type { Currency } from './money.ts';

type Nothing = unknown;
type WalletOf = {
  readonly merchant: string;
  readonly environment: Environment;
  readonly currency: Currency;
};

/** What is wrong with one property of an operation's input. */
export type InputFault =
  | { readonly field: string; readonly kind: 'missing' | 'wrong'; readonly wanted: string }
  /** No property of that name; `wanted` are those there are. */
  | { readonly field: string; readonly kind: 'unknown'; readonly wanted: readonly string[] };

export type OperationFaults = {
  // Any operation.

  /** Never empty. */
  input_malformed: { readonly faults: readonly InputFault[] };
  role_lacking: { readonly operation: string; readonly roles: readonly string[] };
  no_operation: { readonly operation: string };
  /** It is none that the list gave. */
  no_such_cursor: { readonly cursor: string };
  /** Of a period, as days in Lagos. */
  days_backwards: { readonly from: string; readonly to: string };
  /** For another input. */
  key_used: { readonly operation: string; readonly key: string };

  // Closed days, as days in Lagos.

  /** `closableAt`: some minutes after its end. */
  day_not_over: { readonly day: string; readonly closableAt: Date };
  /** Another day must be closed before. */
  day_out_of_order: { readonly day: string; readonly next: string };
  /** It is older than the first day that was closed, and closed with it. */
  day_before_first: { readonly day: string; readonly next: string };
  /** All that is older than `since` is rolled up: that is before the end of the day. */
  day_still_written: { readonly day: string; readonly since: Date };
  /** A sum of the reports is not what the ledger has. In minor units. */
  day_disagrees: {
    readonly day: string;
    readonly what: string;
    readonly currency: Currency;
    readonly sold: bigint;
    readonly booked: bigint;
  };
  day_not_closed: { readonly day: string; readonly environment: Environment };
  /** The books of a period that is not rolled up yet. */
  books_incomplete: { readonly from: string; readonly to: string };

  // Access.

  no_token: { readonly token: string };
  token_life_too_long: { readonly daysMax: number };

  // People who sign in.

  no_user: { readonly email: string };
  user_exists: { readonly email: string };
  user_suspended: { readonly email: string };
  email_malformed: { readonly email: string };
  /** Nobody would be left who can let others in. */
  last_chief: { readonly role: 'admin' | 'owner' };
  no_session: { readonly session: string };
  no_mail_server: Nothing;

  // What waits for a second person.

  no_approval: { readonly approval: string };
  approval_over: { readonly state: 'approved' | 'rejected' | 'expired' };
  /** Of long work, which cannot wait for one. */
  second_person_needed: { readonly operation: string };
  /** Who asked for it. */
  approval_by_same_person: { readonly principal: string };

  // Long work.

  no_task: { readonly task: string };
  /** The same runs already. */
  task_running: { readonly operation: string; readonly task: string };
  tasks_full: { readonly max: number };

  // Webhooks.

  no_webhook_endpoint: { readonly endpoint: string };
  webhook_endpoint_disabled: { readonly endpoint: string };
  webhook_endpoints_full: { readonly max: number };
  no_webhook_delivery: { readonly delivery: string };
  times_backwards: Nothing;

  // Merchants and their credentials.

  no_merchant: { readonly merchant: string };
  merchant_exists: { readonly merchant: string };
  merchant_code_malformed: Nothing;
  merchant_name_malformed: { readonly lengthMax: number };
  discount_malformed: { readonly basisPointsMax: number };
  no_credential: { readonly keyId: string };
  /** Revoked, or past its end. */
  credential_ended: { readonly keyId: string };
  /** The environment has as many active ones as it may have. */
  too_many_credentials: { readonly max: number; readonly environment: Environment };
  label_malformed: { readonly lengthMax: number };
  too_many_addresses: { readonly max: number };
  address_malformed: { readonly text: string };
  rate_malformed: { readonly max: number };
  /** Spend caps, in minor units. */
  caps_crossed: { readonly perPurchase: bigint; readonly perDay: bigint };
  mcp_needs_caps: Nothing;

  // Networks and routes.

  no_such_network: {
    readonly product: string;
    readonly network: string;
    readonly known: readonly string[];
  };
  no_such_provider: { readonly provider: string; readonly known: readonly string[] };
  provider_repeated: { readonly provider: string };
  /** Test purchases are served by `simulated` alone, and live ones never. */
  provider_of_other_environment: { readonly testing: readonly string[] };

  // Floats and reconciliations.

  /** One with this reference of the provider's, in kobo. */
  movement_booked: {
    readonly provider: string;
    readonly reference: string;
    readonly kind: 'top_up' | 'charge';
    readonly amount: bigint;
  };
  no_such_bank: { readonly bank: string; readonly known: readonly string[] };
  /** Of an amount in that currency. */
  naira_missing: { readonly currency: string };
  no_such_moment: { readonly at: string };
  moment_to_come: { readonly at: string };
  no_such_party: { readonly party: string; readonly known: readonly string[] };
  /** Nothing is set up that could be asked, and there is no file. */
  party_not_configured: { readonly party: string };
  party_list_unavailable: { readonly party: string; readonly reason: string };
  no_statement_mapping: { readonly party: string };
  /** Never empty. */
  statement_at_fault: { readonly file: string; readonly faults: readonly string[] };
  /** Files are read where the command runs, and not by the admin API. */
  no_files_here: Nothing;
  no_reconciliation: { readonly run: string };
  /** No order of the provider waits under the reference. */
  no_finding: { readonly provider: string; readonly reference: string };
  finding_not_entered: { readonly reason: string };

  // Providers.

  /** Paused in exactly this place already, or not at all. */
  not_paused: { readonly provider: string; readonly place: string };
  /** `name` is empty where none of its settings can be stored. */
  credential_unknown: { readonly provider: string; readonly name: string; readonly known: readonly string[] };
  /** What is missing or wrong, without a value. */
  credentials_unfit: { readonly provider: string; readonly faults: readonly string[] };
  /** `names` may name another account, and orders at the present one are not settled. */
  provider_account_changes: { readonly provider: string; readonly names: readonly string[] };
  /** None of the keys opens those that are stored. */
  credentials_unopened: { readonly provider: string };
  /** None are stored. */
  no_credentials_before: { readonly provider: string };
  share_of_stranger: { readonly provider: string };

  // Exchange rates and discounts.

  /** It moves by more than a fifth, and can be set where the operator insists. */
  rate_change_large: {
    readonly currency: string;
    readonly before: RateOf;
    readonly after: RateOf;
  };
  /**
   * So much of the face value no provider is known to give; can be set where the operator insists.
   */
  discount_change_large: { readonly basisPoints: number; readonly basisPointsMax: number };
  /**
   * After the change merchants would pay less than the provider took at last. The worst sales, and
   * how many more there are.
   */
  sells_below_cost: { readonly examples: readonly SaleAtLoss[]; readonly more: number };
  /** In naira for a unit: the rate lies outside what is likely. */
  rate_unlikely: {
    readonly currency: Currency;
    readonly rate: string;
    readonly low: string;
    readonly high: string;
    /** The currency whose rate says so; undefined: the usual range. */
    readonly from: Currency | undefined;
  };

  // Wallets.

  merchant_has_no_wallet: WalletOf;
  /** `served`: the currencies that the environment's banks open accounts in. */
  no_bank_for_currency: {
    readonly environment: Environment;
    readonly currency: Currency;
    readonly served: readonly Currency[];
  };
  correction_of_nothing: Nothing;
  memo_malformed: { readonly lengthMax: number };
  wallet_cannot_give: {
    readonly amount: bigint;
    readonly posted: bigint;
    readonly held: bigint;
    readonly floor: bigint;
  };
  floor_above_balance: { readonly floor: bigint; readonly posted: bigint; readonly held: bigint };
  phone_malformed: Nothing;
  client_name_malformed: { readonly lengthMax: number };
  too_many_lines: { readonly max: number };
  line_exists: LineOf;
  no_line: LineOf;

  // Vouchers.

  no_voucher: { readonly voucher: string };
  no_voucher_issue: { readonly issue: string };
  voucher_cancelled: Nothing;
  voucher_redeemed: { readonly reference: string };
  /** By an order that is not final. */
  voucher_taken: { readonly reference: string };
  vouchers_above_balance: {
    readonly merchant: string;
    readonly environment: Environment;
    readonly available: bigint;
    readonly count: number;
    readonly value: bigint;
  };
  voucher_value_malformed: { readonly max: bigint };
  voucher_count_malformed: { readonly max: number };

  // Deposits.

  /** Purchases of before this time are not in the index of the search yet. */
  search_incomplete: { readonly until: string };
  /** Purchases that are not over: some of their references, and how many more there are. */
  person_needed: { readonly references: readonly string[]; readonly more: number };
  no_document: { readonly merchant: string; readonly environment: Environment };
  document_malformed: { readonly field: string };
  no_deposit: { readonly deposit: string };
  deposit_credited: { readonly deposit: string };
  /** Of a funding account that somebody asks for. */
  registrant_too_young: Nothing;
  registrant_email_taken: Nothing;
  registration_not_taken: { readonly reason: string };
  funding_not_allowed: { readonly currency: string };
  no_bank_for: { readonly currency: string };
  bank_not_answering: Nothing;

  // Purchases, what they brought, and where it is sent.

  no_purchase: { readonly purchase: string };
  /** Of the merchants' API, as the gateway itself reaches it. */
  api_silent: Nothing;
  credential_live: { readonly keyId: string };
  /** Used more than once, in these places. */
  purchase_ambiguous: {
    readonly purchase: string;
    readonly places: readonly { readonly merchant: string; readonly environment: Environment }[];
  };
  purchase_not_delivered: { readonly status: 'pending' | 'failed' };
  /** It is no person's to decide any more. */
  purchase_final: { readonly status: 'success' | 'failed' };
  purchase_being_sent: Nothing;
  /** When it was asked, before a person settled it: it is final now. */
  provider_decided: { readonly provider: string; readonly status: 'success' | 'failed' };
  /** The provider's own word is the opposite, and can be overridden by two persons. */
  provider_says_otherwise: { readonly provider: string; readonly said: 'success' | 'failed' | 'not_found' };
  /** No process that lives can call it, and it is not configured here. */
  nobody_can_ask: { readonly provider: string };
  cost_of_nothing: Nothing;
  refund_of_unsuccessful: { readonly status: 'pending' | 'failed' };
  nothing_to_refund: { readonly refunded: bigint };
  /** `left`: of what was paid, what was not given back yet. */
  refund_too_large: { readonly amount: bigint; readonly left: bigint; readonly paid: bigint };
  no_token_owed: Nothing;
  token_there: Nothing;
  /** What it brings is stored sealed: it is no token to be added in clear. */
  goods_are_sealed: Nothing;
  /** Nothing of it is sealed: what it owes is a token, if anything. */
  goods_not_sealed: Nothing;
  goods_there: Nothing;
  /** No provider can have delivered it: it is still to be sent, or to be sent again. */
  order_not_sent: Nothing;
  order_failed_finally: Nothing;
  /** `wanted`: what is owed, by its name among the goods. */
  goods_malformed: {
    readonly wanted: 'token' | 'cards' | 'pins' | 'iccid';
    readonly quantity: number;
  };
  nothing_to_send: Nothing;
  order_not_ready: Nothing;
  order_failed: Nothing;
  delivery_under_way: Nothing;
  /** It was sent, and can be sent once more where the operator insists. */
  delivery_sent: Nothing;
  /** It may have arrived, and can be sent once more where the operator insists. */
  delivery_doubtful: Nothing;

  // After a restore.

  no_fence: Nothing;
  /** What is still to be done before it can be opened. */
  restore_incomplete: {
    /** Whose lists are missing. */
    readonly providers: readonly string[];
    readonly open: number;
  };
  time_ahead: Nothing;

  // The catalog.

  /** It is no file of records at all. */
  catalog_unreadable: { readonly source: string; readonly why: string };
  /** Each in words, with its line where it has one. Never empty. */
  catalog_at_fault: { readonly source: string; readonly faults: readonly string[] };
  /** It is not configured, or tells nobody what it sells. */
  provider_has_no_list: { readonly provider: string };
  provider_says_nothing: { readonly provider: string; readonly of: string };

  // Keys.

  /** None of the keys opens them, and they were left as they are. */
  values_unopened: { readonly count: number };

  // Alarms.

  no_alarm: { readonly alarm: bigint };
};

type RateOf = { readonly rate: string; readonly margin_basis_points: number };

type SaleAtLoss = {
  /** Undefined: every merchant without a discount. */
  readonly merchant: string | undefined;
  readonly product: string;
  readonly network: string;
  /** Empty where the product has none. */
  readonly planCode: string;
  readonly provider: string;
  /** What is ordered, in minor units of the currency. */
  readonly currency: Currency;
  readonly amount: bigint;
  /** In kobo, as is the charge. */
  readonly cost: bigint;
  readonly charge: bigint;
};

type LineOf = {
  readonly merchant: string;
  readonly environment: Environment;
  readonly phone: string;
};

/** One fault of the code, or any. */
export type OperationFault<Code extends keyof OperationFaults = keyof OperationFaults> = {
  readonly [C in Code]: { readonly code: C } & OperationFaults[C];
}[Code];
