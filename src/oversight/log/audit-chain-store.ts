/**
 * SQL of the chain of the audit log: the position of each entry, and the errors in a part of it.
 *
 * The hash of an entry covers the previous hash and the entry's own bytes. The database makes it
 * (`append_to_audit_chain` in migrations/), and docs/operators/audit-log.md describes it.
 */
import type { Sql } from '../../db/database.ts';

/** The number of links in one statement. */
export const LINKS_PER_SLICE = 5_000;

export type ChainLink = {
  readonly position: bigint;
  readonly entryId: bigint;
  /** Lower-case letters and digits. */
  readonly hash: string;
};

/** A part of the chain, or of the entries: tables for SQL that names them, and their values. */
export type ChainSlice = { readonly tables: readonly string[]; readonly values: readonly unknown[] };

const linkColumns = `position, entry_id as "entryId", encode(hash, 'hex') as hash`;

/** The last existing link. */
export async function findHead(sql: Sql): Promise<ChainLink | undefined> {
  const [head] = await sql.query<ChainLink>(
    `select ${linkColumns} from audit_log_chain order by position desc limit 1`,
  );
  return head;
}

export async function findLink(sql: Sql, entryId: bigint): Promise<ChainLink | undefined> {
  const [link] = await sql.query<ChainLink>(
    `select ${linkColumns} from audit_log_chain where entry_id = $1`,
    [entryId],
  );
  return link;
}

/** The highest id of an entry, linked or not; 0 without entries. */
export async function findLastEntry(sql: Sql): Promise<bigint> {
  const [row] = await sql.query<{ id: bigint }>('select coalesce(max(id), 0)::bigint as id from audit_log');
  return row?.id ?? 0n;
}

/** The position that ends a slice of so many links; undefined if no more follow. */
export async function findLinkBound(sql: Sql, above: bigint, rows: number): Promise<bigint | undefined> {
  const [row] = await sql.query<{ position: bigint }>(
    'select position from audit_log_chain where position > $1 order by position offset $2 limit 1',
    [above, rows],
  );
  return row?.position;
}

/** The same for entries, by their ids. */
export async function findEntryBound(sql: Sql, above: bigint, rows: number): Promise<bigint | undefined> {
  const [row] = await sql.query<{ id: bigint }>(
    'select id from audit_log where id > $1 order by id offset $2 limit 1',
    [above, rows],
  );
  return row?.id;
}

const firstHash = "decode(repeat('00', 32), 'hex')";

/** The links above a position, up to another position or all, with the link before them. */
export function linkSlice(above: bigint, upTo: bigint | undefined): ChainSlice {
  return {
    tables: [
      `checked_links as materialized (
         select position, entry_id, previous_hash, hash
         from audit_log_chain
         where position > $1::bigint
         and position <= coalesce($2::bigint, 9223372036854775807)
       )`,
      `link_before as materialized (
         select position, hash
         from audit_log_chain
         where position = $1::bigint
         union all
         select 0, ${firstHash}
         where $1::bigint = 0
       )`,
    ],
    values: [above, upTo ?? null],
  };
}

/**
 * One row for each invalid link of a slice: `missing_before`, `other_before`, `missing` or
 * `changed`.
 */
export const brokenLinks = `
  select position, entry_id, how
  from (
    select
      c.position,
      c.entry_id,
      case
        when c.position is distinct from c.position_before + 1 then 'missing_before'
        when c.previous_hash is distinct from c.hash_before then 'other_before'
        when l.entry is null then 'missing'
        when c.hash is distinct from sha256(c.previous_hash || audit_entry_bytes(l.entry)) then 'changed'
      end as how
    from (
      select
        *,
        coalesce(lag(position) over w, (select position from link_before)) as position_before,
        coalesce(lag(hash) over w, (select hash from link_before)) as hash_before
      from checked_links
      window w as (order by position)
    ) c
    left join lateral (
      select a as entry
      from audit_log a
      where a.id = c.entry_id
      offset 0
    ) l on true
  ) links
  where how is not null
  order by position`;

/** The entries above an id, up to another or all. */
export function entrySlice(above: bigint, upTo: bigint | undefined): ChainSlice {
  return {
    tables: [
      `checked_entries as materialized (
         select id
         from audit_log
         where id > $1::bigint
         and id <= coalesce($2::bigint, 9223372036854775807)
       )`,
    ],
    values: [above, upTo ?? null],
  };
}

/** One row for each entry of a slice that has no link. */
export const unlinkedEntries = `
  select e.id as entry_id, 'put_between' as how
  from checked_entries e
  left join lateral (
    select true as linked
    from audit_log_chain
    where entry_id = e.id
    offset 0
  ) c on true
  where c.linked is null
  order by e.id`;

export type BrokenLink = { readonly entryId: bigint; readonly how: string; readonly position?: bigint };

/** The first error of a slice: `brokenLinks` or `unlinkedEntries`. */
export async function findFirstBroken(
  sql: Sql,
  differences: string,
  { tables, values }: ChainSlice,
): Promise<BrokenLink | undefined> {
  const [row] = await sql.query<{ position?: bigint; entry_id: bigint; how: string }>(
    `with ${tables.join(',\n')} ${differences} limit 1`,
    values,
  );
  return row && { entryId: row.entry_id, how: row.how, ...(row.position && { position: row.position }) };
}

/** Finds the position of the hash that a link was chained to. It reads the whole chain. */
export async function findLinkBefore(sql: Sql, position: bigint): Promise<bigint | undefined> {
  const [row] = await sql.query<{ position: bigint }>(
    `select position
     from audit_log_chain
     where hash = (select previous_hash from audit_log_chain where position = $1)
     limit 1`,
    [position],
  );
  return row?.position;
}

export async function findEntryAt(sql: Sql, position: bigint): Promise<bigint | undefined> {
  const [row] = await sql.query<{ id: bigint }>(
    'select entry_id as id from audit_log_chain where position = $1',
    [position],
  );
  return row?.id;
}

export type ExportedEntry = {
  readonly position: bigint;
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly principal: string | null;
  readonly edge: string | null;
  readonly action: string;
  readonly subject: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly previous_hash: string;
  readonly hash: string;
};

/** Entries in the order of the chain, each with the exact texts that are hashed. */
export async function listExported(
  sql: Sql,
  above: bigint,
  upTo: bigint,
  limit: number,
): Promise<ExportedEntry[]> {
  return await sql.query<ExportedEntry>(
    `select
       c.position,
       a.id::text as id,
       audit_time(a.at) as at,
       a.actor,
       a.principal,
       a.edge,
       a.action,
       a.subject,
       a.before::text as before,
       a.after::text as after,
       encode(c.previous_hash, 'hex') as previous_hash,
       encode(c.hash, 'hex') as hash
     from audit_log_chain c
     join audit_log a on a.id = c.entry_id
     where c.position > $1
     and c.position <= $2
     order by c.position
     limit $3`,
    [above, upTo, limit],
  );
}

export type TimePlace = { readonly at: string; readonly id: bigint };

/** The positions of the next entries of a time range, in the order of time. */
export async function findPositions(
  sql: Sql,
  above: TimePlace,
  to: Date | undefined,
  limit: number,
): Promise<{ first: bigint | null; last: bigint | null; rows: number; place: TimePlace | undefined }> {
  const [row] = await sql.query<{
    first: bigint | null;
    last: bigint | null;
    rows: number;
    at: string | null;
    id: bigint | null;
  }>(
    `with part as materialized (
       select at, id
       from audit_log
       where (at, id) > ($1::timestamptz, $2::bigint)
       and at < coalesce($3::timestamptz, 'infinity')
       order by at, id
       limit $4
     )
     select
       min(c.position) as first,
       max(c.position) as last,
       count(*)::integer as rows,
       (select at::text from part order by at desc, id desc limit 1) as at,
       (select id from part order by at desc, id desc limit 1) as id
     from part p
     left join audit_log_chain c on c.entry_id = p.id`,
    [above.at, above.id, to ?? null, limit],
  );
  if (row === undefined) throw new Error('a sum without a group gives a row');
  const { first, last, rows, at, id } = row;
  return { first, last, rows, place: at === null || id === null ? undefined : { at, id } };
}
