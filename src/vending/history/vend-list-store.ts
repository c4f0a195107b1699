/**
 * The SQL that lists vends for merchants, newest first, and counts them. A page is read from an
 * index in the order of the list, for every filter that is offered: from the cursor on, its cost is
 * the same at any depth.
 *
 * Owners are compared by way of a subquery, as vend-store.ts says.
 */
import type { Sql } from '../../db/database.ts';
import type { Vend, VendStatus } from '../vend/vend.ts';
import { toVend, type VendOwner, type VendRow, vendColumns } from './vend-store.ts';

export type VendFilter = {
  /** One of them is enough; never empty. */
  readonly recipients?: readonly string[] | undefined;
  readonly network?: string | undefined;
  readonly status?: VendStatus | undefined;
};

/** More than so many vends of a recipient are not counted. */
export const countedMax = 10_001;

/**
 * A part of a merchant's vends, newest first: those older than the vend `before`, or else those
 * after the first `offset`. Orders are looked up, not listed (interface, "List response").
 */
export async function listVendPage(
  sql: Sql,
  owner: VendOwner,
  filter: VendFilter,
  page: { readonly limit: number; readonly offset: number; readonly before?: string | undefined },
): Promise<Vend[]> {
  const select = selectVends(owner, filter, vendColumns, page.before);
  const { name, values, recipients } = select;
  const limit = `$${values.length + 1}::bigint`;
  const offset = `$${values.length + 2}::bigint`;
  const rows = `${select.rows} order by ${select.order} desc`;
  const text =
    recipients === undefined
      ? `${rows} limit ${limit} offset ${offset}`
      : `
    select page.*
    from ${recipients}
    cross join lateral (${rows} limit ${limit} + ${offset}) as page
    order by page.id desc
    limit ${limit}
    offset ${offset}`;
  const found = await sql.query<VendRow>({ name: `list_vends_${name}`, text }, [
    ...values,
    page.limit,
    page.offset,
  ]);
  return found.map(toVend);
}

/** Rows in the order of the list for each of `recipients`, where there are any. */
type Select = {
  /** Tells which filters are present; the text depends on that, never on their values. */
  readonly name: string;
  readonly values: readonly unknown[];
  readonly rows: string;
  readonly order: string;
  /** What to join laterally with the rows. */
  readonly recipients: string | undefined;
};

/**
 * From whichever table has an index in the order of the list for the filter: pending vends, failed
 * outcomes, outcomes by status, or vends. Most vends succeed, so those of a network or recipient
 * are read from vends and the few others left out.
 */
function selectVends(
  owner: VendOwner,
  filter: VendFilter,
  columns: string,
  before?: string | undefined,
): Select {
  const values: unknown[] = [owner.merchantId, owner.environment];
  const names: string[] = [];
  const bind = (name: string, value: unknown): string => {
    values.push(value);
    names.push(name);
    return `$${values.length}`;
  };
  const source = sourceOf(filter);
  const conditions = [...source.conditions];
  const wanted = filter.recipients && bind('recipients', filter.recipients);
  if (wanted !== undefined) conditions.push(`and ${source.filtered}.recipient = wanted.recipient`);
  if (filter.network !== undefined) {
    conditions.push(`and ${source.filtered}.network = ${bind('network', filter.network)}`);
  }
  // The index goes by recipient, network and then time, and networks are few.
  const each = wanted !== undefined && filter.network === undefined && source.table === 'v';
  if (each) conditions.push('and v.network = sold.network');
  if (before !== undefined) conditions.push(`and ${source.order} < ${bind('before', before)}::uuid`);
  const rows = `
    select ${columns}
    from ${source.from}
    join merchants m on m.id = v.merchant_id
    left join vend_goods g on g.merchant_id = v.merchant_id and g.vend_id = v.id
    where ${source.table}.merchant_id = (select $1::integer)
    and ${source.table}.environment = (select $2::text)
    and v.mode <> 'order'
    ${conditions.join('\n    ')}`;
  return {
    name: [source.name, ...names].join('_'),
    values,
    rows,
    order: source.order,
    recipients:
      wanted === undefined ? undefined : `unnest(${wanted}::text[]) as wanted(recipient)${each ? sold : ''}`,
  };
}

/** Every network of which the merchant has bought anything. */
const sold = `
    cross join (
      select network
      from vend_counts
      where merchant_id = (select $1::integer)
      and environment = (select $2::text)
      union
      select network
      from vend_count_deltas
      where merchant_id = (select $1::integer)
      and environment = (select $2::text)
    ) as sold`;

type Source = {
  readonly name: string;
  readonly table: 'v' | 'o' | 'p';
  readonly from: string;
  readonly order: string;
  /** The table by whose recipient and network vends are filtered. */
  readonly filtered: 'v' | 'o';
  readonly conditions: readonly string[];
};

function sourceOf({ status, network, recipients }: VendFilter): Source {
  const outcome = 'left join vend_outcomes o on o.merchant_id = v.merchant_id and o.vend_id = v.id';
  const vendOf = (table: string): string => `
      join vends v
        on v.merchant_id = ${table}.merchant_id
        and v.environment = ${table}.environment
        and v.id = ${table}.vend_id`;
  if (status === 'pending') {
    const from = `pending_vends p ${vendOf('p')} ${outcome}`;
    return { name: 'pending', table: 'p', from, order: 'p.vend_id', filtered: 'v', conditions: [] };
  }
  if (status === 'failed' || (status === 'success' && network === undefined && recipients === undefined)) {
    return {
      name: status,
      table: 'o',
      from: `vend_outcomes o ${vendOf('o')}`,
      order: 'o.vend_id',
      filtered: 'o',
      conditions: [`and o.status = '${status}'`],
    };
  }
  const conditions = status === 'success' ? ["and o.status = 'success'"] : [];
  const from = `vends v ${outcome}`;
  return { name: status ?? 'all', table: 'v', from, order: 'v.id', filtered: 'v', conditions };
}

/** How many vends a filter finds: from counters; of recipients no more than `countedMax`. */
export async function countVends(sql: Sql, owner: VendOwner, filter: VendFilter): Promise<number> {
  if (filter.recipients !== undefined) return await countOfRecipients(sql, owner, filter);
  const [row] = await sql.query<{ count: bigint }>(countByCounters, [
    owner.merchantId,
    owner.environment,
    filter.network ?? null,
    filter.status ?? null,
  ]);
  return Number(row?.count ?? 0n);
}

async function countOfRecipients(sql: Sql, owner: VendOwner, filter: VendFilter): Promise<number> {
  const { name, values, rows, recipients } = selectVends(owner, filter, 'v.id');
  const limit = `$${values.length + 1}::bigint`;
  const text = `
    select count(*) as count
    from (
      select 1
      from ${recipients}
      cross join lateral (${rows} limit ${limit}) as part
      limit ${limit}
    ) as counted`;
  const [row] = await sql.query<{ count: bigint }>({ name: `count_vends_${name}`, text }, [
    ...values,
    countedMax,
  ]);
  return Number(row?.count ?? 0n);
}

const countByCounters = {
  name: 'count_vends_by_counters',
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
      from vend_counts
      union all
      select merchant_id, environment, network, status, count
      from vend_count_deltas
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
