/**
 * Takes in what a provider sends to our webhook address. A good signature makes it a hint, no more:
 * a payment is read back before any money moves, an account is looked up, also where the notice
 * says that it is refused. It is stored when this resolves, so that the provider may be told that
 * it has arrived.
 */
import type { Headers } from './banks/funding-provider.ts';
import { makeAccountsDue } from './funding-account-store.ts';
import type { FundingDependencies } from './funding-dependencies.ts';
import { insertNotices } from './notice-store.ts';
import { hashEmail } from './sealed-identity.ts';

/**
 * `nobody`: no provider of that name sends notices. `forged`: not signed by it. Rejects when the
 * database does.
 */
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
