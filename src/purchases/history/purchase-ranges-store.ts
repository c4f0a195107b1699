/**
 * The SQL that finds the purchases of a list: by ranges of indexes in the order of the list, one
 * for each status, network and recipient of the filter. Every entry that is read is in the result,
 * for any filter. Final purchases are found by their outcomes, pending ones in the queue
 * (docs/decisions/0303-read-purchase-lists-from-outcomes-and-the-queue.md).
 *
 * Values are compared through subqueries, as in purchase-store.ts. An outer row has the same
 * effect. The limit of a range is hidden too: a planner that knows the limit may expect fewer rows
 * than that, and then reads and sorts the whole range.
 */
import { mobileNetworks } from '../../core/products/network.ts';
import type { Product } from '../../core/products/product.ts';
import { recordOf } from '../../core/products/registry.ts';
import type { PurchaseStatus } from '../state/purchase.ts';
import type { PurchaseOwner } from './purchase-store.ts';

export type PurchaseFilter = {
  /** Any of them matches. Never empty. */
  readonly recipients?: readonly string[] | undefined;
  readonly network?: string | undefined;
  readonly status?: PurchaseStatus | undefined;
  /**
   * Rows have no index by product. The rows of the product's networks are read, and those of
   * another product on the same network are skipped. Only airtime and data share networks.
   */
  readonly product?: Product | undefined;
};

export type Ranges = {
  /**
   * The filters that are present. The text of the statement depends on them and never on their
   * values.
   */
  readonly name: string;
  /** The parameters, starting with $1. */
  readonly values: readonly unknown[];
  /** Common table expressions for a `with recursive`. `ids` has the result. */
  readonly tables: string;
};

/**
 * The ids of the newest `most` purchases in each range that are older than `before`. The newest
 * `most` of all ranges are among them.
 */
export function selectRanges(
  owner: PurchaseOwner,
  { status, network, recipients, product }: PurchaseFilter,
  most: number,
  before: string | undefined,
): Ranges {
  const values: unknown[] = [owner.merchantId, owner.environment];
  const names: string[] = [status ?? 'all'];
  const bind = (name: string, value: unknown, type: string): string => {
    values.push(value);
    names.push(name);
    return `$${values.length}::${type}`;
  };
  const unfiltered = [status, network, recipients, product].every((filter) => filter === undefined);
  const wantedProduct = product && bind('product', product, 'text');
  const networks =
    network === undefined
      ? `${soldNetworks} ${unfiltered ? `and ${soldOrders}` : ''}`
      : `select ${bind('network', network, 'text')}`;
  const ofProduct = product === undefined ? '' : `where network in (${networksOf(product, bind)})`;
  const range: Range = {
    product: wantedProduct,
    recipients: recipients && bind('recipients', recipients, 'text[]'),
    before: before === undefined ? undefined : bind('before', before, 'uuid'),
    most: bind('most', most, 'bigint'),
  };
  const parts = unfiltered ? [allPurchases(range)] : [];
  if (status !== 'pending') parts.push(finalPurchases(range, status));
  if (status === undefined || status === 'pending')
    parts.push(waitingPurchases(range), purchasesInHand(range));
  return {
    name: names.join('_'),
    values,
    tables: `
    sold as materialized (${sold}),
    named(network) as materialized (${networks}),
    networks(network) as materialized (select network from named ${ofProduct}),
    ids as (${parts.map((part) => `(${part})`).join('\n    union all ')})`,
  };
}

/** The parameters of a range, as SQL. */
type Range = {
  readonly product: string | undefined;
  readonly recipients: string | undefined;
  readonly before: string | undefined;
  readonly most: string;
};

/**
 * The products and networks that the merchant has bought. The network of an order is its product.
 */
const sold = `
      select
        network,
        exists (
          select 1
          from products p
          where p.product = network
          and p.kind = 'order'
        ) as orders
      from (
        select network
        from purchase_counts
        where merchant_id = (select $1::integer)
        and environment = (select $2::text)
        union
        select network
        from purchase_count_deltas
        where merchant_id = (select $1::integer)
        and environment = (select $2::text)
      ) as counted`;

const soldNetworks = `
      select network
      from sold
      where not orders`;

const soldOrders = '(select coalesce(bool_or(orders), false) from sold)';

/** For a merchant without orders, which are not listed, all purchases are one range. */
function allPurchases({ before, most }: Range): string {
  return `
      select v.id
      from purchases v
      where not ${soldOrders}
      and v.merchant_id = (select $1::integer)
      and v.environment = (select $2::text)
      ${before === undefined ? '' : `and v.id < (select ${before})`}
      order by v.id desc
      limit (select ${most})`;
}

function finalPurchases(range: Range, status: 'success' | 'failed' | undefined): string {
  const statuses = status === undefined ? "('success'), ('failed')" : `('${status}')`;
  const recipient = (table: string): string =>
    range.recipients === undefined ? '' : ` || ${table}.recipient`;
  return `
      select part.id
      from networks n
      cross join (values ${statuses}) as s(status)
      ${eachRecipient(range)}
      cross join lateral (
        select o.purchase_id as id
        from purchase_outcomes o
        where o.merchant_id = (select $1::integer)
        -- As in the indexes. Different values can have the same hash.
        and hashtext(o.environment || o.status || o.network${recipient('o')})
          = hashtext((select $2::text) || s.status || n.network${recipient('wanted')})
        and o.environment = (select $2::text)
        and o.status = s.status
        and o.network = n.network
        ${ofRange(range, 'o')}
        order by o.purchase_id desc
        limit (select ${range.most})
      ) as part`;
}

/** The networks on which a product is or was sold. */
function networksOf(product: Product, bind: (name: string, value: unknown, type: string) => string): string {
  return recordOf(product).networks === 'mobile'
    ? `select unnest(${bind('mobile', mobileNetworks, 'text[]')})`
    : `select network from billers where product = ${bind('biller', product, 'text')}`;
}

function productOf(id: string): string {
  return `(
          select v.product
          from purchases v
          where v.merchant_id = (select $1::integer)
          and v.environment = (select $2::text)
          and v.id = ${id}
        )`;
}

/** Pending purchases that no process has claimed. */
function waitingPurchases(range: Range): string {
  return `
      select part.id
      from networks n
      ${eachRecipient(range)}
      cross join lateral (
        select p.purchase_id as id
        from pending_purchases p
        where p.merchant_id = (select $1::integer)
        and p.environment = (select $2::text)
        and p.network = n.network
        and p.owner is null
        ${ofRange(range, 'p')}
        order by p.purchase_id desc
        limit (select ${range.most})
      ) as part`;
}

/** Pending purchases that a process has claimed: few, and read completely. */
function purchasesInHand({ recipients, before, product }: Range): string {
  return `
      with recursive process(id) as (
        (
          select owner
          from pending_purchases
          where owner is not null
          order by owner
          limit 1
        )
        union all
        select (
          select p.owner
          from pending_purchases p
          where p.owner > process.id
          order by p.owner
          limit 1
        )
        from process
        where process.id is not null
      )
      select p.purchase_id as id
      from process
      cross join lateral (
        select *
        from pending_purchases
        where owner = process.id
        offset 0
      ) as p
      where p.merchant_id = $1::integer
      and p.environment = $2::text
      and p.network in (select network from networks)
      ${recipients === undefined ? '' : `and p.recipient = any(${recipients})`}
      ${product === undefined ? '' : `and ${productOf('p.purchase_id')} = ${product}`}
      ${before === undefined ? '' : `and p.purchase_id < ${before}`}`;
}

function eachRecipient({ recipients }: Range): string {
  return recipients === undefined ? '' : `cross join unnest(${recipients}) as wanted(recipient)`;
}

function ofRange({ recipients, before, product }: Range, table: string): string {
  return [
    ...(product === undefined ? [] : [`and ${productOf(`${table}.purchase_id`)} = (select ${product})`]),
    ...(recipients === undefined ? [] : [`and ${table}.recipient = wanted.recipient`]),
    ...(before === undefined ? [] : [`and ${table}.purchase_id < (select ${before})`]),
  ].join('\n        ');
}
