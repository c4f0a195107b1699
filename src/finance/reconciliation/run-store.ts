/** SQL of reconciliation runs and their differences. Rows are only added. */

import type { Environment } from '../../core/environment.ts';
import type { Sql } from '../../db/database.ts';
import type { NumberedDifference } from './difference-store.ts';
import type { FindingVerdict, ListedOrder, OpenReason } from './finding.ts';
import type { OrderName } from './finding-store.ts';

export type RunRow = {
  readonly id: string;
  readonly party: string;
  readonly environment: Environment;
  readonly source: 'file' | 'list' | 'questions';
  readonly file_name: string | null;
  readonly from_at: Date;
  readonly to_at: Date;
  readonly applied: boolean;
  readonly lines: bigint;
  readonly differences: bigint;
  readonly summary: Readonly<Record<string, unknown>>;
  readonly run_by: string;
  readonly run_principal: string;
  readonly started_at: Date;
  readonly at: Date;
};

/** The period for which a list has every order. */
export type Covered = { readonly from: Date; readonly until: Date };

/**
 * Supersedes open orders of earlier runs that this run reports again. A list that lacks an order
 * proves nothing.
 */
async function endRepeated(sql: Sql, runId: string, party: string): Promise<void> {
  await sql.query(
    `update reconciliation_differences d
     set verdict = 'repeated'
     where d.verdict = 'open'
     and d.run_id <> $1
     and exists (
       select
       from reconciliation_runs r
       where r.id = d.run_id
       and r.party = $2
     )
     and (
       exists (
         select
         from reported_orders t
         where t.reference = d.reference
       )
       or exists (
         select
         from reported_movements t
         where t.reference = d.reference
       )
     )`,
    [runId, party],
  );
}

/** Stores a run with the differences of the temporary table, in one transaction. */
export async function storeRun(
  sql: Sql,
  run: Omit<RunRow, 'differences' | 'at'>,
  covered: Covered | undefined,
): Promise<void> {
  await sql.query('begin');
  try {
    await sql.query(
      `insert into reconciliation_runs (
         id, party, environment, source, file_name, from_at, to_at, applied, lines, differences, summary,
         run_by, run_principal, started_at, covered
       )
       select
         $1, $2, $3, $4, $5, $6, $7, $8, $9, count(*), $10, $11, $12, $13,
         case when $14::timestamptz is not null then tstzrange($14, $15::timestamptz, '[]') end
       from found_differences`,
      [
        run.id,
        run.party,
        run.environment,
        run.source,
        run.file_name,
        run.from_at,
        run.to_at,
        run.applied,
        run.lines,
        JSON.stringify(run.summary),
        run.run_by,
        run.run_principal,
        run.started_at,
        covered?.from ?? null,
        covered?.until ?? null,
      ],
    );
    await sql.query(
      `insert into reconciliation_differences (
         run_id, number, kind, line, reference, provider_id, merchant_id, purchase_id, at, amount, effect, here,
         there, applied, listed, verdict
       )
       select
         $1, number, kind, line, reference, provider_id, merchant_id, purchase_id, at, amount, effect, here,
         there, applied, listed, verdict
       from found_differences`,
      [run.id],
    );
    if (covered !== undefined) await endRepeated(sql, run.id, run.party);
    await sql.query('commit');
  } catch (error) {
    await sql.query('rollback');
    throw error;
  }
}

const columns = `
  id, party, environment, source, file_name, from_at, to_at, applied, lines, differences, summary, run_by,
  run_principal, started_at, at`;

/** Lists runs, newest first. */
export async function listRuns(
  sql: Sql,
  party: string | undefined,
  before: string | undefined,
  limit: number,
): Promise<RunRow[]> {
  return await sql.query<RunRow>(
    `select ${columns}
     from reconciliation_runs
     where ($1::text is null or party = $1)
     and ($2::uuid is null or id < $2)
     order by id desc
     limit $3`,
    [party ?? null, before ?? null, limit],
  );
}

export async function findRun(sql: Sql, id: string): Promise<RunRow | undefined> {
  const [row] = await sql.query<RunRow>(
    `select ${columns}
     from reconciliation_runs
     where id = $1`,
    [id],
  );
  return row;
}

/** A difference with its merchant's code and its correction. */
export type DifferenceRow = Omit<NumberedDifference, 'merchant_id'> & {
  readonly party: string;
  readonly environment: Environment;
  readonly merchant_code: string | null;
  readonly applied: string | null;
  readonly listed: ListedOrder | null;
  readonly verdict: FindingVerdict | null;
  readonly reason: OpenReason | null;
};

const differenceColumns = `
  d.number, d.kind, d.line, d.reference, d.provider_id, m.code as merchant_code, d.purchase_id,
  v.reference as purchase, d.at, d.amount, d.effect, d.here, d.there, d.applied, d.listed,
  d.verdict, d.reason, r.party, r.environment`;

const differenceTables = `
  reconciliation_differences d
  join reconciliation_runs r on r.id = d.run_id
  left join merchants m on m.id = d.merchant_id
  left join purchases v
    on v.merchant_id = d.merchant_id
    and v.environment = r.environment
    and v.id = d.purchase_id`;

export async function listDifferences(
  sql: Sql,
  runId: string,
  after: number,
  limit: number,
): Promise<DifferenceRow[]> {
  return await sql.query<DifferenceRow>(
    `select ${differenceColumns}
     from ${differenceTables}
     where d.run_id = $1
     and d.number > $2
     order by d.number
     limit $3`,
    [runId, after, limit],
  );
}

/** Lists findings as the last run has them, by provider and reference. */
export async function listFindings(
  sql: Sql,
  filter: {
    readonly verdict: FindingVerdict | undefined;
    readonly after: OrderName;
    readonly limit: number;
  },
): Promise<DifferenceRow[]> {
  return await sql.query<DifferenceRow>(
    `select distinct on (r.party, d.reference) ${differenceColumns}
     from ${differenceTables}
     where d.verdict is not null
     and (case when $1::text is null then d.verdict <> 'repeated' else d.verdict = $1 end)
     and (r.party, d.reference) > ($2, $3)
     order by r.party, d.reference, d.run_id desc
     limit $4`,
    [filter.verdict ?? null, filter.after.provider, filter.after.reference, filter.limit],
  );
}
