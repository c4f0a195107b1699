/** A merchant as the request path needs it: profile, products, discounts and wallet. */
import type { Environment } from '../core/environment.ts';
import type { Sharer } from '../core/fair-gate.ts';
import type { Currency } from '../core/money.ts';
import type { PriceSchedule } from './prices/price-schedule.ts';

type MerchantProfile = {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  /** A suspended merchant can only look up its own data. */
  readonly suspended: boolean;
  /** Products enabled in the principal's environment, by canonical name. */
  readonly products: ReadonlySet<string>;
  /** What it pays, now and later. */
  readonly prices: PriceSchedule;
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
  /** Whether the credential has spend caps, which purchases count against at accept. */
  readonly capped?: boolean | undefined;
  /** Whether an agent can buy with the credential over MCP, or only look up. */
  readonly mcpPurchases?: boolean | undefined;
};

/** Returns the sharer of a request in fair gates: the merchant, then its key. */
export function sharerOf(principal: Principal): Sharer<Environment> {
  const { environment, merchant, credentialId } = principal;
  return { pool: environment, group: merchant.id, member: credentialId };
}
