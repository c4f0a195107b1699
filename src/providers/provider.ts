/**
 * The contract of an upstream provider. A connector translates between this contract and one
 * provider's HTTP interface. It keeps no state of purchases, never retries a purchase by itself,
 * and never throws because of a reply: every reply, and every missing one, becomes one of the kinds
 * below. An unclear reply is `unknown`, never `failed`.
 */
import type { Environment } from '../core/environment.ts';
import type { Currency, Money } from '../core/money.ts';
import type { Customer } from '../core/products/customer.ts';
import type { DataKind, PlanKind } from '../core/products/plan-kind.ts';
import type { Turn } from './http/limiter.ts';
import type { ProviderLimiters } from './http/provider-upstream.ts';
import type { PlanLists } from './plan-list-codes.ts';
import type { Bought, Marked } from './reference-mark.ts';
import type { LinesPage, Period } from './statements/statement-line.ts';

/** An order for a provider. All of it is stored before the first byte is sent. */
export type ProviderOrder = {
  /**
   * Our id at the provider: made once per attempt by `mintReference`, committed before the call.
   */
  readonly reference: string;
  readonly product: string;
  readonly network: string;
  /**
   * A mobile number as international digits (`2348031234567`); for bills the meter, smartcard or
   * customer id.
   */
  readonly recipient: string;
  /** Face value in minor units of `currency`. */
  readonly amount: bigint;
  readonly currency: Currency;
  /** What the merchant pays for it, in kobo: the highest cost without a loss. */
  readonly charge?: bigint;
  /** The kind of airtime or of the plan. Absent: the first of the product's kinds. */
  readonly planKind?: PlanKind;
  /** The plan's codes at this provider, from the catalog (data and bills); absent for airtime. */
  readonly planCodes?: Readonly<Record<string, string>>;
  /** The customer's mobile number, for products whose recipient is something else. */
  readonly phone?: string;
  /** Bills: the customer as verified before the purchase, perhaps by another provider. */
  readonly customer?: Customer;
  /** Gift cards and eSIMs: the ordered item, in the plan's own currency. */
  readonly item?: OrderedItem;
  /** Test orders: the scenario to play (src/core/products/test-stories.ts). */
  readonly story?: string;
  /**
   * How long ago the purchase was accepted, in milliseconds. With test credentials it is measured
   * by the merchant's test clock.
   */
  readonly ageMs?: number;
  /**
   * The provider's own id from its answer to this order, for queries of a connector with
   * `queriesByOwnId`. Absent when no answer came.
   */
  readonly providerId?: string;
  /** How long ago the attempt that this order is began, in milliseconds. Absent: just now. */
  readonly sentMs?: number;
  /**
   * The provider's ids of other orders for the same recipient, plan and amount, for queries of a
   * connector with `oneAlike`.
   */
  readonly otherIds?: readonly string[];
  /**
   * The unconfirmed refusal of the order (`answers.ts`), for queries of a connector with
   * `confirmsRefusals`. Absent without one.
   */
  readonly refusal?: UnconfirmedRefusal;
  /** Our balance moved by this order, for queries of a connector with `balanceProves`. */
  readonly isDebited?: true;
};

/** `message` quotes the provider, `ageMs` is the age of its answer. */
type UnconfirmedRefusal = { readonly code: string; readonly message: string; readonly ageMs: number };

/** The codes of a plan at each provider that sells it, by the provider's name. */
export type PlanCodesByProvider = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What an order of a gift card or an eSIM contains besides its plan. */
export type OrderedItem = {
  /** The number of cards; 1 for an eSIM. */
  readonly quantity: number;
  /** The face value of one card, or the provider's price of one eSIM, in minor units. */
  readonly unitPrice: bigint;
  readonly currency: Currency;
};

/** A customer to verify before a bill is paid. Verification is free and moves no money. */
export type CustomerQuery = {
  readonly product: string;
  readonly network: string;
  /** The meter, smartcard or betting account. */
  readonly recipient: string;
  readonly planCodes?: Readonly<Record<string, string>>;
};

export type CustomerAnswer =
  | { readonly kind: 'verified'; readonly customer: Customer }
  /**
   * The biller answered explicitly that it has no such customer or cannot serve the customer.
   * `message` is for the merchant.
   */
  | { readonly kind: 'rejected'; readonly code: string; readonly message: string }
  /** Unknown: a timeout, an outage or an unreadable reply. */
  | { readonly kind: 'unavailable'; readonly code: string; readonly message: string };

/**
 * The goods of a purchase, under the names that they are stored by. These names never change,
 * because every installation has rows with them
 * (docs/decisions/0301-keep-wire-words-at-the-edge.md). Absent for airtime and data,
 * and while the provider has not returned the goods yet.
 */
export type Goods = {
  /** Prepaid electricity: 20 digits. */
  readonly token?: string;
  /** A decimal number as text. */
  readonly units?: string;
  /** A bonus token of the company: 20 digits, loaded after the first token. */
  readonly bonus_token?: string;
  /** Key change tokens, 20 digits each. */
  readonly kct1?: string;
  readonly kct2?: string;
  /** `debt`: the whole payment cleared the meter's debt, so there is no token. */
  readonly payment_spent_on?: string;
  readonly customer_name?: string;
  /** Gift cards: one for each card that was ordered. */
  readonly cards?: readonly Card[];
  /** Education: one for each PIN that was bought. */
  readonly pins?: readonly Pin[];
  /** An eSIM: these five are present together. */
  readonly iccid?: string;
  readonly activation_code?: string;
  readonly smdp_address?: string;
  readonly lpa?: string;
  readonly redemption_instructions?: string;
  /** Orders: the provider's own reference. */
  readonly reference_code?: string;
};

/** A PIN, with its serial number if it has one. */
type Pin = { readonly serial?: string; readonly pin: string };

/** A gift card, with the parts that the provider returned. */
export type Card = {
  readonly card_number?: string;
  readonly pin?: string;
  readonly claim_url?: string;
  readonly expiry?: string;
};

type Evidence = {
  /** The provider's own code or status word, for people who read the timeline. */
  readonly code: string;
  /** One line for the operator; never a secret. */
  readonly message: string;
  /** The telco's or biller's own message for the merchant, if it sent one. */
  readonly telcoMessage?: string;
  /** The provider's own transaction id. */
  readonly providerId?: string;
  /** Our balance before and after the order, in kobo, as reported in the reply to the order. */
  readonly balance?: { readonly before?: bigint; readonly after?: bigint };
};

export type ProviderAnswer =
  /** Delivered. `cost` is the provider's charge, in kobo; absent if it reports none. */
  | (Evidence & { readonly kind: 'success'; readonly cost?: bigint; readonly goods?: Goods })
  /** The provider answered explicitly and finally that it did not and will not deliver. */
  | (Evidence & {
      readonly kind: 'failed';
      /**
       * `provider`: the provider cannot serve our account, and executed nothing (float used up,
       * access closed). Another provider may serve the purchase.
       */
      readonly fault: 'order' | 'provider';
      /** The connector refused the order itself, without a call. */
      readonly isUncalled?: true;
    })
  /** The provider has accepted the order and is processing it. */
  | (Evidence & { readonly kind: 'accepted' })
  /** The order may have been sent, and there is no clear answer. */
  | (Evidence & {
      readonly kind: 'unknown';
      /**
       * The provider delivered something other than the order. Only a person can settle the
       * purchase: it is never refunded automatically.
       */
      readonly delivered?: true;
      /** The query went to another account of the provider than the order. */
      readonly otherAccount?: true;
      /** The provider cannot be queried about the order, so its balance may decide it. */
      readonly isUnqueryable?: true;
    })
  /** Only for queries: the provider answered that it does not know the reference. */
  | (Evidence & { readonly kind: 'not_found' })
  /** The order provably never left, or was refused unread. It may be sent again. */
  | (Evidence & { readonly kind: 'not_sent' });

export type AnswerKind = ProviderAnswer['kind'];

/**
 * A question whether a plan is available now. It is free and reserves nothing. It has no value and
 * no quantity, so one answer serves every merchant.
 */
export type AvailabilityQuery = {
  readonly product: string;
  readonly planCodes?: Readonly<Record<string, string>>;
};

/** The face values that a card can have, in minor units of the ISO currency. */
export type CardValues = { readonly currency: string } & (
  | { readonly values: readonly bigint[] }
  | { readonly min: bigint; readonly max: bigint }
);

/** `immediate`: delivered with the order; `standard`: perhaps later; the other two: not sold. */
export type Fulfillment = 'immediate' | 'standard' | 'out_of_stock' | 'preorder';

export type AvailabilityAnswer =
  /**
   * `detail` is one line for the merchant, if the provider has one. A card whose value is not in
   * `sells` is out of stock. Absent: every value of the catalog is sold.
   */
  | {
      readonly kind: 'known';
      readonly fulfillment: Fulfillment;
      readonly detail: string | undefined;
      readonly sells?: CardValues;
    }
  /** Unknown: a timeout, an outage or an unreadable reply. */
  | { readonly kind: 'unavailable'; readonly code: string; readonly message: string };

/** A gift card or an eSIM that the provider lists. Prices are in minor units of `currency`. */
export type ProviderListing = {
  /** The codes that name it in an order, which the catalog stores. Empty: they cannot be read. */
  readonly planCodes: Readonly<Record<string, string>>;
  readonly title: string;
  readonly brand?: string;
  /** The country (ISO 3166-1 alpha-2) where it is sold or works; absent for several. */
  readonly country?: string;
  readonly category?: string;
  readonly currency: Currency;
  /** The fixed face value of a card, or the price of an eSIM. */
  readonly price?: bigint;
  readonly minPrice?: bigint;
  readonly maxPrice?: bigint;
  /** eSIM: megabytes (1,000 to the gigabyte) and days. */
  readonly dataMb?: number;
  readonly durationDays?: number;
  /** The list has it, but its price or content cannot be read. */
  readonly isUnreadable?: true;
};

/** A plan that the provider lists. */
export type ProviderPlan = {
  /** Undefined: it cannot be read, so the row may be any plan. */
  readonly code: string | undefined;
  readonly name: string;
  /** In kobo; undefined when the listed price cannot be read. */
  readonly price: bigint | undefined;
  readonly fixed: boolean;
  /** What our account pays, in kobo. Absent: the list does not state it. */
  readonly cost?: bigint;
  readonly kind?: DataKind;
  /** Megabytes, 1,000 to the gigabyte. */
  readonly sizeMb?: number;
  readonly days?: number;
};

type CallOptions = {
  /** Aborts the call. If the order was already sent, it stays `unknown`. */
  readonly signal?: AbortSignal;
  /** An order that has not left after this many milliseconds is never sent: `not_sent`. */
  readonly sendWithinMs?: number;
  /** The merchant and the priority of the call. Absent: the gateway's own call. */
  readonly turn?: Turn;
};

/** The facts about a provider that need no settings. The `index.ts` of its folder states them. */
export type ProviderFacts = {
  /**
   * The id of the account, in routes, in the catalog's codes and in every attempt: its first name.
   * It never changes.
   */
  readonly name: string;
  /** The operator has removed the account: it gets no new purchases. */
  readonly isRemoved?: boolean;
  /** The canonical names of the products that it sells. */
  readonly products: ReadonlySet<string>;
  /** The environment whose purchases it serves. */
  readonly environment: Environment;
  /** The products whose plans need no codes of this provider in the catalog. */
  readonly sellsWithoutCodes: ReadonlySet<string>;
  /** The products that it sells in whole naira only. A route skips it for other amounts. */
  readonly wholeNairaOnly: ReadonlySet<string>;
};

/** How orders that cannot be distinguished are kept apart. Durations are in milliseconds. */
export type OneAlike = {
  /**
   * Identifies the destination of the orders. It is the same for each account of ours that leads
   * there, because an account may be removed and added again under another name.
   */
  readonly place: string;
  /** How long an order waits after an equal order was settled. */
  readonly quietMs: number;
  /**
   * How long after an order its record may be created. While the record of an order is not known,
   * equal orders wait this long. After a restore every order does, because the database lacks the
   * last orders.
   */
  readonly recordMs: number;
  /** Returns the same text for equal orders. It does not depend on any setting. */
  likenessOf(order: ProviderOrder): string;
};

/** The calls to a provider with one account. The functions do not use `this`. */
export type Connector = PlanLists & {
  /** Identifies our account without revealing it. Absent when no setting names the account. */
  readonly account?: string | undefined;
  /** The limiters that every call passes. Absent when the connector makes no calls. */
  readonly limiters?: ProviderLimiters;
  /** How long after the start of the attempt "not found" is not believed, in milliseconds. */
  readonly notFoundGraceMs: number;
  /** The milliseconds after which a `purchase` call answers `unknown` by itself. */
  readonly deadlineMs: number;
  /**
   * Makes an id for the provider: unique, never reused, in the provider's format. With
   * `reference-mark.ts` the id names the purchase and the plan, so that the purchase is found by it
   * after a restore.
   */
  mintReference(now: Date, purchase: Marked, bought: Bought): string;
  purchase(order: ProviderOrder, options?: CallOptions): Promise<ProviderAnswer>;
  /** The kinds of airtime that it sells besides `vtu`. Absent: none. */
  readonly sellsKinds?: ReadonlySet<PlanKind>;
  /** The products that need the customer's mobile number. Absent: none. */
  readonly needsPhone?: ReadonlySet<string>;
  /**
   * Queries the outcome of an order. Never answers `not_sent`: a query that did not leave proves
   * nothing about the order (`unknown`).
   */
  query(order: ProviderOrder, options?: CallOptions): Promise<ProviderAnswer>;
  /** The provider may reverse a success later, and only a query shows it. */
  readonly takesBack?: true;
  /** `query` uses `providerId` if the order has one. */
  readonly queriesByOwnId?: true;
  /**
   * The provider returns no reference of ours, so an order is found only by recipient, plan and
   * amount. Equal orders are sent one at a time.
   */
  readonly oneAlike?: OneAlike;
  /**
   * Some orders cannot be queried or are not believed at once, so the movement of our balance is
   * evidence (src/purchases/evidence/). `delivery`: a debit shows that an order was executed.
   * `either`: everything is paid from this one balance, so a missing debit is evidence too.
   */
  readonly balanceProves?: 'delivery' | 'either';
  /**
   * The products whose success is not final at once. A route skips the provider for their sync
   * purchases.
   */
  readonly asyncOnly?: ReadonlySet<string>;
  /** `query` confirms refusals that `purchase` left unconfirmed. */
  readonly confirmsRefusals?: true;
  /** Verifies a customer before purchase. Never throws. An unclear reply is `unavailable`. */
  verifyCustomer?(query: CustomerQuery, options?: CallOptions): Promise<CustomerAnswer>;
  /** Checks whether a plan is in stock. Never throws. An unclear reply is `unavailable`. */
  checkAvailability?(query: AvailabilityQuery, options?: CallOptions): Promise<AvailabilityAnswer>;
  /** Lists the provider's plans of a product without service ids. Undefined when unreadable. */
  listCatalog?(product: string, options?: CallOptions): Promise<readonly ProviderListing[] | undefined>;
  /** Reads our float at the provider, in the account's currency. Undefined when unreadable. */
  balance(options?: CallOptions): Promise<Money | undefined>;
  /** No single balance is known of the account: `balance` makes no call. */
  readonly hasNoBalance?: true;
  /** Lists the plans of one of the provider's service ids. Undefined when unreadable. */
  listPlans?(serviceId: string, options?: CallOptions): Promise<readonly ProviderPlan[] | undefined>;
  /**
   * Reads one page of the account's orders in a period. `page` is the `next` of the page before.
   * Absent when the provider has no such list. Read the whole list with `readLinePages`.
   */
  listOrders?(period: Period, page: string | undefined, options?: CallOptions): Promise<LinesPage>;
  /**
   * Reads the balances of vending lines at MTN in kobo, by line (international digits). Leaves out
   * unknown lines. Undefined when the balances cannot be read now.
   */
  mtnBalances?(
    phones: readonly string[],
    options?: CallOptions,
  ): Promise<ReadonlyMap<string, bigint> | undefined>;
  /**
   * Returns the state of the circuit breaker of purchases and queries. Absent when the connector
   * makes no calls.
   */
  breakerState?(): 'closed' | 'open' | 'half_open';
  [Symbol.asyncDispose](): Promise<void>;
};

/** A provider in use. */
export type Provider = ProviderFacts & Connector;
