/** Goes on asking for accounts that are not settled: those a bank works on, and those that a crash or an outage left behind. */

import { insertAlarm } from '../alarms/alarm-store.ts';
import { invariant } from '../kernel/errors.ts';
import { ASKING_LEASE_MS, askBank } from './ask-bank.ts';
import { claimUnsettledAccounts, type FundingAccountRow } from './funding-account-store.ts';
import { type FundingDesk, LONGEST_PAUSE_MS } from './funding-desk.ts';
import { selectIdentity } from './identity-store.ts';
import { completeRegistration } from './registration.ts';
import { openIdentity } from './sealed-identity.ts';

const CLAIM_MAX = 10;
const OVERDUE_MS = 24 * 3_600_000;

/** One round; gives how many were asked about. Safe to run anywhere, at any time. */
export async function settleAccounts(desk: FundingDesk): Promise<number> {
  const names = [...desk.providers.keys()];
  const rows = await claimUnsettledAccounts(desk.database, names, {
    limit: CLAIM_MAX,
    leaseMs: ASKING_LEASE_MS,
  });
  await Promise.all(rows.map((row) => settle(desk, row)));
  return rows.length;
}

async function settle(desk: FundingDesk, row: FundingAccountRow): Promise<void> {
  const { reference, asked, environment, currency } = row;
  const key = { merchantId: row.merchant_id, environment, currency };
  const provider = desk.providers.get(row.provider);
  const identity = await selectIdentity(desk.database, key);
  invariant(
    provider !== undefined && identity !== undefined,
    'an account asked for has its bank and its owner',
  );
  const fields = completeRegistration(
    { currency, fields: {} },
    openIdentity(desk.sealer, key, identity.sealed),
  );
  const answer = await askBank(desk, {
    key,
    provider,
    reference,
    fields,
    asked,
    lookOnly: row.status === 'pending',
  });
  await raiseOverdue(desk, row, answer.kind);
}

/** Once, at the first look after a day. */
async function raiseOverdue(desk: FundingDesk, row: FundingAccountRow, kind: string): Promise<void> {
  const ageMs = desk.clock.now().getTime() - row.created_at.getTime();
  if ((kind !== 'pending' && kind !== 'unavailable') || ageMs < OVERDUE_MS) return;
  if (ageMs >= OVERDUE_MS + LONGEST_PAUSE_MS) return;
  await insertAlarm(desk.database, {
    kind: 'funding_overdue',
    merchantId: row.merchant_id,
    message: `${row.provider} has not opened the ${row.currency} account ${row.reference} within a day`,
  });
}
