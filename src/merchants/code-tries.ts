/** Limits how often a caller may send merchant codes that are not its own. */
import type { Principal } from './merchant.ts';

type LimitedCaller = {
  readonly retryAfterS: number;
  /** The first refusal after the attempts ran out, which is logged. */
  readonly isFirst: boolean;
};

export type MerchantCodeTries = {
  /** Takes an attempt. Returns undefined if one was left. Throws GatewayError `database_away`. */
  take(principal: Principal, address: string): Promise<LimitedCaller | undefined>;
};
