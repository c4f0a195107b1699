/**
 * The contract of a provider of funding accounts: bank accounts that customers pay into, and the
 * payments that came in on them. A connector only translates. It holds no state, and never throws
 * because of an answer. Doubt is `unavailable`, never `refused` and never `paid`: money moves only
 * on what the provider says when it is queried.
 */
import type { Environment } from '../../core/environment.ts';
import type { Currency } from '../../core/money.ts';
import type { LinesPage, Period } from '../../providers/statements/statement-line.ts';

/** Who the account is for. Never logged. */
type Identity = {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** As international digits, without a plus sign. */
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
  /** The provider's own id of the customer or account, where its other calls want it. */
  readonly providerId?: string;
};

export type AccountAnswer =
  | { readonly kind: 'active'; readonly account: BankAccount }
  /** The provider works on it: look it up later. */
  | { readonly kind: 'pending' }
  /**
   * The provider refused explicitly. `message` is for the merchant. `ours`: the merchant cannot
   * mend it.
   */
  | { readonly kind: 'refused'; readonly message: string; readonly ours: boolean }
  /** Nobody knows. Asking again under the same reference is safe. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/**
 * The account a payment came to: by our reference of it or by its number, whichever the provider
 * names.
 */
export type PaidTo = { readonly kind: 'reference' | 'number'; readonly value: string };

export type Payment = {
  /** The provider's own reference: one for each payment, for ever. */
  readonly reference: string;
  readonly paidTo: PaidTo;
  /** In minor units, above zero: what the customer sent. */
  readonly amount: bigint;
  readonly currency: Currency;
  readonly paidAt: Date;
  /** What the provider settles to us, where it says so. */
  readonly settled?: bigint;
};

export type PaymentAnswer =
  | { readonly kind: 'paid'; readonly payment: Payment }
  /** There is nothing to credit yet: the payment is unknown, under way or failed. */
  | { readonly kind: 'not_paid'; readonly reason: string }
  /** Paid, but not a transfer to a funding account. */
  | { readonly kind: 'other' }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** An account to list the payments of. */
export type ListedAccount = {
  readonly reference: string;
  readonly number: string;
  readonly providerId: string | undefined;
};

export type PaymentList =
  /** The provider's references of payments; each is to be read back before it counts. */
  | { readonly kind: 'listed'; readonly references: readonly string[] }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** What an authentic notice is about. */
export type Notice =
  | { readonly kind: 'payment'; readonly reference: string }
  /** A pending account is open now, or was refused. */
  | { readonly kind: 'account'; readonly email: string; readonly refusal: string | undefined }
  | { readonly kind: 'irrelevant' };

/** By name in lower case, as Node has them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What is known of a bank without its settings. The `index.ts` of its folder says it once. */
export type BankFacts = {
  /**
   * Names the bank in accounts, deposits, the ledger and the path of its notices. Never changed.
   */
  readonly name: string;
  /** The one environment whose accounts it keeps. */
  readonly environment: Environment;
  readonly currencies: readonly Currency[];
  /** It knows its customers by their e-mail alone, so no two merchants can have the same one. */
  readonly keyedByEmail: boolean;
};

/** The calls to one bank with one account. Its functions do not use `this`. */
export type BankConnector = {
  /**
   * Asks for the account. With `repeated` it may have been asked for before, so it is looked for
   * first.
   */
  openAccount(order: AccountOrder, repeated: boolean): Promise<AccountAnswer>;
  /** Looks for an account that was asked for. `pending` also where there is none. */
  lookUpAccount(order: AccountOrder): Promise<AccountAnswer>;
  findPayment(reference: string): Promise<PaymentAnswer>;
  /** Payments to an account since then, at least; older ones may be among them. */
  listPayments(account: ListedAccount, since: Date): Promise<PaymentList>;
  /**
   * One page of all payments to our accounts in a period; `page` is the `next` of the page before.
   * Absent where there is no such list.
   */
  listTransactions?(period: Period, page: string | undefined): Promise<LinesPage>;
  /**
   * What a notice is about; undefined when its signature over the raw bytes is not the provider's.
   * Pure. Absent: it sends none.
   */
  readNotice?(bytes: Uint8Array, headers: Headers): Notice | undefined;
  [Symbol.asyncDispose](): Promise<void>;
};

/** A bank in use. */
export type FundingProvider = BankFacts & BankConnector;
