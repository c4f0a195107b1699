/**
 * The SQL that lists and counts purchases for merchants, newest first. Its cost does not grow with
 * history, for any filter (purchase-ranges-store.ts).
 */
import type { Sql } from '../../db/database.ts';
import type { Purchase } from '../state/purchase.ts';
import { type PurchaseFilter, selectRanges } from './purchase-ranges-store.ts';
import { type PurchaseOwner, type PurchaseRow, purchaseColumns, toPurchase } from './purchase-store.ts';

/** The purchases of a recipient or a product are counted up to this number. */
const countedMax = 10_001;

/**
 * A part of a merchant's purchases, newest first: those older than the purchase `before`, or those
 * after the first `offset`. Orders are listed elsewhere.
 */
export async function listPurchasePage(
  sql: Sql,
  owner: PurchaseOwner,
  filter: PurchaseFilter,
  page: { readonly limit: number; readonly offset: number; readonly before?: string | undefined },
): Promise<Purchase[]> {
  const ranges = selectRanges(owner, filter, page.limit + page.offset, page.before);
  const limit = `$${ranges.values.length + 1}::bigint`;
  const offset = `$${ranges.values.length + 2}::bigint`;
  const text = `
    with recursive ${ranges.tables},
    page as materialized (
      select id
      from ids
      order by id desc
      limit ${limit}
      offset ${offset}
    )
    select shown.*
    from page
    cross join lateral (
      select ${purchaseColumns}
      from purchases v
      join merchants m on m.id = v.merchant_id
      left join purchase_outcomes o
        on o.merchant_id = v.merchant_id
        and o.purchase_id = v.id
      left join purchase_goods g
        on g.merchant_id = v.merchant_id
        and g.purchase_id = v.id
      where v.merchant_id = (select $1::integer)
      and v.environment = (select $2::text)
      and v.id = page.id
      -- Each by its key, however many the planner expects.
      limit 1
    ) as shown
    order by page.id desc`;
  const found = await sql.query<PurchaseRow>({ name: `list_purchases_${ranges.name}`, text }, [
    ...ranges.values,
    page.limit,
    page.offset,
  ]);
  return found.map(toPurchase);
}

/**
 * Counts the purchases of a filter, from counters where possible. For recipients or a product it
 * counts to `countedMax` at most.
 */
export async function countPurchases(
  sql: Sql,
  owner: PurchaseOwner,
  filter: PurchaseFilter,
): Promise<number> {
  if (filter.recipients !== undefined || filter.product !== undefined)
    return await countInRanges(sql, owner, filter);
  const [row] = await sql.query<{ count: bigint }>(countByCounters, [
    owner.merchantId,
    owner.environment,
    filter.network ?? null,
    filter.status ?? null,
  ]);
  return Number(row?.count ?? 0n);
}

async function countInRanges(sql: Sql, owner: PurchaseOwner, filter: PurchaseFilter): Promise<number> {
  const { name, values, tables } = selectRanges(owner, filter, countedMax, undefined);
  const text = `
    with recursive ${tables}
    select least(count(*), ${countedMax}) as count
    from ids`;
  const [row] = await sql.query<{ count: bigint }>({ name: `count_purchases_${name}`, text }, values);
  return Number(row?.count ?? 0n);
}

const countByCounters = {
  name: 'count_purchases_by_counters',
  text: `
    select coalesce(
      sum(
        case
          when $4::text is null then case status when 'accepted' then count else 0 end
          when $4 = 'pending' then case status when 'accepted' then count else -count end
          else case status when $4 then count else 0 end
        end
      ),
      0
    )::bigint as count
    from (
      select merchant_id, environment, network, status, count
      from purchase_counts
      union all
      select merchant_id, environment, network, status, count
      from purchase_count_deltas
    ) c
    where merchant_id = $1
    and environment = $2
    -- The network of an order is its product.
    and not exists (
      select 1
      from products p
      where p.product = c.network
      and p.kind = 'order'
    )
    and ($3::text is null or network = $3)`,
};
