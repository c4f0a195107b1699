/** The `merchant` field of a body says which profile pays: it can only be the caller's own. */
import { GatewayError } from '../../../kernel/errors.ts';
import type { Principal } from '../../../merchants/merchant.ts';
import type { ServerDependencies } from '../../dependencies.ts';

/**
 * Throws GatewayError `forbidden` for the code of another merchant, `not_found` for that of none.
 */
export async function requireOwnMerchant(
  { merchantExists }: Pick<ServerDependencies, 'merchantExists'>,
  principal: Principal,
  code: string,
): Promise<void> {
  if (code === principal.merchant.code || code.toLowerCase() === principal.merchant.code.toLowerCase())
    return;
  const exists = await merchantExists(code);
  const message = exists
    ? 'merchant is not the profile this credential belongs to'
    : 'merchant is not the code of any profile';
  throw new GatewayError(exists ? 'forbidden' : 'not_found', message, {
    faults: [{ field: 'merchant', message }],
  });
}
