/** The list of sealed fields, to which every new one must be added, and SQL to reseal them. */
import { invariant } from '../../core/errors.ts';
import type { Sql, Tx } from '../../db/database.ts';

export type SealedField = {
  readonly table: string;
  readonly column: string;
  /** SQL of the place to which the value is bound (src/core/sealing.ts). */
  readonly place: string;
  /** The column with the name of the key, if any. */
  readonly keyColumn?: string;
  /** Values may be megabytes long. */
  readonly large?: true;
  /** SQL condition of rows with a sealed value. */
  readonly where: string;
};

/** A field in one table of the server: the table itself, or one partition of it. */
export type SealedPart = SealedField & { readonly part: string };

export const sealedFields: readonly SealedField[] = [
  {
    table: 'sealed_goods',
    column: 'sealed',
    place: "'sealed_goods/' || purchase_id || '/sealed'",
    keyColumn: 'key_id',
    where: 'true',
  },
  {
    table: 'deliveries',
    column: 'destination',
    place: "'deliveries/' || purchase_id || '/destination'",
    where: "destination <> ''",
  },
  {
    table: 'funding_identities',
    column: 'sealed',
    place: "'funding_identities/' || merchant_id || '/' || environment || '/sealed'",
    where: 'true',
  },
  {
    table: 'funding_documents',
    column: 'sealed',
    place: "'funding_documents/' || merchant_id || '/' || environment || '/sealed'",
    keyColumn: 'key_id',
    large: true,
    where: 'true',
  },
  {
    table: 'provider_credentials',
    column: 'sealed',
    place: "'provider_credentials/' || provider || '/' || version || '/sealed'",
    where: 'true',
  },
  {
    table: 'user_totps',
    column: 'secret',
    place: "'user_totps/' || id || '/secret'",
    where: 'true',
  },
  ...['secret', 'old_secret'].map((column) => ({
    table: 'webhook_endpoints',
    column,
    place: "'webhook_endpoints/' || id || '/secret'",
    where: `${column} is not null`,
  })),
  {
    table: 'settings',
    column: 'value',
    place: "'settings/' || name || '/value'",
    where: "name = 'credential_pepper'",
  },
];

/** Returns the places of the values of a field. Each partition has its own row addresses. */
export async function listSealedParts(sql: Sql, field: SealedField): Promise<readonly SealedPart[]> {
  const rows = await sql.query<{ part: string }>(
    `select coalesce(i.inhrelid, t.oid)::regclass::text as part
     from pg_class t
     left join pg_inherits i on i.inhparent = t.oid
     where t.oid = $1::regclass
     order by i.inhrelid`,
    [field.table],
  );
  return rows.map(({ part }) => ({ ...field, part }));
}

type SealedValue = { readonly at: string; readonly place: string; readonly sealed: string };

/** Returns SQL of the key that sealed a value. It reads only the beginning of a long value. */
function keyOf({ column }: SealedField): string {
  return `split_part(left(${column}, 200), ':', 1)`;
}

/** Blocks that one statement reads. */
const BLOCKS_PER_READ = 64;
/** Blocks that one statement counts. */
const BLOCKS_PER_COUNT = 1_024;

/** A place in a table, which may have no row. */
export type RowPlace = { readonly block: number; readonly row: number };

export const BEFORE_ALL: RowPlace = { block: 0, row: 0 };

export type TakenValues = {
  readonly values: readonly SealedValue[];
  /** Where to continue. Undefined at the end of the table. */
  readonly next: RowPlace | undefined;
};

/**
 * Locks and returns the next values after a place that were sealed by a key other than `keyId`. It
 * reads a bounded part of the table, so the result may be empty.
 */
export async function takeSealedValues(
  tx: Tx,
  field: SealedPart,
  page: { readonly keyId: string; readonly after: RowPlace; readonly limit: number },
): Promise<TakenValues> {
  const end = page.after.block + BLOCKS_PER_READ;
  const values = await tx.query<SealedValue>(
    `
    select ctid::text as at, ${field.place} as place, ${field.column} as sealed
    from ${field.part}
    where ctid > $2::tid
    and ctid < $4::tid
    and ${field.where}
    and ${keyOf(field)} <> $1
    order by ctid
    limit $3
    for update`,
    [page.keyId, `(${page.after.block},${page.after.row})`, page.limit, `(${end},0)`],
  );
  const last = values.length < page.limit ? undefined : values.at(-1);
  if (last !== undefined) return { values, next: placeOf(last.at) };
  return { values, next: end < (await countBlocks(tx, field)) ? { block: end, row: 0 } : undefined };
}

/** Parses a `ctid`. */
function placeOf(at: string): RowPlace {
  const [block, row] = at.slice(1, -1).split(',').map(Number);
  invariant(block !== undefined && row !== undefined, 'a place is a block and a row');
  return { block, row };
}

/** Updates rows that `takeSealedValues` locked in the same transaction. */
export async function putSealedValues(
  tx: Tx,
  field: SealedPart,
  values: readonly { readonly at: string; readonly sealed: string }[],
): Promise<void> {
  const key = field.keyColumn === undefined ? '' : `, ${field.keyColumn} = split_part(w.sealed, ':', 1)`;
  await tx.query(
    `
    update ${field.part} t
    set ${field.column} = w.sealed${key}
    from unnest($1::tid[], $2::text[]) as w(at, sealed)
    where t.ctid = w.at`,
    [values.map((value) => value.at), values.map((value) => value.sealed)],
  );
}

/** Counts the values of each key in a bounded part of a table. Returns where to continue. */
export async function countSealedValues(
  sql: Sql,
  field: SealedPart,
  from: number,
): Promise<{ readonly counts: readonly KeyCount[]; readonly next: number | undefined }> {
  const end = from + BLOCKS_PER_COUNT;
  const counts = await sql.query<KeyCount>(
    `select ${keyOf(field)} as "keyId", count(*)::integer as count
     from ${field.part}
     where ctid >= $1::tid
     and ctid < $2::tid
     and ${field.where}
     group by 1`,
    [`(${from},0)`, `(${end},0)`],
  );
  return { counts, next: end < (await countBlocks(sql, field)) ? end : undefined };
}

export type KeyCount = { readonly keyId: string; readonly count: number };

async function countBlocks(sql: Sql, { part }: SealedPart): Promise<number> {
  const [row] = await sql.query<{ blocks: number }>(
    `select (pg_relation_size($1::regclass) / current_setting('block_size')::integer)::float8 as blocks`,
    [part],
  );
  return row?.blocks ?? 0;
}

/** Returns the last values of the part, to test whether they open. */
export async function listNewestSealed(
  sql: Sql,
  field: SealedPart,
  limit: number,
): Promise<readonly Pick<SealedValue, 'place' | 'sealed'>[]> {
  // One document of megabytes is a sufficient sample.
  const count = field.large === true ? 1 : limit;
  return await sql.query<SealedValue>(
    `
    select ${field.place} as place, ${field.column} as sealed
    from ${field.part}
    where ctid >= ('(' || greatest(0, pg_relation_size('${field.part}') / 8192 - $2) || ',0)')::tid
    and ${field.where}
    order by ctid desc
    limit $1`,
    [count, BLOCKS_PER_READ],
  );
}
