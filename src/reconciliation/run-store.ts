/** SQL of reconciliations that were run, with what they found. Rows are only added. */
import type { Sql } from '../db/database.ts';
import type { Environment } from '../kernel/environment.ts';
import type { NumberedDifference } from './told-store.ts';

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

/**
 * Stores a run with the differences of the temporary table, in one transaction of the connection
 * that has it: a run is there whole or not at all.
 */
export async function storeRun(sql: Sql, run: Omit<RunRow, 'differences' | 'at'>): Promise<void> {
  await sql.query('begin');
  try {
    await sql.query(
      `insert into reconciliation_runs (
         id, party, environment, source, file_name, from_at, to_at, applied, lines, differences, summary,
         run_by, run_principal, started_at
       )
       select $1, $2, $3, $4, $5, $6, $7, $8, $9, count(*), $10, $11, $12, $13
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
      ],
    );
    await sql.query(
      `insert into reconciliation_differences (
         run_id, number, kind, line, reference, provider_id, merchant_id, vend_id, at, amount, effect, here,
         there, mend, applied
       )
       select
         $1, number, kind, line, reference, provider_id, merchant_id, vend_id, at, amount, effect, here,
         there, mend, applied
       from found_differences`,
      [run.id],
    );
    await sql.query('commit');
  } catch (error) {
    await sql.query('rollback');
    throw error;
  }
}

const columns = `
  id, party, environment, source, file_name, from_at, to_at, applied, lines, differences, summary, run_by,
  run_principal, started_at, at`;

/** Newest first. */
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

/** As it was found, its merchant by its code, and what was done about it. */
export type DifferenceRow = Omit<NumberedDifference, 'merchant_id'> & {
  readonly merchant_code: string | null;
  readonly applied: string | null;
};

export async function listDifferences(
  sql: Sql,
  run: Pick<RunRow, 'id' | 'environment'>,
  after: number,
  limit: number,
): Promise<DifferenceRow[]> {
  return await sql.query<DifferenceRow>(
    `select
       d.number, d.kind, d.line, d.reference, d.provider_id, m.code as merchant_code, d.vend_id,
       v.reference as purchase, d.at, d.amount, d.effect, d.here, d.there, d.mend, d.applied
     from reconciliation_differences d
     left join merchants m on m.id = d.merchant_id
     left join vends v
       on v.merchant_id = d.merchant_id
       and v.environment = $2
       and v.id = d.vend_id
     where d.run_id = $1
     and d.number > $3
     order by d.number
     limit $4`,
    [run.id, run.environment, after, limit],
  );
}

export async function countKinds(sql: Sql): Promise<
  readonly {
    readonly kind: string;
    readonly count: bigint;
    readonly effect: bigint;
    readonly applied: bigint;
  }[]
> {
  return await sql.query(`
    select kind, count(*) as count, sum(effect)::bigint as effect, count(applied) as applied
    from found_differences
    group by kind
    order by kind`);
}
