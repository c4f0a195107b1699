/**
 * The contract of a bank: funding accounts that customers pay into, and the payments on them. A
 * connector only translates. It keeps no state, and never throws because of a reply. An unclear
 * reply is `unavailable`, never `refused` and never `paid`: money moves only on the answer to a
 * query.
 */
import type { Environment } from '../../core/environment.ts';
import type { Currency } from '../../core/money.ts';
import type { LinesPage, Period } from '../../providers/statements/statement-line.ts';

/** The owner of the account. Never logged. */
type Identity = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** International digits without a plus sign. */
  readonly phone: string;
  /** Eleven digits. */
  readonly bvn: string | undefined;
};

export type AccountOrder = {
  /** Our reference at the provider: one for each merchant, environment and currency, for ever. */
  readonly reference: string;
  readonly currency: Currency;
  readonly identity: Identity;
};

export type BankAccount = {
  readonly number: string;
  readonly name: string;
  readonly bankName: string;
  /** The bank's id of the customer or account, if its other calls need it. */
  readonly providerId?: string;
};

export type AccountAnswer =
  | { readonly kind: 'active'; readonly account: BankAccount }
  /** The bank is opening the account: look it up later. */
  | { readonly kind: 'pending' }
  /**
   * The bank refused explicitly. `message` is for the merchant. `ours`: the merchant cannot fix it.
   */
  | { readonly kind: 'refused'; readonly message: string; readonly ours: boolean }
  /** Unknown. A new request with the same reference is safe. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** The account of a payment: by our reference or by its number, as the bank names it. */
export type PaidTo = { readonly kind: 'reference' | 'number'; readonly value: string };

export type Payment = {
  /** The provider's own reference: one for each payment, for ever. */
  readonly reference: string;
  readonly paidTo: PaidTo;
  /** What the customer sent, in minor units, above zero. */
  readonly amount: bigint;
  readonly currency: Currency;
  readonly paidAt: Date;
  /** What the bank settles to us, if it states it. */
  readonly settled?: bigint;
};

export type PaymentAnswer =
  | { readonly kind: 'paid'; readonly payment: Payment }
  /** There is nothing to credit yet: the payment is unknown, pending or failed. */
  | { readonly kind: 'not_paid'; readonly reason: string }
  /** Paid, but not a transfer to a funding account. */
  | { readonly kind: 'other' }
  /** `isUnknown`: the bank does not know the reference, and does not promise that it never will. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly isUnknown?: true };

/** An account to list the payments of. */
export type ListedAccount = {
  readonly reference: string;
  readonly number: string;
  readonly providerId: string | undefined;
};

export type PaymentList =
  /** The references of payments, each of which must be read back before it counts. */
  | { readonly kind: 'listed'; readonly references: readonly string[] }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** The content of an authentic notice. */
export type Notice =
  | { readonly kind: 'payment'; readonly reference: string }
  /** A pending account is open now, or was refused. */
  | { readonly kind: 'account'; readonly email: string; readonly refusal: string | undefined }
  | { readonly kind: 'irrelevant' };

/** The headers of a request, by their names in lower case. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** The facts about a bank that need no settings. The `index.ts` of its folder states them. */
export type BankFacts = {
  /** The name in accounts, deposits, the ledger and the path of notices. It never changes. */
  readonly name: string;
  /** The environment of its accounts. */
  readonly environment: Environment;
  readonly currencies: readonly Currency[];
  /** Whether customers are identified by e-mail only, so that merchants cannot share one. */
  readonly keyedByEmail: boolean;
};

/** The calls to a bank with one account. The functions do not use `this`. */
export type BankConnector = {
  /** Requests the account. With `repeated` it may exist already, so it is looked up first. */
  openAccount(order: AccountOrder, repeated: boolean): Promise<AccountAnswer>;
  /** Looks up a requested account. `pending` also when there is none. */
  lookUpAccount(order: AccountOrder): Promise<AccountAnswer>;
  findPayment(reference: string): Promise<PaymentAnswer>;
  /**
   * Lists the payments to an account since then; older ones may be included. Absent when the bank
   * has no such list: a payment without a notice is then found by reconciliation only.
   */
  listPayments?(account: ListedAccount, since: Date): Promise<PaymentList>;
  /**
   * Reads one page of all payments in a period. `page` is the `next` of the page before. Absent
   * when the bank has no such list.
   */
  listTransactions?(period: Period, page: string | undefined): Promise<LinesPage>;
  /**
   * Reads a notice. Undefined when its signature over the raw bytes is invalid. Pure. Absent when
   * the bank sends no notices.
   */
  readNotice?(bytes: Uint8Array, headers: Headers): Notice | undefined;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A bank in use. */
export type FundingProvider = BankFacts & BankConnector;
