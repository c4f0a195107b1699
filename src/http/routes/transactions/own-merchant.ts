/** The `merchant` field of a body says which profile pays: it can only be the caller's own. */
import type { Principal } from '../../../merchants/merchant.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { shown } from '../../plumbing/openapi/annotations.ts';
import { type Refusal, refuseField } from '../../plumbing/refusal.ts';

/** Throws a Refusal: 403 for the code of another merchant, 404 for that of none. */
export async function requireOwnMerchant(
  { merchantExists }: Pick<ServerDependencies, 'merchantExists'>,
  principal: Principal,
  code: string,
): Promise<void> {
  if (code === principal.merchant.code || code.toLowerCase() === principal.merchant.code.toLowerCase())
    return;
  const exists = await merchantExists(code);
  throw exists ? otherMerchant() : unknownMerchant();
}

function otherMerchant(): Refusal {
  return refuseField(
    'merchant',
    'merchant_not_own',
    'merchant is not the profile this credential belongs to',
    403,
  );
}

function unknownMerchant(): Refusal {
  return refuseField('merchant', 'merchant_unknown', 'merchant is not the code of any profile', 404);
}

/** For the document. */
export const merchantRefusals = [
  shown('other_merchant', otherMerchant()),
  shown('unknown_merchant', unknownMerchant()),
];
