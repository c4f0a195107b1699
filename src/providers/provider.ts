/**
 * The contract of an upstream provider. A connector translates between this contract and one
 * provider's HTTP interface. It holds no state of purchases, never retries a purchase by itself,
 * and never throws because of an answer: whatever comes back, or does not come back, becomes one of
 * the kinds below. Doubt is `unknown`, never `failed`.
 */
import type { Environment } from '../core/environment.ts';
import type { Currency, Money } from '../core/money.ts';
import type { Customer } from '../core/products/customer.ts';
import type { Turn } from './http/limiter.ts';
import type { ProviderLimiters } from './http/provider-upstream.ts';
import type { Bought, Marked } from './reference-mark.ts';
import type { LinesPage, Period } from './statements/statement-line.ts';

/** What a provider is to sell. All of this is stored before the first byte is sent. */
export type ProviderOrder = {
  /**
   * Our id at the provider, minted once per attempt by `mintReference` and committed before the
   * call.
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
  /**
   * The plan's codes at this provider (data and bills), as the catalog has them; absent for
   * airtime.
   */
  readonly planCodes?: Readonly<Record<string, string>>;
  /** The customer's mobile where the product has one apart from the recipient. */
  readonly phone?: string;
  /**
   * Bills: the customer as verified before the purchase; may have been verified by another
   * provider.
   */
  readonly customer?: Customer;
  /** Gift cards and eSIMs: what is ordered, in the plan's own currency. */
  readonly item?: OrderedItem;
  /** Test orders: the story to be played (src/core/products/test-stories.ts). */
  readonly story?: string;
  /**
   * How long ago the purchase was accepted, in milliseconds; with test credentials by its
   * merchant's clock.
   */
  readonly ageMs?: number;
  /**
   * The provider's own id, as its answer to this order told it: for a question to a provider that
   * has `queriesByOwnId`. Absent where no answer came.
   */
  readonly providerId?: string;
  /**
   * How the provider refused the order where its connector did not believe it (`refusal.ts`): for a
   * question to a provider that has `confirmsRefusals`. Absent where it did not.
   */
  readonly refusal?: UnconfirmedRefusal;
};

/** `message` has the provider's words, `ageMs` says how long ago they came. */
type UnconfirmedRefusal = { readonly code: string; readonly message: string; readonly ageMs: number };

/** A plan's codes at each provider that sells it, by the provider's name. */
export type PlanCodesByProvider = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** What an order of a gift card or an eSIM names besides its plan. */
export type OrderedItem = {
  /** How many; 1 for an eSIM. */
  readonly quantity: number;
  /**
   * Face value of one card, or the provider's price of one eSIM, in minor units of `currency`.
   */
  readonly unitPrice: bigint;
  readonly currency: Currency;
};

/** Whom to verify before a bill is paid. Costs nothing and moves nothing. */
export type CustomerQuery = {
  readonly product: string;
  readonly network: string;
  /** Meter, smartcard or betting account. */
  readonly recipient: string;
  readonly planCodes?: Readonly<Record<string, string>>;
};

export type CustomerAnswer =
  | { readonly kind: 'verified'; readonly customer: Customer }
  /**
   * The biller says explicitly that there is no such customer, or that the customer cannot be
   * served. `message` is for the merchant.
   */
  | { readonly kind: 'rejected'; readonly code: string; readonly message: string }
  /** Nobody knows: a time-out, an outage, an unreadable answer. */
  | { readonly kind: 'unavailable'; readonly code: string; readonly message: string };

/**
 * What was bought, by the names that it is stored under. This is the only place that says them:
 * they never change, since every installation has rows with them (docs/decisions/0301). Absent for
 * airtime and data, and where the goods are not there yet.
 */
export type Goods = {
  /** Prepaid electricity: 20 digits. */
  readonly token?: string;
  /** A decimal number as text. */
  readonly units?: string;
  /** A second token, a gift of the company: 20 digits, to be loaded after the first. */
  readonly bonus_token?: string;
  /** Key change tokens, 20 digits each. */
  readonly kct1?: string;
  readonly kct2?: string;
  /** `debt`: all of the payment cleared a meter's debt, and so no token comes. */
  readonly payment_spent_on?: string;
  readonly customer_name?: string;
  /** Gift cards, one for each that was ordered. */
  readonly cards?: readonly Card[];
  /** Education: one for each that was bought. */
  readonly pins?: readonly Pin[];
  /** An eSIM: these five come together. */
  readonly iccid?: string;
  readonly activation_code?: string;
  readonly smdp_address?: string;
  readonly lpa?: string;
  readonly redemption_instructions?: string;
  /** Orders: the provider's own reference. */
  readonly reference_code?: string;
};

/** A PIN, and its serial number where there is one. */
type Pin = { readonly serial?: string; readonly pin: string };

/** A gift card, with what there is of it. */
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
  /** The telco's or biller's own words for the merchant, where it gave any. */
  readonly telcoMessage?: string;
  /** The provider's own transaction id. */
  readonly providerId?: string;
};

export type ProviderAnswer =
  /** Delivered. `cost` is what the provider took, in kobo; absent where it does not say. */
  | (Evidence & { readonly kind: 'success'; readonly cost?: bigint; readonly goods?: Goods })
  /** The provider says explicitly and finally that nothing was or will be delivered. */
  | (Evidence & {
      readonly kind: 'failed';
      /**
       * `provider`: the provider's own fault, before it executed anything (float used up, access
       * closed). Another provider may serve the purchase.
       */
      readonly fault: 'order' | 'provider';
      /** The connector refused it by itself: the provider was not called. */
      readonly isUncalled?: true;
    })
  /** The provider has the order and works on it. */
  | (Evidence & { readonly kind: 'accepted' })
  /** The order was perhaps sent, and there is no clear answer. */
  | (Evidence & {
      readonly kind: 'unknown';
      /**
       * The provider says that it delivered, and not what was ordered: only a person can end it,
       * and it is never refunded by itself.
       */
      readonly delivered?: true;
      /** Another account of the provider was asked than the one that the order went to. */
      readonly otherAccount?: true;
    })
  /** The answer to a query only: the provider says that it does not know the reference. */
  | (Evidence & { readonly kind: 'not_found' })
  /** It is proven that the order never left, or was refused unread: it may be sent again. */
  | (Evidence & { readonly kind: 'not_sent' });

export type AnswerKind = ProviderAnswer['kind'];

/**
 * Whether a plan could be served now. Costs nothing and reserves nothing. It names no value and no
 * quantity: one answer serves everybody who asks for the plan.
 */
export type AvailabilityQuery = {
  readonly product: string;
  readonly planCodes?: Readonly<Record<string, string>>;
};

/** What one card may be worth, in minor units of the currency by its ISO code. */
export type CardValues = { readonly currency: string } & (
  | { readonly values: readonly bigint[] }
  | { readonly min: bigint; readonly max: bigint }
);

/**
 * `immediate`: the goods come with the order; `standard`: perhaps later; the other two are not
 * sold.
 */
export type Fulfillment = 'immediate' | 'standard' | 'out_of_stock' | 'preorder';

export type AvailabilityAnswer =
  /**
   * `detail` is one line for the merchant, where the provider has one. A card of another value than
   * `sells` has is out of stock; absent: every value of the catalog is sold.
   */
  | {
      readonly kind: 'known';
      readonly fulfillment: Fulfillment;
      readonly detail: string | undefined;
      readonly sells?: CardValues;
    }
  /** Nobody knows: a time-out, an outage, an unreadable answer. */
  | { readonly kind: 'unavailable'; readonly code: string; readonly message: string };

/**
 * A gift card or an eSIM as the provider lists it, to be compared with the catalog. Prices in minor
 * units of `currency`.
 */
export type ProviderListing = {
  /**
   * The codes that name it in an order. A plan of the catalog stores them as its codes at this
   * provider.
   */
  readonly planCodes: Readonly<Record<string, string>>;
  readonly title: string;
  readonly brand?: string;
  /** ISO 3166-1 alpha-2 where it is sold or works; absent where it is not one country. */
  readonly country?: string;
  readonly category?: string;
  readonly currency: Currency;
  /** Of a fixed face value, or the price of an eSIM. */
  readonly price?: bigint;
  readonly minPrice?: bigint;
  readonly maxPrice?: bigint;
  /** eSIM: megabytes (1,000 to the gigabyte) and days. */
  readonly dataMb?: number;
  readonly durationDays?: number;
  /** It is listed, and its price or its content cannot be read. */
  readonly isUnreadable?: true;
};

/** A plan as the provider lists it. */
export type ProviderPlan = {
  readonly code: string;
  readonly name: string;
  /** In kobo; undefined where the list has one that cannot be read. */
  readonly price: bigint | undefined;
  readonly fixed: boolean;
};

type CallOptions = {
  /** Aborts the call at the caller's bound; what was sent by then stays `unknown`. */
  readonly signal?: AbortSignal;
  /**
   * An order that has not left so many milliseconds after the call is not sent any more:
   * `not_sent`.
   */
  readonly sendWithinMs?: number;
  /** Whose call it is, and how urgent. Absent: a call of the gateway's own. */
  readonly turn?: Turn;
};

/** What is known of a provider without its settings. The `index.ts` of its folder says it once. */
export type ProviderFacts = {
  /**
   * Names the provider in routes, in the catalog's codes, in the path of its callbacks and in every
   * attempt. Never changed.
   */
  readonly name: string;
  /** The products it can purchase, by their canonical names. */
  readonly products: ReadonlySet<string>;
  /** The one environment whose purchases it serves. */
  readonly environment: Environment;
  /** Products whose plans it sells without codes of its own in the catalog. */
  readonly sellsWithoutCodes: ReadonlySet<string>;
  /** Products of which it takes no kobo. A route passes it over for amounts that have some. */
  readonly wholeNairaOnly: ReadonlySet<string>;
};

/** The calls to one provider with one account. Its functions do not use `this`. */
export type Connector = {
  /**
   * Tells our account at the provider from another, and nothing of it. Absent where no setting
   * names the account.
   */
  readonly account?: string | undefined;
  /** Every call passes one of them. Absent where nothing is called. */
  readonly limiters?: ProviderLimiters;
  /** How long "never heard of it" is not believed after the attempt began, in milliseconds. */
  readonly notFoundGraceMs: number;
  /**
   * The longest a `purchase` call can take before it answers `unknown` by itself, in milliseconds.
   */
  readonly deadlineMs: number;
  /**
   * A new id at the provider: unique, never reused, in the provider's own format. Made by
   * `reference-mark.ts` it says which purchase it is for and what is bought, and the purchase is
   * found by it after a restore.
   */
  mintReference(now: Date, purchase: Marked, bought: Bought): string;
  purchase(order: ProviderOrder, options?: CallOptions): Promise<ProviderAnswer>;
  /** Products whose orders it refuses without the customer's mobile number. Absent: none. */
  readonly needsPhone?: ReadonlySet<string>;
  /**
   * Asks what became of an order. Never answers `not_sent`: a query that did not leave says nothing
   * of the order (`unknown`).
   */
  query(order: ProviderOrder, options?: CallOptions): Promise<ProviderAnswer>;
  /** Whether it may take a success back later, and says so only to who asks again. */
  readonly takesBack?: true;
  /** Whether `query` asks by `providerId` where there is one. */
  readonly queriesByOwnId?: true;
  /** Whether `query` wants to know of a refusal that `purchase` did not believe. */
  readonly confirmsRefusals?: true;
  /** For products that are verified before purchase; never throws, and doubt is `unavailable`. */
  verifyCustomer?(query: CustomerQuery, options?: CallOptions): Promise<CustomerAnswer>;
  /** For products whose stock can run out; never throws, and doubt is `unavailable`. */
  checkAvailability?(query: AvailabilityQuery, options?: CallOptions): Promise<AvailabilityAnswer>;
  /**
   * What the provider sells of a product that has no service ids; `undefined` where it cannot be
   * read now.
   */
  listCatalog?(product: string, options?: CallOptions): Promise<readonly ProviderListing[] | undefined>;
  /**
   * Our float at the provider, in the currency of our account there; `undefined` where it cannot
   * be read now.
   */
  balance(options?: CallOptions): Promise<Money | undefined>;
  /**
   * What the provider sells under one of its own service ids; `undefined` where it cannot be read
   * now.
   */
  listPlans?(serviceId: string, options?: CallOptions): Promise<readonly ProviderPlan[] | undefined>;
  /**
   * One page of the orders that the provider took in a period, whoever sent them; `page` is the
   * `next` of the page before. Absent where it has no such list. Read it by `read-list.ts`.
   */
  listOrders?(period: Period, page: string | undefined, options?: CallOptions): Promise<LinesPage>;
  /**
   * What vending lines at MTN (international digits) have, in kobo, by line; a line it does not
   * know is left out, and `undefined` says that the balances cannot be read now.
   */
  mtnBalances?(
    phones: readonly string[],
    options?: CallOptions,
  ): Promise<ReadonlyMap<string, bigint> | undefined>;
  /**
   * Whether purchases and questions are held back at the moment; `half_open`: one may go, to see.
   * Absent where nothing is called.
   */
  breakerState?(): 'closed' | 'open' | 'half_open';
  [Symbol.asyncDispose](): Promise<void>;
};

/** A provider in use. */
export type Provider = ProviderFacts & Connector;
