/** The SQL of the worker: due purchases of each provider, and the process that works on each. */
import type { Sql, Tx } from '../../db/database.ts';
import { type PurchaseInHandRow, readPurchaseInHand } from '../state/purchase-in-hand.ts';

/** `send`: call a provider, as the next attempt. `query`: query the last one. */
export type Step = 'send' | 'query';

type ClaimRow = PurchaseInHandRow & {
  step: Step;
  reference: string;
  provider: string;
};

/** A purchase claimed from the queue, with all known data. */
export type ClaimedPurchase = ReturnType<typeof readPurchaseInHand> & {
  /** `send`: call a provider, as attempt `attempts`. `query`: query that attempt. */
  readonly step: Step;
  /** The merchant's own reference. */
  readonly reference: string;
  /** The provider to send it to, or to query. */
  readonly provider: string;
};

/** The limits of a claim. */
export type LaneClaim = {
  readonly provider: string;
  readonly step: Step;
  readonly limit: number;
  /** The merchant that was served last. Initially -1. */
  readonly after: number;
  readonly leaseMs: number;
  /** Rows that were due before this time are skipped. */
  readonly dueFrom?: Date | undefined;
};

const ALWAYS = '-infinity';
/** For a provider without limits. */
const REROUTE_MAX = 500;

/** Claims due purchases of one provider, merchants in turn. */
export async function claimLanePurchases(
  tx: Tx,
  owner: string,
  claim: LaneClaim,
): Promise<ClaimedPurchase[]> {
  const rows = await tx.query<ClaimRow>(
    { name: 'claim_lane_purchases', text: 'select * from claim_lane_purchases($1, $2, $3, $4, $5, $6, $7)' },
    [owner, claim.provider, claim.step, claim.limit, claim.after, claim.leaseMs, claim.dueFrom ?? ALWAYS],
  );
  return rows.map(toClaimedPurchase);
}

/** A position in the queue of one provider. */
export type LanePlace = { readonly merchantId: number; readonly dueAt: Date };

type RerouteRow = {
  provider: string | null;
  next_merchant: number | null;
  next_due: Date | null;
};

/**
 * Moves purchases that wait for the provider `from` to others with room. Returns the receivers, and
 * where the next call continues; undefined: at the beginning.
 */
export async function reroutePurchases(
  sql: Sql,
  diversion: {
    readonly from: string;
    readonly to: readonly { readonly provider: string; readonly room: number }[];
    readonly waitedMs: number;
    readonly place: LanePlace | undefined;
  },
): Promise<{ readonly moved: readonly string[]; readonly next: LanePlace | undefined }> {
  const rows = await sql.query<RerouteRow>(
    { name: 'reroute_purchases', text: 'select * from reroute_purchases($1, $2, $3, $4, $5, $6)' },
    [
      diversion.from,
      diversion.to.map(({ provider }) => provider),
      diversion.to.map(({ room }) => Math.min(room, REROUTE_MAX)),
      diversion.waitedMs,
      diversion.place?.merchantId ?? -1,
      diversion.place?.dueAt ?? ALWAYS,
    ],
  );
  const [first] = rows;
  return {
    moved: rows.flatMap(({ provider }) => provider ?? []),
    next:
      first?.next_merchant != null && first.next_due !== null
        ? { merchantId: first.next_merchant, dueAt: first.next_due }
        : undefined,
  };
}

/** Claims purchases that have waited too long to be sent, for any provider. */
export async function claimOverduePurchases(
  tx: Tx,
  owner: string,
  claim: {
    readonly limit: number;
    readonly asyncMs: number;
    readonly syncMs: number;
    readonly leaseMs: number;
  },
): Promise<ClaimedPurchase[]> {
  const rows = await tx.query<ClaimRow>(
    { name: 'claim_overdue_purchases', text: 'select * from claim_overdue_purchases($1, $2, $3, $4, $5)' },
    [owner, claim.limit, claim.asyncMs, claim.syncMs, claim.leaseMs],
  );
  return rows.map(toClaimedPurchase);
}

/** A lane of the queue, and the time from which it is read. */
export type LaneFrom = {
  readonly provider: string;
  readonly step: Step;
  readonly dueFrom?: Date | undefined;
};

/** The providers with due purchases. */
export async function findDueProviders(sql: Sql, lanes: readonly LaneFrom[]): Promise<string[]> {
  const rows = await sql.query<{ provider: string }>(
    {
      name: 'find_due_providers',
      text: 'select distinct provider from find_due_providers($1, $2, $3)',
    },
    [
      lanes.map((lane) => lane.provider),
      lanes.map((lane) => lane.step),
      lanes.map((lane) => lane.dueFrom ?? ALWAYS),
    ],
  );
  return rows.map((row) => row.provider);
}

/** When the first purchase of each lane is due, or now if that is in the past. */
export async function findOldestDue(
  sql: Sql,
  lanes: readonly LaneFrom[],
): Promise<{ readonly provider: string; readonly step: Step; readonly due_at: Date }[]> {
  return await sql.query(
    {
      name: 'find_oldest_due',
      text: `
        select l.provider, l.step, find_oldest_due(l.provider, l.step, l.due_from) as due_at
        from unnest($1::text[], $2::text[], $3::timestamptz[]) as l(provider, step, due_from)`,
    },
    [
      lanes.map((lane) => lane.provider),
      lanes.map((lane) => lane.step),
      lanes.map((lane) => lane.dueFrom ?? ALWAYS),
    ],
  );
}

/** The providers for which purchases wait, whether or not a process can call them. */
export async function findWaitingProviders(sql: Sql): Promise<string[]> {
  // Without a kept plan: a plan that was made for an empty queue would scan a long one.
  const rows = await sql.query<{ provider: string }>(`
    with recursive waiting as (
      select min(provider) as provider
      from pending_purchases
      where due_at is not null
      union all
      select (
        select min(p.provider)
        from pending_purchases p
        where p.due_at is not null
        and p.provider > w.provider
      )
      from waiting w
      where w.provider is not null
    )
    select provider
    from waiting
    where provider is not null`);
  return rows.map((row) => row.provider);
}

function toClaimedPurchase(row: ClaimRow): ClaimedPurchase {
  const { step, reference, provider } = row;
  return { ...readPurchaseInHand(row), step, reference, provider };
}

export type NewAttempt = {
  readonly merchantId: number;
  readonly purchaseId: string;
  readonly number: number;
  readonly provider: string;
  readonly account?: string | undefined;
  readonly reference: string;
  readonly reason: string;
};

const insertAttemptsStatement = {
  name: 'insert_attempts',
  text: `
    insert into further_attempts (merchant_id, purchase_id, number, provider, reference, reason, account)
    select merchant_id, purchase_id, number, provider, reference, reason, account
    from json_to_recordset($1) as a(
      merchant_id integer, purchase_id uuid, number smallint, provider text, reference text, reason text, account text
    )
    -- The first attempt may be in the row of the purchase. By its key: without "offset 0" the
    -- planner reads the whole joined view.
    where not exists (
      select
      from attempts t
      where t.merchant_id = a.merchant_id
      and t.purchase_id = a.purchase_id
      and t.number = a.number
      offset 0
    )
    on conflict (merchant_id, purchase_id, number) do nothing
    returning purchase_id`,
};

/**
 * Stores the attempts that are about to be made. The transaction must be committed before the first
 * call. Returns the purchases whose attempt it stored. Purchases that already have that attempt are
 * left out.
 */
export async function insertAttempts(tx: Tx, attempts: readonly NewAttempt[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ purchase_id: string }>(insertAttemptsStatement, [
    JSON.stringify(
      attempts.map((attempt) => ({
        merchant_id: attempt.merchantId,
        purchase_id: attempt.purchaseId,
        number: attempt.number,
        provider: attempt.provider,
        account: attempt.account,
        reference: attempt.reference,
        reason: attempt.reason,
      })),
    ),
  ]);
  return new Set(rows.map((row) => row.purchase_id));
}

/** Locks the pending purchase of an attempt until the end of the transaction. */
export async function lockPending(
  tx: Tx,
  { merchantId, purchaseId }: Pick<NewAttempt, 'merchantId' | 'purchaseId'>,
): Promise<void> {
  await tx.query(
    `select
     from pending_purchases
     where merchant_id = $1
     and purchase_id = $2
     for update`,
    [merchantId, purchaseId],
  );
}

export async function isAttemptStored(sql: Sql, attempt: NewAttempt): Promise<boolean> {
  const rows = await sql.query(
    `
    select
    from attempts
    where merchant_id = $1
    and purchase_id = $2
    and number = $3
    and reference = $4`,
    [attempt.merchantId, attempt.purchaseId, attempt.number, attempt.reference],
  );
  return rows.length > 0;
}

/** The id by which a provider knows an attempt. */
export type ProviderReference = { readonly provider: string; readonly reference: string };

/**
 * Makes the purchase of a provider's reference due at once, because of a callback. Returns its id,
 * or undefined if no pending purchase has it.
 */
export async function makeDueByReference(
  sql: Sql,
  { provider, reference }: ProviderReference,
): Promise<string | undefined> {
  const rows = await sql.query<{ purchase_id: string }>(
    {
      name: 'hurry_by_reference',
      text: `
        update pending_purchases p
        -- A wait that ends early does not count as a wait (purchase-policy.ts). Below 0 before the
        -- first wait.
        set due_at = now(), queries = p.queries - 1
        from attempts a
        where a.reference = $2
        and a.provider = $1
        -- By its key, whatever the statistics say (resolve_purchases).
        and p.merchant_id = any(array[a.merchant_id])
        and p.purchase_id = any(array[a.purchase_id])
        and p.attempts = a.number
        -- The time after a wait for its lock, so that of two callbacks at once only one counts.
        and p.due_at > clock_timestamp()
        returning p.purchase_id`,
    },
    [provider, reference],
  );
  return rows[0]?.purchase_id;
}
