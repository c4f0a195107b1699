/**
 * The `merchant` field of a body. It names the profile that pays, which can only be the caller's
 * own.
 */
import type { FastifyRequest } from 'fastify';
import type { ServerDependencies } from '../../dependencies.ts';
import { principalOf } from '../../plumbing/authenticate.ts';
import { outerOf } from '../../plumbing/inner-requests.ts';
import { shown } from '../../plumbing/openapi/annotations.ts';
import { Refusal, refuseField } from '../../plumbing/refusal.ts';

export type MerchantCodes = Pick<ServerDependencies, 'authenticator' | 'merchantCodeTries' | 'log'>;

/**
 * Throws a Refusal: 403 for the code of another merchant, 404 for an unknown code, and 429 for
 * either when the caller has sent too many of them. The caller's own code is never refused and is
 * accepted without waiting.
 */
export function requireOwnMerchant(
  codes: MerchantCodes,
  request: FastifyRequest,
  code: string,
): Promise<never> | undefined {
  const { merchant } = principalOf(request);
  if (code === merchant.code || code.toLowerCase() === merchant.code.toLowerCase()) return undefined;
  return refuseOther(codes, request, code);
}

async function refuseOther(
  { authenticator, merchantCodeTries, log }: MerchantCodes,
  request: FastifyRequest,
  code: string,
): Promise<never> {
  const principal = principalOf(request);
  const { merchant, credentialId } = principal;
  const { ip } = outerOf(request) ?? request;
  const limited = await merchantCodeTries.take(principal, ip);
  if (limited === undefined)
    throw (await authenticator.merchantExists(code)) ? otherMerchant() : unknownMerchant();
  const { retryAfterS, isFirst } = limited;
  if (isFirst) {
    log.warn(
      { merchant: merchant.code, key: credentialId, address: ip, retryAfterS },
      'a key sends many merchant codes that are not its own',
    );
  }
  throw tooManyCodes(retryAfterS);
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

function tooManyCodes(retryAfterS: number): Refusal {
  const message =
    "Too many requests with another merchant's code. Nothing was charged. Send your own code in merchant.";
  return new Refusal(429, 'merchant_codes_limited', message, {
    fields: [{ field: 'merchant', reason: 'merchant_codes_limited', message }],
    retryAfterS,
  });
}

/** For the document. */
export const merchantRefusals = [
  shown('other_merchant', otherMerchant()),
  shown('unknown_merchant', unknownMerchant()),
  shown('too_many_merchant_codes', tooManyCodes(30)),
];
