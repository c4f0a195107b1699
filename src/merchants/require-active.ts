/** Refuses to a suspended merchant whatever is no look-up of its own. */
import { GatewayError } from '../kernel/errors.ts';
import type { Principal } from './merchant.ts';

/** Throws GatewayError `merchant_suspended`. */
export function requireActive({ merchant }: Principal): void {
  if (merchant.suspended) throw new GatewayError({ code: 'merchant_suspended' });
}
