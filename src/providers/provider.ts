/**
 * The contract of an upstream provider. A connector translates between it and one provider's HTTP interface; it holds no
 * state of vends, never retries a purchase by itself, and never throws for an answer: whatever comes back, or does not
 * come back, becomes one of the kinds below. Doubt is `unknown`, never `failed`.
 */
import type { Currency } from '../money.ts';

/** What a vend asks of a provider. Everything here is stored before the first byte is sent. */
export type ProviderOrder = {
  /** Our id at the provider, minted once per attempt by `mintReference` and committed before the call. */
  readonly reference: string;
  readonly product: string;
  readonly network: string;
  /** A mobile number as international digits (`2348031234567`); for bills the meter, smartcard or customer id. */
  readonly recipient: string;
  /** Face value in minor units of `currency`. */
  readonly amount: bigint;
  readonly currency: Currency;
  /** The plan's codes at this provider (data and bills), as the catalog has them; absent for airtime. */
  readonly planCodes?: Readonly<Record<string, string>>;
  /** The customer's mobile where the product has one apart from the recipient. */
  readonly phone?: string;
};

/** What was bought, as told to the merchant: `token`, `units`, `kct1` … Empty for airtime and data. */
export type Goods = Readonly<Record<string, unknown>>;

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
  /** The provider's explicit, final word that nothing was or will be delivered. */
  | (Evidence & {
      readonly kind: 'failed';
      /** `provider`: its own fault, before execution (float out, access off): another provider may serve the vend. */
      readonly fault: 'order' | 'provider';
    })
  /** It has the order and works on it. */
  | (Evidence & { readonly kind: 'accepted' })
  /** Sent, perhaps; no clear answer. */
  | (Evidence & { readonly kind: 'unknown' })
  /** Answer to a query only: it says it has never heard of the reference. */
  | (Evidence & { readonly kind: 'not_found' })
  /** Proven never to have left. */
  | (Evidence & { readonly kind: 'not_sent' });

export type AnswerKind = ProviderAnswer['kind'];

/** A plan as the provider lists it. */
export type ProviderPlan = {
  readonly code: string;
  readonly name: string;
  /** In kobo. */
  readonly price: bigint;
  readonly fixed: boolean;
};

type CallOptions = {
  /** Aborts the call at the caller's bound; what was sent by then stays `unknown`. */
  readonly signal?: AbortSignal;
  /** An order that has not left within so many milliseconds of the call does not leave any more: `not_sent`. */
  readonly sendWithinMs?: number;
};

export type Provider = {
  readonly name: string;
  /** Products this connector can vend, by their canonical names. */
  readonly products: ReadonlySet<string>;
  /** How long "never heard of it" is not believed after the attempt began, in milliseconds. */
  readonly notFoundGraceMs: number;
  /** The longest a `vend` call can take before it answers `unknown` by itself, in milliseconds. */
  readonly deadlineMs: number;
  /** A new id at the provider: unique, never reused, in the provider's own format. */
  mintReference(now: Date): string;
  vend(order: ProviderOrder, options?: CallOptions): Promise<ProviderAnswer>;
  /** Asks after an order. Never answers `not_sent`: a question that did not leave says nothing of the order (`unknown`). */
  query(order: ProviderOrder, options?: CallOptions): Promise<ProviderAnswer>;
  /** Our float at the provider, in kobo; `undefined` where it cannot be read now. */
  balance(options?: CallOptions): Promise<bigint | undefined>;
  /** What the provider sells under one of its own service ids; `undefined` where it cannot be read now. */
  listPlans?(serviceId: string, options?: CallOptions): Promise<readonly ProviderPlan[] | undefined>;
  [Symbol.asyncDispose](): Promise<void>;
};
