/**
 * Which fields of which tables are stored sealed, and the SQL that seals them again under another
 * key. Whoever seals a new field adds it here.
 */
import type { Sql, Tx } from '../db/database.ts';

export type SealedField = {
  readonly table: string;
  readonly column: string;
  /** SQL of the place that the value is bound to (src/kernel/sealing.ts). */
  readonly place: string;
  /** The column that names the key, where there is one. */
  readonly keyColumn?: string;
  /** Values may be megabytes long. */
  readonly large?: true;
  /** SQL of the rows that have a sealed value. */
  readonly where: string;
};

export const sealedFields: readonly SealedField[] = [
  {
    table: 'sealed_goods',
    column: 'sealed',
    place: "'sealed_goods/' || vend_id || '/sealed'",
    keyColumn: 'key_id',
    where: 'true',
  },
  {
    table: 'deliveries',
    column: 'destination',
    place: "'deliveries/' || vend_id || '/destination'",
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
    table: 'settings',
    column: 'value',
    place: "'settings/' || name || '/value'",
    where: "name = 'credential_pepper'",
  },
];

export type SealedValue = { readonly at: string; readonly place: string; readonly sealed: string };

/** The key that sealed a value: of a long one no more is read than its beginning. */
function keyOf({ column }: SealedField): string {
  return `split_part(left(${column}, 200), ':', 1)`;
}

/** Locks and gives the next values after the row `after` that another key than `keyId` sealed. */
export async function takeSealedValues(
  tx: Tx,
  field: SealedField,
  page: { readonly keyId: string; readonly after: string; readonly limit: number },
): Promise<SealedValue[]> {
  return await tx.query<SealedValue>(
    `
    select ctid::text as at, ${field.place} as place, ${field.column} as sealed
    from ${field.table}
    where ctid > $2::tid
    and ${field.where}
    and ${keyOf(field)} <> $1
    order by ctid
    limit $3
    for update`,
    [page.keyId, page.after, page.limit],
  );
}

/** Rows as `takeSealedValues` locked them in the same transaction. */
export async function putSealedValues(
  tx: Tx,
  field: SealedField,
  values: readonly { readonly at: string; readonly sealed: string }[],
): Promise<void> {
  const key = field.keyColumn === undefined ? '' : `, ${field.keyColumn} = split_part(w.sealed, ':', 1)`;
  await tx.query(
    `
    update ${field.table} t
    set ${field.column} = w.sealed${key}
    from unnest($1::tid[], $2::text[]) as w(at, sealed)
    where t.ctid = w.at`,
    [values.map((value) => value.at), values.map((value) => value.sealed)],
  );
}

/** How many values each key has sealed, by table. */
export async function countSealedValues(
  sql: Sql,
): Promise<{ table: string; keyId: string; count: bigint }[]> {
  return await sql.query(
    `${sealedFields
      .map(
        (field) => `
    select '${field.table}' as table, ${keyOf(field)} as "keyId", count(*) as count
    from ${field.table}
    where ${field.where}
    group by 2`,
      )
      .join('\n    union all')}
    order by 1, 2`,
  );
}
