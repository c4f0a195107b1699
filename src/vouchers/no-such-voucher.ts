/** The refusal of a voucher that cannot be redeemed. */
import { type GatewayError, invalidField } from '../kernel/errors.ts';

/** The same words for every reason: whoever tries codes learns nothing. */
export function noSuchVoucher(): GatewayError {
  return invalidField('code', 'code names no voucher that can be redeemed');
}
