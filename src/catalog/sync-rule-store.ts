/** Stores the rules for updating the catalog from a provider's list without a person. */
import type { Sql, Tx } from '../db/database.ts';

export type SyncRule = {
  readonly provider: string;
  /** The most that a price may move by, in basis points of it. */
  readonly within_basis_points: number;
  /**
   * The maximum number of new plans that one comparison adds. If there are more, all of them wait
   * for a person.
   */
  readonly adds_max: number;
  readonly synced_at: Date | null;
  /** The prices that the last comparison applied, and the changes that wait for a person. */
  readonly applied: number;
  readonly waiting: number;
  /** Why the last comparison applied nothing. */
  readonly refusal: string | null;
};

export type SyncBounds = Pick<SyncRule, 'within_basis_points' | 'adds_max'>;

export async function listSyncRules(sql: Sql): Promise<SyncRule[]> {
  return await sql.query<SyncRule>(`
    select provider, within_basis_points, adds_max, synced_at, applied, waiting, refusal
    from sync_rules
    order by provider`);
}

/** Inserts or changes a rule, which is then due at once. */
export async function upsertSyncRule(
  tx: Tx,
  rule: Pick<SyncRule, 'provider' | 'within_basis_points' | 'adds_max'>,
): Promise<void> {
  await tx.query(
    `insert into sync_rules (provider, within_basis_points, adds_max)
     values ($1, $2, $3)
     on conflict (provider) do update
     set
       within_basis_points = excluded.within_basis_points,
       adds_max = excluded.adds_max,
       due_at = now()`,
    [rule.provider, rule.within_basis_points, rule.adds_max],
  );
}

/** Returns false if there was none. */
export async function deleteSyncRule(tx: Tx, provider: string): Promise<boolean> {
  const rows = await tx.query(
    `delete from sync_rules
     where provider = $1
     returning provider`,
    [provider],
  );
  return rows.length > 0;
}

/**
 * Claims a rule that is due, for a quarter of an hour. If its process dies, another one claims it
 * then.
 */
export async function takeDueSyncRule(sql: Sql): Promise<SyncRule | undefined> {
  const [row] = await sql.query<SyncRule>(
    `update sync_rules
     set due_at = now() + interval '15 minutes'
     where provider = (
       select provider
       from sync_rules
       where due_at <= now()
       order by due_at
       limit 1
       for update skip locked
     )
     returning provider, within_basis_points, adds_max, synced_at, applied, waiting, refusal`,
  );
  return row;
}

/** Returns the bounds of a rule under its lock. Undefined when it was removed meanwhile. */
export async function lockSyncRule(tx: Tx, provider: string): Promise<SyncBounds | undefined> {
  const [row] = await tx.query<SyncBounds>(
    `select within_basis_points, adds_max
     from sync_rules
     where provider = $1
     for update`,
    [provider],
  );
  return row;
}

/** The rule is due again after `everyHours`. */
export async function storeSyncResult(
  sql: Sql,
  result: Pick<SyncRule, 'provider' | 'applied' | 'waiting' | 'refusal'>,
  everyHours: number,
): Promise<void> {
  await sql.query(
    `update sync_rules
     set
       due_at = now() + make_interval(hours => $5),
       synced_at = now(),
       applied = $2,
       waiting = $3,
       refusal = $4
     where provider = $1`,
    [result.provider, result.applied, result.waiting, result.refusal, everyHours],
  );
}
