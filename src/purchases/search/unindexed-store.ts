/**
 * The SQL that finds purchases that are not in `purchase_search`: recently final ones, and pending
 * ones.
 */
import type { Tx } from '../../db/database.ts';
import type { Progress } from './progress-store.ts';
import { conditionsOf, Parameters } from './search-conditions-store.ts';
import type { IdSpan, PurchaseKey, SearchFilter } from './search-filter.ts';

type KeyRow = { merchant_id: number; environment: PurchaseKey['environment']; id: string };

const toKey = ({ merchant_id: merchantId, environment, id }: KeyRow): PurchaseKey => ({
  merchantId,
  environment,
  id,
});

/** The pending purchases that are read for one page, if no index leads to them. */
const PENDING_LOOKED_MAX = 20_000;

/**
 * The newest final ones. They are found by the blocks of their time. Conditions on their outcomes
 * come first, and only the columns of `purchases` are looked up by key.
 */
export async function findUnindexedFinal(
  tx: Tx,
  filter: SearchFilter,
  span: IdSpan,
  progress: Progress,
  limit: number,
): Promise<PurchaseKey[]> {
  if (filter.status === 'pending') return [];
  const parameters = new Parameters();
  const readFrom = parameters.bind(progress.readFrom, 'timestamptz');
  const { products, amountMin, amountMax, ...ofOutcome } = filter;
  const ofPurchase = { products, amountMin, amountMax };
  const isLookedUp = Object.values(ofPurchase).some((value) => value !== undefined);
  const conditions = conditionsOf(ofOutcome, span, outcomeColumns, parameters, true);
  const more = conditionsOf(
    ofPurchase,
    { atLeast: undefined, before: undefined },
    outcomeColumns,
    parameters,
  );
  const most = parameters.bind(limit, 'bigint');
  const rows = await tx.query<KeyRow>(
    `select o.merchant_id, o.environment, o.id
     from (
       select v.merchant_id, v.environment, v.id
       from (
         select merchant_id, environment, purchase_id as id, status, reason, provider, goods, network, recipient
         from purchase_outcomes
         where at >= ${readFrom}
         -- A planner without statistics expects few rows of a span, and scans its blocks.
         and at < 'infinity'
         offset 0
       ) as v
       where true
       ${conditions}
       ${isLookedUp ? '' : `order by v.id desc limit ${most}`}
     ) as o
     ${isLookedUp ? lookUp : ''}
     where true
     ${more}
     order by o.id desc
     limit ${most}`,
    parameters.values,
  );
  return rows.map(toKey);
}

/** The row of an outcome stands in for its purchase. */
const outcomeColumns = { status: 'v.status', provider: 'v.provider', reason: 'v.reason', goods: 'v.goods' };

const lookUp = `cross join lateral (
       select product, face_value
       from purchases
       where merchant_id = o.merchant_id
       and environment = o.environment
       and id = o.id
       limit 1
     ) as v`;

export type PendingFound = {
  readonly keys: readonly PurchaseKey[];
  /** Purchases below this id were not searched. Undefined: all were. */
  readonly floor: string | undefined;
};

/**
 * The newest pending ones. Those of a recipient are found by an index. Otherwise the newest of each
 * merchant are read, up to a total.
 */
export async function findPending(
  tx: Tx,
  filter: SearchFilter,
  span: IdSpan,
  limit: number,
): Promise<PendingFound> {
  if (filter.reason !== undefined || (filter.status !== undefined && filter.status !== 'pending')) {
    return { keys: [], floor: undefined };
  }
  const parameters = new Parameters();
  const columns = { status: "'pending'", provider: 'p.provider', reason: 'null', goods: 'null::jsonb' };
  const candidates =
    filter.recipients === undefined
      ? newestOfEach(filter, span, parameters)
      : ofRecipients(filter, parameters);
  const conditions = conditionsOf(filter, span, columns, parameters, true);
  const most = parameters.bind(limit, 'bigint');
  const rows = await tx.query<{ floor: string | null } & { [K in keyof KeyRow]: KeyRow[K] | null }>(
    `with recursive merchant(id) as (${merchantsWithPending(filter, parameters)}),
     ${candidates},
     found as (
       select v.merchant_id, v.environment, v.id
       from candidate p
       cross join lateral (
         select *
         from purchases
         where merchant_id = p.merchant_id
         and environment = p.environment
         and id = p.purchase_id
         -- Each by its key, and never all of a merchant first.
         limit 1
       ) as v
       where true
       ${conditions}
       order by v.id desc
       limit ${most}
     )
     select floor.id as floor, found.*
     from floor
     left join found on true`,
    parameters.values,
  );
  return {
    keys: rows.flatMap(({ merchant_id, environment, id }) =>
      merchant_id === null || environment === null || id === null
        ? []
        : [toKey({ merchant_id, environment, id })],
    ),
    floor: rows[0]?.floor ?? undefined,
  };
}

/** Each merchant with pending purchases, by steps of the primary key. */
function merchantsWithPending({ merchantId }: SearchFilter, parameters: Parameters): string {
  if (merchantId !== undefined) return `select ${parameters.bind(merchantId, 'integer')}`;
  return `
       (
         select merchant_id
         from pending_purchases
         order by merchant_id
         limit 1
       )
       union all
       select (
         select p.merchant_id
         from pending_purchases p
         where p.merchant_id > m.id
         order by p.merchant_id
         limit 1
       )
       from merchant m
       where m.id is not null`;
}

function newestOfEach(filter: SearchFilter, { atLeast, before }: IdSpan, parameters: Parameters): string {
  const environment =
    filter.environment && `and environment = ${parameters.bind(filter.environment, 'text')}`;
  return `
     bound(each) as (
       select ${PENDING_LOOKED_MAX} / greatest(count(id), 1)
       from merchant
     ),
     candidate as materialized (
       select p.*
       from merchant m
       cross join lateral (
         select merchant_id, environment, purchase_id, provider
         from pending_purchases
         where merchant_id = m.id
         ${environment ?? ''}
         ${atLeast === undefined ? '' : `and purchase_id >= ${parameters.bind(atLeast, 'uuid')}`}
         ${before === undefined ? '' : `and purchase_id < ${parameters.bind(before, 'uuid')}`}
         order by purchase_id desc
         limit (select each from bound)
       ) as p
     ),
     floor(id) as (
       select max(last.id collate "C")
       from (
         select min(purchase_id::text collate "C") as id
         from candidate
         group by merchant_id
         having count(*) >= (select each from bound)
       ) as last
     )`;
}

/** By their index, and those that a process has claimed, which are few. */
function ofRecipients({ recipients }: SearchFilter, parameters: Parameters): string {
  const wanted = parameters.bind(recipients, 'text[]');
  return `
     candidate as materialized (
       select p.*
       from merchant m
       cross join (values ('live'), ('test')) as e(environment)
       cross join unnest(${wanted}) as w(recipient)
       cross join lateral (
         select merchant_id, environment, purchase_id, provider
         from pending_purchases
         where merchant_id = m.id
         and environment = e.environment
         and recipient = w.recipient
         and owner is null
       ) as p
       union all
       select merchant_id, environment, purchase_id, provider
       from pending_purchases
       where owner is not null
     ),
     floor(id) as (select null::text)`;
}
