/**
 * Stores funding accounts: one for each merchant, environment and currency. The row is committed
 * before the account is requested from the bank.
 */

import type { Environment } from '../core/environment.ts';
import type { Currency } from '../core/money.ts';
import type { Sql, Tx } from '../db/database.ts';
import { type Claimed, defineQueue, type Held } from '../db/queue/leased-queue.ts';
import { claimDue, type Settlement, settleItem, takeItem } from '../db/queue/queue-store.ts';
import type { BankAccount, PaidTo } from './banks/funding-provider.ts';

export type AccountKey = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly currency: Currency;
};

export type FundingAccountRow = {
  readonly merchant_id: number;
  readonly environment: Environment;
  readonly currency: Currency;
  readonly wallet_id: bigint;
  readonly provider: string;
  readonly reference: string;
  readonly status: 'requested' | 'pending' | 'active' | 'refused';
  readonly account_number: string | null;
  readonly account_name: string | null;
  readonly bank_name: string | null;
  readonly provider_id: string | null;
  readonly refusal: string | null;
  /** The number of requests to the bank. */
  readonly tries: number;
  readonly created_at: Date;
  readonly active_at: Date | null;
  readonly swept_at: Date | null;
  /** Whether a process is requesting it now. */
  readonly being_requested: boolean;
  readonly has_document: boolean;
};

const columns = `
  a.merchant_id,
  a.environment,
  a.currency,
  a.wallet_id,
  a.provider,
  a.reference,
  a.status,
  a.account_number,
  a.account_name,
  a.bank_name,
  a.provider_id,
  a.refusal,
  a.tries,
  a.created_at,
  a.active_at,
  a.swept_at,
  coalesce(a.lease_id is not null and a.due_at > now(), false) as being_requested,
  exists (
    select 1
    from funding_documents d
    where d.merchant_id = a.merchant_id
    and d.environment = a.environment
  ) as has_document`;

export async function findFundingAccount(sql: Sql, key: AccountKey): Promise<FundingAccountRow | undefined> {
  const [row] = await sql.query<FundingAccountRow>(
    `select ${columns}
     from funding_accounts a
     where a.merchant_id = $1
     and a.environment = $2
     and a.currency = $3`,
    [key.merchantId, key.environment, key.currency],
  );
  return row;
}

export async function listFundingAccounts(sql: Sql, merchantId: number): Promise<FundingAccountRow[]> {
  return await sql.query<FundingAccountRow>(
    `select ${columns}
     from funding_accounts a
     where a.merchant_id = $1
     order by a.environment, a.currency`,
    [merchantId],
  );
}

/** Finds the account that a payment came to, in any status: money may come before it is active. */
export async function findAccountPaidTo(
  sql: Sql,
  provider: string,
  paidTo: PaidTo,
): Promise<FundingAccountRow | undefined> {
  const [row] = await sql.query<FundingAccountRow>(
    `select ${columns}
     from funding_accounts a
     where a.provider = $1
     and a.${paidTo.kind === 'reference' ? 'reference' : 'account_number'} = $2`,
    [provider, paidTo.value],
  );
  return row;
}

export type AccountRequest = {
  readonly walletId: bigint;
  readonly provider: string;
  readonly reference: string;
  readonly customerHash: string | undefined;
};

/**
 * Marks an account as requested, due at once unless a process is requesting it now. An account that
 * is active or pending at the bank is not changed. The merchant's row must be locked.
 */
export async function markRequested(tx: Tx, key: AccountKey, request: AccountRequest): Promise<void> {
  await tx.query(
    `insert into funding_accounts as a
       (merchant_id, environment, currency, wallet_id, provider, reference, customer_hash, status, due_at)
     values ($1, $2, $3, $4, $5, $6, $7, 'requested', now())
     on conflict (merchant_id, environment, currency) do update
     set
       provider = excluded.provider,
       reference = excluded.reference,
       customer_hash = excluded.customer_hash,
       status = 'requested',
       refusal = null,
       refusal_told = null,
       due_at = case when a.lease_id is not null and a.due_at > now() then a.due_at else now() end,
       lease_id = case when a.due_at > now() then a.lease_id end,
       -- A refused account starts again. Any other continues.
       requested_at = case when a.status = 'refused' then now() else a.requested_at end,
       alarmed_at = case when a.status = 'refused' then null else a.alarmed_at end
     where a.status in ('requested', 'refused')`,
    [
      key.merchantId,
      key.environment,
      key.currency,
      request.walletId,
      request.provider,
      request.reference,
      request.customerHash ?? null,
    ],
  );
}

/** The bank and the reference of a request. */
export type RequestedAs = { readonly provider: string; readonly reference: string };

/**
 * Stores the account that the bank opened. A stored one is never replaced. Returns false when the
 * merchant was moved to another bank meanwhile.
 */
export async function markActive(
  sql: Sql,
  key: AccountKey,
  asked: RequestedAs,
  account: BankAccount,
): Promise<boolean> {
  const rows = await sql.query(
    `update funding_accounts
     set
       status = 'active',
       account_number = $4,
       account_name = $5,
       bank_name = $6,
       provider_id = $7,
       refusal = null,
       refusal_told = null,
       active_at = now(),
       lease_id = null,
       due_at = null
     where merchant_id = $1
     and environment = $2
     and currency = $3
     and provider = $8
     and reference = $9
     and status <> 'active'
     returning 1`,
    [
      key.merchantId,
      key.environment,
      key.currency,
      account.number,
      account.name,
      account.bankName,
      account.providerId ?? null,
      asked.provider,
      asked.reference,
    ],
  );
  if (rows.length > 0) return true;
  const found = await findFundingAccount(sql, key);
  return found?.provider === asked.provider && found.reference === asked.reference;
}

type UnsettledRow = {
  readonly merchant_id: number;
  readonly environment: Environment;
  readonly currency: Currency;
  readonly provider: string;
  readonly reference: string;
  readonly status: FundingAccountRow['status'];
  readonly requested_at: Date;
  /** The refusal that a notice of the bank reported. */
  readonly refusal_told: string | null;
};
type KeyColumn = 'merchant_id' | 'environment' | 'currency';

/** An account that this process requests from the bank. */
export type ClaimedAccount = Claimed<UnsettledRow>;

/** The lease of an account: longer than the calls of one request can take. */
const REQUEST_LEASE_MS = 120_000;

/** Repeatable, because every request has the same reference. */
const unsettledAccounts = defineQueue<UnsettledRow, KeyColumn>({
  table: 'funding_accounts',
  key: ['merchant_id', 'environment', 'currency'],
  columns: ['provider', 'reference', 'status', 'requested_at', 'refusal_told'],
  lane: 'provider',
  repeatable: true,
  deletes: false,
});

/** Claims the due accounts for this process until the lease ends. */
export async function claimUnsettledAccounts(
  sql: Sql,
  providers: readonly string[],
  limit: number,
): Promise<ClaimedAccount[]> {
  return await claimDue(sql, unsettledAccounts, { limit, leaseMs: REQUEST_LEASE_MS, lanes: providers });
}

/** Claims one account. Undefined while another process has it, or when it is settled. */
export async function takeAccount(sql: Sql, key: AccountKey): Promise<ClaimedAccount | undefined> {
  const item = { merchant_id: key.merchantId, environment: key.environment, currency: key.currency };
  return await takeItem(sql, unsettledAccounts, item, REQUEST_LEASE_MS);
}

/** Settles a claimed account that is not open. Returns false when the lease is no longer valid. */
export async function settleAccount(
  sql: Sql,
  held: Held<UnsettledRow, KeyColumn>,
  settlement: Settlement,
): Promise<boolean> {
  return await settleItem(sql, unsettledAccounts, held, settlement);
}

/**
 * Makes the accounts of a customer due, because a notice announced a change: at once, or after the
 * running query. `refusal` is the refusal that the notice reported.
 */
export async function makeAccountsDue(
  sql: Sql,
  provider: string,
  customerHash: string,
  refusal: string | undefined,
): Promise<void> {
  await sql.query(
    `update funding_accounts
     set
       refusal_told = coalesce($3, refusal_told),
       due_at = case when lease_id is null or due_at <= now() then now() else due_at end
     where provider = $1
     and customer_hash = $2
     and status in ('requested', 'pending')`,
    [provider, customerHash, refusal ?? null],
  );
}

/** Claims the active accounts whose payments must be listed now. */
export async function claimSweeps(
  sql: Sql,
  providers: readonly string[],
  { limit, everyMs }: { readonly limit: number; readonly everyMs: number },
): Promise<FundingAccountRow[]> {
  return await sql.query<FundingAccountRow>(
    `update funding_accounts a
     set sweep_due_at = now() + $3 * interval '1 ms'
     from (
       select merchant_id, environment, currency
       from funding_accounts
       where status = 'active'
       and sweep_due_at <= now()
       and provider = any($1::text[])
       order by sweep_due_at
       limit $2
       for update skip locked
     ) as due
     where a.merchant_id = due.merchant_id
     and a.environment = due.environment
     and a.currency = due.currency
     returning ${columns}`,
    [providers, limit, everyMs],
  );
}

/** Stores the time of the last complete list. */
export async function markSwept(sql: Sql, key: AccountKey, at: Date): Promise<void> {
  await sql.query(
    `update funding_accounts
     set swept_at = $4
     where merchant_id = $1
     and environment = $2
     and currency = $3`,
    [key.merchantId, key.environment, key.currency, at],
  );
}
