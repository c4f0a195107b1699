/**
 * Accepts the webhooks of banks. A signed notice is only a hint: a payment is read back before
 * money moves, and an account is looked up, even when the notice reports a refusal. The notice is
 * stored when the promise resolves, so it may be acknowledged.
 */
import type { Headers } from './banks/funding-provider.ts';
import { makeAccountsDue } from './funding-account-store.ts';
import type { FundingDependencies } from './funding-dependencies.ts';
import { insertNotices } from './notice-store.ts';
import { hashEmail } from './sealed-identity.ts';

/** Accepts a notice. `nobody`: no such bank sends notices. `forged`: the signature is invalid. */
export async function takeNotice(
  dependencies: Pick<FundingDependencies, 'database' | 'providers' | 'pepper' | 'failpoints'>,
  providerName: string,
  bytes: Uint8Array,
  headers: Headers,
): Promise<'taken' | 'forged' | 'nobody'> {
  const provider = dependencies.providers.get(providerName);
  if (provider?.readNotice === undefined) return 'nobody';
  const notice = provider.readNotice(bytes, headers);
  if (notice === undefined) return 'forged';
  if (notice.kind === 'payment') {
    await insertNotices(dependencies.database, provider.name, [notice.reference], 'notice');
    await dependencies.failpoints.reach('after-notice-stored');
  }
  if (notice.kind === 'account') {
    await makeAccountsDue(
      dependencies.database,
      provider.name,
      hashEmail(dependencies.pepper, provider.name, notice.email),
      notice.refusal,
    );
  }
  return 'taken';
}
