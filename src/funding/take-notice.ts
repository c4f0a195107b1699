/**
 * Takes in what a provider sends to our door. A good signature makes it a hint, no more: a payment
 * is read back before any money moves, an account is looked up. It is stored when this resolves, so
 * that the provider may be told that it has arrived.
 */
import type { Headers } from '../banks/funding-provider.ts';
import { hurryAccountsOf, markRefused } from './funding-account-store.ts';
import type { FundingDesk } from './funding-desk.ts';
import { insertNotices } from './notice-store.ts';
import { hashEmail } from './sealed-identity.ts';

/**
 * `nobody`: no provider of that name sends notices. `forged`: not signed by it. Rejects when the
 * database does.
 */
export async function takeNotice(
  desk: Pick<FundingDesk, 'database' | 'providers' | 'pepper' | 'stopPoints'>,
  providerName: string,
  bytes: Uint8Array,
  headers: Headers,
): Promise<'taken' | 'forged' | 'nobody'> {
  const provider = desk.providers.get(providerName);
  if (provider?.readNotice === undefined) return 'nobody';
  const notice = provider.readNotice(bytes, headers);
  if (notice === undefined) return 'forged';
  if (notice.kind === 'payment') {
    await insertNotices(desk.database, provider.name, [notice.reference], 'notice');
    await desk.stopPoints.reach('after-notice-stored');
  }
  if (notice.kind === 'account') {
    const concerned = await hurryAccountsOf(
      desk.database,
      provider.name,
      hashEmail(desk.pepper, provider.name, notice.email),
    );
    if (notice.refusal !== undefined) {
      for (const key of concerned) await markRefused(desk.database, key, notice.refusal);
    }
  }
  return 'taken';
}
