/**
 * A merchant as the request path needs it: who it is, what it may buy, what it pays, from which
 * wallet.
 */
import type { Environment } from '../core/environment.ts';
import type { Sharer } from '../core/fair-gate.ts';
import type { Currency } from '../core/money.ts';

type MerchantProfile = {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  /** It may look up what is its own, and nothing else. */
  readonly suspended: boolean;
  /** Products enabled in the principal's environment, by canonical name. */
  readonly products: ReadonlySet<string>;
  /** Discounts in basis points of the face value, by `discountKey(product, network)`. */
  readonly discounts: ReadonlyMap<string, number>;
  /** Ledger accounts of the merchant's wallets in the principal's environment. */
  readonly wallets: ReadonlyMap<Currency, bigint>;
};

/** The merchant and environment that a request's credential proves. */
export type Principal = {
  readonly credentialId: string;
  readonly environment: Environment;
  readonly merchant: MerchantProfile;
  /** The credential's own rate limit; `undefined` leaves the gateway's. */
  readonly rateLimitPerS: number | undefined;
  /** It has spend caps: its purchases are counted against them at accept. */
  readonly capped?: boolean | undefined;
  /** An agent may buy with it over MCP; otherwise it may only look up. */
  readonly mcpPurchases?: boolean | undefined;
};

/** Whose share of a bounded number of places a request takes: the merchant's, then its key's. */
export function sharerOf(principal: Principal): Sharer<Environment> {
  const { environment, merchant, credentialId } = principal;
  return { pool: environment, group: merchant.id, member: credentialId };
}

export function discountKey(product: string, network: string): string {
  return `${product}/${network}`;
}
