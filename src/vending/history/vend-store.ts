/**
 * The SQL that reads vends for merchants. Every statement is bounded: its cost does not grow with
 * history.
 *
 * Owners are compared by way of a subquery: `(select $1::integer)`. Of a merchant that came after
 * the last analysis, the planner believes that it has next to no rows; then every index looks
 * equally good to it, and one that reads all the merchant's purchases is taken for one. A value
 * that it cannot see it takes for a merchant like the others.
 */
import type { Sql } from '../../db/database.ts';
import type { Environment } from '../../kernel/environment.ts';
import type { Goods } from '../../providers/provider.ts';
import type { OutcomeReason } from '../vend/outcome-reason.ts';
import type { Vend, VendStatus } from '../vend/vend.ts';

type VendRow = {
  id: string;
  merchant_id: number;
  merchant_name: string;
  environment: Environment;
  reference: string;
  product: string;
  network: string;
  plan_code: string | null;
  msisdn: string;
  face_value: bigint;
  charge: bigint;
  created_at: Date;
  status: VendStatus | null;
  reason: OutcomeReason | null;
  telco_message: string | null;
  goods: Goods | null;
  late_goods: Goods | null;
  final_at: Date | null;
};

const columns = `
    v.id, v.merchant_id, m.name as merchant_name, v.environment, v.reference, v.product, v.network, v.plan_code, v.msisdn, v.face_value,
    v.charge, v.created_at, o.status, o.reason, o.telco_message, o.goods, g.goods as late_goods,
    coalesce(g.at, o.at) as final_at`;

const joins = `
  join merchants m on m.id = v.merchant_id
  left join vend_outcomes o
    on o.merchant_id = v.merchant_id
    and o.vend_id = v.id
  left join vend_goods g
    on g.merchant_id = v.merchant_id
    and g.vend_id = v.id`;

export type VendOwner = { readonly merchantId: number; readonly environment: Environment };

export async function findVendByReference(
  sql: Sql,
  owner: VendOwner,
  reference: string,
): Promise<Vend | undefined> {
  const rows = await sql.query<VendRow>(
    {
      name: 'find_vend_by_reference',
      text: `
        select ${columns}
        from vends v ${joins}
        where v.merchant_id = (select $1::integer)
        and v.environment = (select $2::text)
        and v.reference = $3`,
    },
    [owner.merchantId, owner.environment, reference],
  );
  return rows[0] && toVend(rows[0]);
}

export async function findVendById(
  sql: Sql,
  merchantId: number,
  environment: Environment,
  id: string,
): Promise<Vend | undefined> {
  const rows = await sql.query<VendRow>(
    {
      name: 'find_vend_by_id',
      text: `
        select ${columns}
        from vends v ${joins}
        where v.merchant_id = (select $1::integer)
        and v.environment = (select $2::text)
        and v.id = $3`,
    },
    [merchantId, environment, id],
  );
  return rows[0] && toVend(rows[0]);
}

export type ReferenceKey = VendOwner & { readonly reference: string };

/** The vend that used a reference first. */
export type FirstUse = { readonly id: string; readonly status: VendStatus };

/** For each key in order, undefined where it is free. */
export async function findFirstUses(
  sql: Sql,
  keys: readonly ReferenceKey[],
): Promise<(FirstUse | undefined)[]> {
  const rows = await sql.query<FirstUse & { ordinal: bigint }>(
    {
      name: 'find_first_uses',
      text: `
        select k.ordinal, v.id, coalesce(o.status, 'pending') as status
        from unnest($1::integer[], $2::text[], $3::text[]) with ordinality as k(merchant_id, environment, reference, ordinal)
        join vends v
          on v.merchant_id = k.merchant_id
          and v.environment = k.environment
          and v.reference = k.reference
        left join vend_outcomes o
          on o.merchant_id = v.merchant_id
          and o.vend_id = v.id`,
    },
    [keys.map((key) => key.merchantId), keys.map((key) => key.environment), keys.map((key) => key.reference)],
  );
  const uses: (FirstUse | undefined)[] = keys.map(() => undefined);
  for (const { ordinal, id, status } of rows) uses[Number(ordinal) - 1] = { id, status };
  return uses;
}

/** Which of the given vends are final. */
export async function findFinalVends(
  sql: Sql,
  vends: readonly { readonly merchantId: number; readonly vendId: string }[],
): Promise<string[]> {
  const rows = await sql.query<{ vend_id: string }>(
    {
      name: 'find_final_vends',
      text: `
        select o.vend_id
        from unnest($1::integer[], $2::uuid[]) as w(merchant_id, vend_id)
        join vend_outcomes o
          on o.merchant_id = w.merchant_id
          and o.vend_id = w.vend_id`,
    },
    [vends.map((vend) => vend.merchantId), vends.map((vend) => vend.vendId)],
  );
  return rows.map((row) => row.vend_id);
}

export type VendFilter = {
  /** One of them is enough; never empty. */
  readonly recipients?: readonly string[] | undefined;
  readonly network?: string | undefined;
  readonly status?: VendStatus | undefined;
};

/**
 * One page of a merchant's vends, newest first. Orders are looked up, not listed (interface, "List
 * response").
 */
export async function listVendPage(
  sql: Sql,
  owner: VendOwner,
  filter: VendFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<Vend[]> {
  const { name, text, values } = pageStatement(owner, filter);
  const rows = await sql.query<VendRow>({ name: `list_vends_${name}`, text }, [
    ...values,
    page.limit,
    page.offset,
  ]);
  return rows.map(toVend);
}

/**
 * Each recipient's part of the page is read in order by itself: from the index, and no further than
 * the page goes.
 *
 * The page is read from whichever table has an index in the order of the list for the filter:
 * outcomes by status, pending vends, or vends. The text depends on which filters are present, never
 * on their values.
 */
function pageStatement(
  owner: VendOwner,
  filter: VendFilter,
): { name: string; text: string; values: readonly unknown[] } {
  const values: unknown[] = [owner.merchantId, owner.environment];
  const conditions: string[] = [];
  const names: string[] = [];
  const bind = (name: string, column: string, value: string | undefined): void => {
    if (value === undefined) return;
    values.push(value);
    conditions.push(`and ${column} = $${values.length}`);
    names.push(name);
  };
  const source = sourceOf(filter);
  bind('network', 'v.network', filter.network);
  if (source.table === 'o') bind('status', 'o.status', filter.status);
  if (filter.recipients !== undefined) {
    values.push(filter.recipients);
    conditions.push('and v.recipient = wanted.recipient');
    names.push('recipients');
  }
  const recipients = `$${values.length}`;
  const limit = `$${values.length + 1}::bigint`;
  const offset = `$${values.length + 2}::bigint`;
  const rows = `
    select ${columns}
    from ${source.from}
    join merchants m on m.id = v.merchant_id
    ${source.outcome}
    left join vend_goods g on g.merchant_id = v.merchant_id and g.vend_id = v.id
    where ${source.table}.merchant_id = (select $1::integer)
    and ${source.table}.environment = (select $2::text)
    and v.mode <> 'order'
    ${conditions.join('\n    ')}
    order by ${source.order} desc`;
  const text =
    filter.recipients === undefined
      ? `${rows} limit ${limit} offset ${offset}`
      : `
    select page.*
    from unnest(${recipients}::text[]) as wanted(recipient)
    cross join lateral (${rows} limit ${limit} + ${offset}) as page
    order by page.id desc
    limit ${limit}
    offset ${offset}`;
  return { name: [source.table, ...names].join('_'), text, values };
}

type PageSource = {
  readonly table: 'v' | 'o' | 'p';
  readonly from: string;
  readonly outcome: string;
  readonly order: string;
};

function sourceOf(filter: VendFilter): PageSource {
  const outcome = 'left join vend_outcomes o on o.merchant_id = v.merchant_id and o.vend_id = v.id';
  const vendOf = (table: string): string => `
      join vends v
        on v.merchant_id = ${table}.merchant_id
        and v.environment = ${table}.environment
        and v.id = ${table}.vend_id`;
  if (filter.status === 'pending') {
    return { table: 'p', from: `pending_vends p ${vendOf('p')}`, outcome, order: 'p.vend_id' };
  }
  if (filter.status !== undefined) {
    return { table: 'o', from: `vend_outcomes o ${vendOf('o')}`, outcome: '', order: 'o.vend_id' };
  }
  return { table: 'v', from: 'vends v', outcome, order: 'v.id' };
}

/**
 * How many vends a filter finds. From counters, not a scan; only a filter by recipient counts rows,
 * those of that recipient.
 */
export async function countVends(sql: Sql, owner: VendOwner, filter: VendFilter): Promise<number> {
  const rows =
    filter.recipients === undefined
      ? await sql.query<{ count: bigint }>(countByCounters, [
          owner.merchantId,
          owner.environment,
          filter.network ?? null,
          filter.status ?? null,
        ])
      : await sql.query<{ count: bigint }>(countByRecipient, [
          owner.merchantId,
          owner.environment,
          filter.recipients,
          filter.network ?? null,
          filter.status ?? null,
        ]);
  return Number(rows[0]?.count ?? 0n);
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

const countByRecipient = {
  name: 'count_vends_by_recipient',
  text: `
    select count(*) as count
    from vends v
    left join vend_outcomes o
      on o.merchant_id = v.merchant_id
      and o.vend_id = v.id
    where v.merchant_id = (select $1::integer)
    and v.environment = (select $2::text)
    and v.recipient = any($3::text[])
    and ($4::text is null or v.network = $4)
    and ($5::text is null or coalesce(o.status, 'pending') = $5)`,
};

function toVend(row: VendRow): Vend {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    merchantName: row.merchant_name,
    environment: row.environment,
    reference: row.reference,
    product: row.product,
    network: row.network,
    planCode: row.plan_code ?? undefined,
    msisdn: row.msisdn,
    faceValue: row.face_value,
    charge: row.charge,
    status: row.status ?? 'pending',
    reason: row.reason ?? undefined,
    telcoMessage: row.telco_message ?? undefined,
    goods: { ...row.goods, ...row.late_goods },
    createdAt: row.created_at,
    updatedAt: row.final_at ?? row.created_at,
  };
}
