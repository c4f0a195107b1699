/** Requests accounts again that are pending at a bank, or that a crash or an outage left behind. */

import { invariant } from '../core/errors.ts';
import { aside, workAll } from '../db/queue/work-all.ts';
import { type ClaimedAccount, claimUnsettledAccounts, settleAccount } from './funding-account-store.ts';
import type { FundingDependencies } from './funding-dependencies.ts';
import { selectIdentity } from './identity-store.ts';
import { queryBank } from './query-bank.ts';
import { completeRegistration } from './registration.ts';
import { openIdentity } from './sealed-identity.ts';

const CLAIM_MAX = 10;

/** Runs one round and returns the number of accounts. Safe to run in any process at any time. */
export async function settleAccounts(dependencies: FundingDependencies): Promise<number> {
  const names = [...dependencies.providers.keys()];
  const accounts = await claimUnsettledAccounts(dependencies.database, names, CLAIM_MAX);
  return await workAll(
    accounts,
    (account) => settle(dependencies, account),
    (account) => quarantine(dependencies, account),
  );
}

async function settle(dependencies: FundingDependencies, account: ClaimedAccount): Promise<void> {
  const { merchant_id: merchantId, environment, currency } = account;
  const key = { merchantId, environment, currency };
  const provider = dependencies.providers.get(account.provider);
  const identity = await selectIdentity(dependencies.database, key);
  invariant(
    provider !== undefined && identity !== undefined,
    'a requested account has its bank and its owner',
  );
  const fields = completeRegistration(
    { currency, fields: {} },
    openIdentity(dependencies.sealer, key, identity.sealed),
  );
  await queryBank(dependencies, { account, provider, fields });
}

async function quarantine({ database }: FundingDependencies, account: ClaimedAccount): Promise<void> {
  const message = `the ${account.currency} account ${account.reference} cannot be requested; see the log`;
  await settleAccount(database, account, aside({ merchantId: account.merchant_id, message }));
}
