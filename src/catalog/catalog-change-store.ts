/** Stores the history of the catalog, and locks the catalog for changes. */
import type { Sql, Tx } from '../db/database.ts';
import type { CatalogChange } from './diff-catalog.ts';

export type CatalogChangeRow = {
  readonly id: bigint;
  readonly at: Date;
  readonly actor: string;
  readonly source: string;
  readonly product: string;
  readonly subject: string;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>>;
};

/** Locks the catalog until the transaction ends. */
export async function lockCatalog(tx: Tx): Promise<void> {
  await tx.query("select pg_advisory_xact_lock(hashtext('oja.catalog'))");
}

export async function insertCatalogChanges(
  tx: Tx,
  changes: readonly CatalogChange[],
  { actor, source }: { readonly actor: string; readonly source: string },
): Promise<void> {
  const rows = changes.map(({ key, item, before }) => ({
    product: item.record.product,
    subject: key,
    before,
    after: item.record,
  }));
  await tx.query(
    `insert into catalog_changes (actor, source, product, subject, before, after)
     select $1, $2, product, subject, before, after
     from jsonb_to_recordset($3::jsonb) as change (product text, subject text, before jsonb, after jsonb)`,
    [actor, source, JSON.stringify(rows)],
  );
}

/** Returns the id of the newest change. 0 before the first one. */
export async function findCatalogVersion(sql: Sql): Promise<bigint> {
  const [row] = await sql.query<{ version: bigint }>(
    'select coalesce(max(id), 0)::bigint as version from catalog_changes',
  );
  return row?.version ?? 0n;
}

/** Returns the subjects of the changes whose plan or biller changed after a version. */
export async function listChangedSince(
  sql: Sql,
  version: bigint,
  changes: readonly CatalogChange[],
): Promise<string[]> {
  const rows = await sql.query<{ subject: string }>(
    `select distinct subject
     from catalog_changes
     where id > $1
     and (product, subject) in (select * from unnest($2::text[], $3::text[]))
     order by subject`,
    [version, changes.map(({ item }) => String(item.record.product)), changes.map(({ key }) => key)],
  );
  return rows.map(({ subject }) => subject);
}

/** Lists changes, newest first; of one plan or biller if `subject` names it. */
export async function listCatalogChanges(
  sql: Sql,
  filter: {
    readonly subject?: string | undefined;
    /** The last change of the page before. */
    readonly after?: bigint | undefined;
    readonly limit: number;
  },
): Promise<CatalogChangeRow[]> {
  const { subject, after, limit } = filter;
  return await sql.query<CatalogChangeRow>(
    `select id, at, actor, source, product, subject, before, after
     from catalog_changes
     where ($2::text is null or subject = $2)
     and ($3::bigint is null or id < $3)
     order by id desc
     limit $1`,
    [limit, subject ?? null, after ?? null],
  );
}
