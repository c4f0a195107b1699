/**
 * SQL of the runs of the audit. A run is stored when it has ended, so one that was killed leaves
 * the run before it as it was.
 */
import type { Sql, Tx } from '../db/database.ts';
import type { Cut, Sums } from './audit-sum-store.ts';
import { type AuditLogPlace, auditLogStart } from './walk-audit-log.ts';

export type RunKind = 'whole' | 'since_last';

/** Where an audit goes on from: what one before it has proven. */
export type AuditMark = {
  readonly id: bigint;
  readonly at: Date;
  readonly snapshot: string;
  readonly sums: Sums;
  /** As in `Cut`. */
  readonly statements: string;
  readonly auditLog: AuditLogPlace;
};

/** The newest run without differences, whether or not one may go on from it. */
export type LastClean = AuditMark & {
  readonly version: string;
  readonly databaseId: string;
  /** A run that ended since it started found differences. */
  readonly redSince: boolean;
  /** Rows that it saw have lost what named a person, and look as if they were new. */
  readonly forgottenSince: boolean;
  /** How many transactions ago. */
  readonly transactionsAgo: bigint;
};

export type AuditStart = { readonly newestRun: bigint; readonly databaseId: string; readonly at: Date };

/** The number of the newest run, and which database this is: a copy has transactions of its own. */
export async function readStart(sql: Sql): Promise<AuditStart> {
  const [start] = await sql.query<AuditStart>(`
    select
      coalesce((select max(id) from audit_runs), 0)::bigint as "newestRun",
      c.system_identifier || ':' || d.oid as "databaseId",
      now() as at
    from pg_control_system() c
    cross join pg_database d
    where d.datname = current_database()`);
  if (start === undefined) throw new Error('the database has a row of its own');
  return start;
}

type StoredSums = {
  readonly moved: Record<string, readonly [moved: string, debited: string]>;
  readonly vends: Record<string, string>;
  readonly statements: string;
  readonly auditLog: { readonly position: string; readonly lastEntry?: string };
};

type CleanRow = Omit<LastClean, 'sums' | 'statements' | 'auditLog'> & { readonly sums: string };

export async function findLastClean(sql: Sql): Promise<LastClean | undefined> {
  const [row] = await sql.query<CleanRow>(`
    select
      r.id,
      r.cut_at as at,
      r.snapshot,
      r.checks_version as version,
      r.database_id as "databaseId",
      r.sums::text as sums,
      exists (
        select 1
        from audit_runs other
        where other.id > r.started_after
        and other.failed <> '{}'
      ) as "redSince",
      -- Only what ended three days before is anonymised: a younger run knows it by its time.
      r.cut_at < now() - interval '2 days'
        and (
          exists (select 1 from retention_marks)
          or exists (
            select 1
            from audit_log
            where action = 'person.erase'
            and at >= r.cut_at
          )
        ) as "forgottenSince",
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint - pg_snapshot_xmax(r.snapshot::pg_snapshot)::text::bigint as "transactionsAgo"
    from audit_runs r
    where r.sums is not null
    order by r.id desc
    limit 1`);
  if (row === undefined) return undefined;
  const stored: StoredSums = JSON.parse(row.sums);
  const moved = Object.entries(stored.moved).map(
    ([account, [all, debited]]) =>
      [BigInt(account), { moved: BigInt(all), debited: BigInt(debited) }] as const,
  );
  const vends = Object.entries(stored.vends).map(([key, count]) => [key, BigInt(count)] as const);
  return {
    ...row,
    sums: { moved: new Map(moved), vends: new Map(vends) },
    statements: stored.statements,
    auditLog: placeOf(stored),
  };
}

/** An audit of a version before knows of no chain: all of it is new. */
function placeOf({ auditLog }: Partial<StoredSums>): AuditLogPlace {
  if (auditLog?.lastEntry === undefined) return auditLogStart;
  return { position: BigInt(auditLog.position), lastEntry: BigInt(auditLog.lastEntry) };
}

export type AuditRun = {
  readonly kind: RunKind;
  readonly sinceId: bigint | undefined;
  readonly start: AuditStart;
  readonly version: string;
  /** The names of the checks that did not hold. */
  readonly failed: readonly string[];
  readonly cut: Cut;
  readonly sums: Sums;
};

/** Stores a run. A clean one keeps its sums, for the next to go on from; those before it do not. */
export async function insertRun(tx: Tx, run: AuditRun): Promise<void> {
  const clean = run.failed.length === 0;
  await tx.query(
    `insert into audit_runs (
       kind, since_id, started_after, started_at, ended_at, checks_version, database_id, failed, snapshot, cut_at, sums
     )
     values ($1, $2, $3, $4, clock_timestamp(), $5, $6, $7, $8, $9, $10)`,
    [
      ...[
        run.kind,
        run.sinceId ?? null,
        run.start.newestRun,
        run.start.at,
        run.version,
        run.start.databaseId,
      ],
      ...[run.failed, run.cut.snapshot, run.cut.at, clean ? toStored(run) : null],
    ],
  );
  if (!clean) return;
  await tx.query(
    'update audit_runs set sums = null where sums is not null and id < (select max(id) from audit_runs)',
  );
}

function toStored({ sums, cut: { statements, auditLog } }: AuditRun): string {
  const stored: StoredSums = {
    moved: Object.fromEntries(
      [...sums.moved].map(([account, { moved, debited }]) => [account, [String(moved), String(debited)]]),
    ),
    vends: Object.fromEntries([...sums.vends].map(([key, count]) => [key, String(count)])),
    statements,
    auditLog: JSON.parse(auditLog),
  };
  return JSON.stringify(stored);
}
