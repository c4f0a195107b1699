/**
 * The SQL of the list of pending purchases, oldest first. Ids of purchases begin with their time,
 * and those of each merchant are read in the order of the primary key.
 */

import type { Environment } from '../../core/environment.ts';
import { greatestId, leastId } from '../../core/ids.ts';
import type { Sql } from '../../db/database.ts';
import { inEachCell } from '../../db/in-each-cell.ts';

export type PendingPurchase = {
  readonly id: string;
  readonly merchantCode: string;
  readonly environment: Environment;
  readonly reference: string;
  readonly product: string;
  readonly network: string;
  readonly recipient: string;
  readonly faceValue: bigint;
  readonly charge: bigint;
  readonly createdAt: Date;
  readonly provider: string;
  /** Its next step. */
  readonly step: 'send' | 'query';
  readonly dueAt: Date | null;
  /** Whether a process has claimed it. */
  readonly inHand: boolean;
  readonly attempts: number;
  readonly queries: number;
  /** Since when it needs a person. */
  readonly flaggedAt: Date | null;
  /** A provider reported a delivery. */
  readonly delivered: boolean;
  /** A provider reported that it has the order. */
  readonly acknowledged: boolean;
  /** Reports of a provider contradicted each other. */
  readonly contradictedAt: Date | null;
  /** Our reference of the last attempt. */
  readonly attemptReference: string | null;
  /** The provider's last answer. */
  readonly lastKind: string | null;
  readonly lastCode: string | null;
  readonly lastMessage: string | null;
  readonly lastAt: Date | null;
};

export type PendingFilter = {
  readonly merchantId?: number | undefined;
  readonly environment?: Environment | undefined;
  readonly provider?: string | undefined;
  /** Only purchases that need a person. */
  readonly flagged?: boolean | undefined;
  /** Ids below this one. */
  readonly before?: string | undefined;
};

export type PendingPage = {
  readonly items: readonly PendingPurchase[];
  /** The next page has the ids above this one; undefined after the last page. */
  readonly after: string | undefined;
};

/**
 * The rows that are read for one page. A filter that matches few of them may leave a page short.
 */
const LOOKED_MAX = 20_000;

type PageRequest = { readonly after: string | undefined; readonly limit: number };

export async function listPendingPurchases(
  sql: Sql,
  filter: PendingFilter,
  page: PageRequest,
): Promise<PendingPage> {
  const pages = await inEachCell(sql, (cell) => listInCell(cell, filter, page));
  return mergePages(pages, page.limit);
}

/** The oldest purchases of all pages, up to where each of them is complete. */
function mergePages([first, ...others]: readonly PendingPage[], limit: number): PendingPage {
  if (first === undefined) return { items: [], after: undefined };
  if (others.length === 0) return first;
  const pages = [first, ...others];
  const [ceiling] = pages.flatMap(({ after }) => after ?? []).sort();
  const items = pages
    .flatMap((page) => page.items)
    .filter(({ id }) => ceiling === undefined || id <= ceiling)
    .sort((one, other) => (one.id < other.id ? -1 : 1));
  const shown = items.slice(0, limit);
  return { items: shown, after: items.length > limit ? shown.at(-1)?.id : ceiling };
}

async function listInCell(sql: Sql, filter: PendingFilter, page: PageRequest): Promise<PendingPage> {
  const isFiltered = filter.provider !== undefined || filter.flagged === true;
  const rows = await sql.query<PendingPurchase & { readonly ceiling: string | null }>(
    `with recursive merchant(id) as (
       (
         select merchant_id
         from pending_purchases
         where $1::integer is null
         or merchant_id = $1
         order by merchant_id
         limit 1
       )
       union all
       select (
         select p.merchant_id
         from pending_purchases p
         where p.merchant_id > m.id
         and $1::integer is null
         order by p.merchant_id
         limit 1
       )
       from merchant m
       where m.id is not null
     ),
     bound(each) as (
       select case when $7::boolean then greatest(${LOOKED_MAX} / greatest(count(id), 1), 1) else $6::bigint end
       from merchant
     ),
     candidate as materialized (
       select p.*
       from merchant m
       cross join lateral (
         select *
         from pending_purchases
         where merchant_id = m.id
         and purchase_id > $5::uuid
         and purchase_id < $8::uuid
         and ($2::text is null or environment = $2)
         order by purchase_id
         limit (select each from bound)
       ) as p
     ),
     -- If the merchant has more, rows above the last one read are not known.
     ceiling(id) as (
       select min(last.id collate "C")
       from (
         select max(purchase_id::text collate "C") as id
         from candidate
         group by merchant_id
         having count(*) >= (select each from bound)
       ) as last
     ),
     found as (
       select p.*
       from candidate p
       cross join ceiling
       where (ceiling.id is null or p.purchase_id::text collate "C" <= ceiling.id)
       and ($3::text is null or p.provider = $3)
       and (not $4::boolean or p.flagged_at is not null)
       order by p.purchase_id
       limit $6
     )
     select
       ceiling.id as ceiling,
       p.purchase_id as id,
       m.code as "merchantCode",
       p.environment,
       v.reference,
       v.product,
       v.network,
       v.msisdn as recipient,
       v.face_value as "faceValue",
       v.charge,
       v.created_at as "createdAt",
       p.provider,
       p.step,
       p.due_at as "dueAt",
       p.owner is not null as "inHand",
       p.attempts,
       greatest(p.queries, 0) as queries,
       p.flagged_at as "flaggedAt",
       p.delivered_attempt is not null as delivered,
       p.acknowledged,
       p.contradicted_at as "contradictedAt",
       (
         select t.reference
         from attempts t
         where t.merchant_id = p.merchant_id
         and t.purchase_id = p.purchase_id
         order by t.number desc
         limit 1
       ) as "attemptReference",
       a.kind as "lastKind",
       a.code as "lastCode",
       a.message as "lastMessage",
       a.at as "lastAt"
     from ceiling
     left join found p on true
     left join merchants m on m.id = p.merchant_id
     left join lateral (
       select *
       from purchases
       where merchant_id = p.merchant_id
       and environment = p.environment
       and id = p.purchase_id
       limit 1
     ) as v on true
     left join lateral (
       select kind, code, message, at
       from provider_answers
       where merchant_id = p.merchant_id
       and purchase_id = p.purchase_id
       order by at desc
       limit 1
     ) as a on true
     order by p.purchase_id`,
    [
      filter.merchantId ?? null,
      filter.environment ?? null,
      filter.provider ?? null,
      filter.flagged ?? false,
      page.after ?? leastId,
      page.limit + 1,
      isFiltered,
      filter.before ?? greatestId,
    ],
  );
  const found = rows.filter((row) => (row.id as string | null) !== null);
  const items = found.slice(0, page.limit).map(({ ceiling: _, ...item }) => item);
  const after = found.length > page.limit ? items.at(-1)?.id : (rows[0]?.ceiling ?? undefined);
  return { items, after };
}
