/** SQL of the differences that a run has found, in a temporary table until the run is stored. */
import type { Sql } from '../../db/database.ts';
import type { DifferenceKind } from './difference.ts';
import type { FindingVerdict, ListedOrder } from './finding.ts';

/** The subject of a difference. Null if it has none. */
type Subject = {
  /** The line of the file, or the place in the list. */
  readonly line: bigint | null;
  readonly reference: string | null;
  readonly provider_id: string | null;
  readonly merchant_id: number | null;
  readonly purchase_id: string | null;
  /** The merchant's reference of the purchase. */
  readonly purchase: string | null;
};

type Values = {
  readonly kind: string;
  readonly at: Date;
  readonly amount: bigint;
  /** The amount by which the difference makes the real money less than in the books. */
  readonly effect: bigint;
  readonly here: string;
  readonly there: string;
};

/** A difference to store. An absent part of its subject is null. */
export type FoundDifference = Values &
  Partial<Subject> & {
    /** The order as its provider lists it, for one that is unknown here and needs a decision. */
    readonly listed?: ListedOrder;
    /** The decision about such an order in an earlier run. */
    readonly verdict?: FindingVerdict | undefined;
  };

export type NumberedDifference = Values & Subject & { readonly number: number };

/** Creates the temporary table: a stored difference without its run, and numbered by itself. */
export async function createDifferenceTable(sql: Sql): Promise<void> {
  await sql.query(`
    create temporary table found_differences (like reconciliation_differences, purchase text);
    alter table found_differences
      drop column run_id,
      alter column number add generated always as identity`);
}

const columns = `kind, line, reference, provider_id, merchant_id, purchase_id, at, amount, effect, here, there,
       purchase`;

export async function insertDifferences(sql: Sql, found: readonly FoundDifference[]): Promise<void> {
  if (found.length === 0) return;
  const rows = found.map((one) =>
    one.listed === undefined ? one : { ...one, verdict: one.verdict ?? 'open' },
  );
  await sql.query(
    `insert into found_differences (${columns}, listed, verdict)
     select ${columns}, listed, verdict
     from jsonb_populate_recordset(null::found_differences, $1)`,
    [rowsJson(rows)],
  );
}

/**
 * Writes rows as JSON that PostgreSQL reads by its column types: amounts as text, all text as
 * UTF-8.
 */
export function rowsJson(rows: readonly object[]): string {
  return JSON.stringify(rows, (_, value: unknown) => {
    if (typeof value === 'string') return value.toWellFormed();
    return typeof value === 'bigint' ? String(value) : value;
  });
}

export async function sumEffects(sql: Sql): Promise<bigint> {
  const [row] = await sql.query<{ sum: bigint }>(
    'select coalesce(sum(effect), 0)::bigint as sum from found_differences',
  );
  return row?.sum ?? 0n;
}

export async function listFound(sql: Sql, after: number, limit: number): Promise<NumberedDifference[]> {
  return await sql.query<NumberedDifference>(
    `select number, ${columns}
     from found_differences
     where number > $1
     order by number
     limit $2`,
    [after, limit],
  );
}

export async function markApplied(sql: Sql, number: number, applied: string): Promise<void> {
  await sql.query('update found_differences set applied = $2 where number = $1', [number, applied]);
}

export async function countKinds(sql: Sql): Promise<
  readonly {
    readonly kind: DifferenceKind;
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
