/**
 * Finds payments without a notice in the bank's list of each account, and adds notices for them.
 */
import { invariant } from '../core/errors.ts';
import { claimSweeps, type FundingAccountRow, markSwept } from './funding-account-store.ts';
import type { FundingDependencies } from './funding-dependencies.ts';
import { insertNotices } from './notice-store.ts';

const CLAIM_MAX = 10;
/** Read again before the last complete list, because a list may show a payment late. */
const OVERLAP_MS = 3 * 24 * 3_600_000;

/** Runs one round and returns the number of new notices. Safe to run in any process at any time. */
export async function sweepPayments(dependencies: FundingDependencies, everyMs: number): Promise<number> {
  const names = [...dependencies.providers.values()]
    .filter(({ listPayments }) => listPayments !== undefined)
    .map(({ name }) => name);
  const accounts = await claimSweeps(dependencies.database, names, { limit: CLAIM_MAX, everyMs });
  const found = await Promise.all(accounts.map((account) => sweep(dependencies, account)));
  return found.reduce((total, count) => total + count, 0);
}

async function sweep(dependencies: FundingDependencies, row: FundingAccountRow): Promise<number> {
  const provider = dependencies.providers.get(row.provider);
  const { account_number: number, active_at: activeAt, environment, currency } = row;
  invariant(number !== null && activeAt !== null, 'only active accounts are swept');
  invariant(provider?.listPayments !== undefined, 'only banks with a list are swept');
  const startedAt = dependencies.clock.now();
  const since = new Date((row.swept_at ?? activeAt).getTime() - OVERLAP_MS);
  const list = await provider.listPayments(
    { reference: row.reference, number, providerId: row.provider_id ?? undefined },
    since,
  );
  if (list.kind === 'unavailable') {
    dependencies.log.warn(
      { provider: row.provider, reason: list.reason },
      "an account's payments could not be listed",
    );
    return 0;
  }
  const count = await insertNotices(dependencies.database, row.provider, list.references, 'sweep');
  await markSwept(dependencies.database, { merchantId: row.merchant_id, environment, currency }, startedAt);
  if (count > 0) dependencies.log.warn({ provider: row.provider, count }, 'found payments without a notice');
  return count;
}
