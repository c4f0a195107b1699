/** SQL of the search's segments: written once, and read by ranges of their keys. */
import type { Sql, Tx } from '../../db/database.ts';
import { greatestId, leastId } from '../../kernel/ids.ts';
import { MEMBER_BYTES, type Posting, readMember, type Segment, type VendKey } from './segment.ts';

export async function insertSegment(tx: Tx, segment: Segment): Promise<void> {
  await tx.query(
    `with segment as (
       insert into search_segments (newest, oldest, size, fences, members)
       values ($1, $2, $3, $4, $5)
       returning id
     )
     insert into search_postings (attribute, value, segment, postings)
     select p.attribute, p.value, segment.id, p.postings
     from segment
     cross join unnest($6::text[], $7::text[], $8::bytea[]) as p(attribute, value, postings)`,
    [
      segment.newest,
      segment.oldest,
      segment.size,
      segment.fences,
      segment.members,
      segment.postings.map(({ attribute }) => attribute),
      segment.postings.map(({ value }) => value),
      segment.postings.map(({ postings }) => postings),
    ],
  );
}

export type SegmentHead = {
  readonly id: bigint;
  readonly newest: string;
  readonly size: number;
  /** Undefined where all of it is within the bounds. */
  readonly fences: readonly string[] | undefined;
};

type IdBounds = { readonly atLeast: string | undefined; readonly before: string | undefined };

/** The next segments with purchases within the bounds, after one of them, by their newest. */
export async function listSegments(
  sql: Sql,
  { atLeast, before }: IdBounds,
  after: SegmentHead | undefined,
  limit: number,
): Promise<SegmentHead[]> {
  const rows = await sql.query<{ id: bigint; newest: string; size: number; fences: string[] | null }>(
    `select
       id,
       newest,
       size,
       case when newest >= $2 or oldest < $1 then fences end as fences
     from search_segments
     where newest >= $1
     and oldest < $2
     and (newest, id) < ($3, $4)
     order by newest desc, id desc
     limit $5`,
    [atLeast ?? leastId, before ?? greatestId, after?.newest ?? greatestId, after?.id ?? lastSegment, limit],
  );
  return rows.map(({ fences, ...head }) => ({ ...head, fences: fences ?? undefined }));
}

const lastSegment = 9_223_372_036_854_775_807n;

/** By segment, what it has of any of the values. */
export async function readPostings(
  sql: Sql,
  segments: readonly bigint[],
  attribute: Posting['attribute'],
  values: readonly string[],
): Promise<ReadonlyMap<bigint, Buffer[]>> {
  const rows = await sql.query<{ segment: bigint; postings: Buffer }>(
    {
      name: 'read_search_postings',
      text: `
        select segment, postings
        from search_postings
        where attribute = $1
        and value = any($2::text[])
        and segment = any($3::bigint[])`,
    },
    [attribute, values, segments],
  );
  const found = new Map<bigint, Buffer[]>();
  for (const { segment, postings } of rows) {
    const list = found.get(segment);
    if (list === undefined) found.set(segment, [postings]);
    else list.push(postings);
  }
  return found;
}

/** By segment, the part of its positions in the order of their amounts, from a byte on. */
export async function readByAmount(
  sql: Sql,
  parts: readonly { readonly segment: bigint; readonly from: number; readonly to: number }[],
): Promise<ReadonlyMap<bigint, Buffer>> {
  const rows = await sql.query<{ segment: bigint; part: Buffer }>(
    {
      name: 'read_search_by_amount',
      text: `
        select p.segment, substring(s.postings from p.start + 1 for p.length) as part
        from unnest($1::bigint[], $2::integer[], $3::integer[]) as p(segment, start, length)
        cross join lateral (
          select postings
          from search_postings
          where attribute = 'by_amount'
          and value = ''
          and segment = p.segment
          limit 1
        ) as s`,
    },
    [
      parts.map(({ segment }) => segment),
      parts.map(({ from }) => from),
      parts.map(({ from, to }) => to - from),
    ],
  );
  return new Map(rows.map(({ segment, part }) => [segment, part]));
}

/** The purchases at positions of segments. */
export async function readMembers(
  sql: Sql,
  places: readonly { readonly segment: bigint; readonly position: number }[],
): Promise<VendKey[]> {
  const rows = await sql.query<{ member: Buffer }>(
    {
      name: 'read_search_members',
      text: `
        select substring(s.members from p.position * ${MEMBER_BYTES} + 1 for ${MEMBER_BYTES}) as member
        from unnest($1::bigint[], $2::integer[]) as p(segment, position)
        cross join lateral (
          select members
          from search_segments
          where id = p.segment
          limit 1
        ) as s`,
    },
    [places.map(({ segment }) => segment), places.map(({ position }) => position)],
  );
  return rows.map(({ member }) => readMember(member));
}
