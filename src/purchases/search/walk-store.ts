/**
 * The SQL that finds final purchases in `purchase_search`, newest first. It uses the most selective
 * index, and checks the rest of the filter row by row, up to a limit. There is no index on the id
 * only, so the planner cannot choose another order.
 */
import type { Tx } from '../../db/database.ts';
import { hashedName } from './fill-store.ts';
import { conditionsOf, Parameters } from './search-conditions-store.ts';
import type { IdSpan, PurchaseKey, SearchFilter } from './search-filter.ts';

export type Walked = {
  /** In no order. */
  readonly keys: readonly PurchaseKey[];
  /** Purchases below this id were not read. Undefined: all were. */
  readonly floor: string | undefined;
};

/** `rowsMax` applies to each range of an index. */
type Bounds = { readonly wanted: number; readonly rowsMax: number };
/** The newest rows of a range of an index, as SQL. */
type Range = (parameters: Parameters, columns: string, bound: string) => string;

const columns =
  'merchant_id, environment, purchase_id as id, product, network, provider, status, reason, face_value, recipient';
const states = { status: 'v.status', provider: 'v.provider', reason: 'v.reason', goods: 'null' };
const final = ['success', 'failed'] as const;
const everyId: IdSpan = { atLeast: undefined, before: undefined };

/** Finds the newest `wanted` matches. Looks up no reference but the provider's own. */
export async function walkIndex(tx: Tx, filter: SearchFilter, span: IdSpan, bounds: Bounds): Promise<Walked> {
  // The order of an index ends the reading as soon as enough are found.
  await tx.query('set local enable_bitmapscan = off; set local enable_sort = off');
  const walked: Walked[] = [];
  for (const range of rangesOf(filter, span)) walked.push(await walkRange(tx, filter, range, bounds));
  await tx.query('set local enable_bitmapscan = on; set local enable_sort = on');
  const floors = walked.flatMap(({ floor }) => floor ?? []).sort();
  return { keys: walked.flatMap(({ keys }) => keys), floor: floors.at(-1) };
}

async function walkRange(
  tx: Tx,
  filter: SearchFilter,
  range: Range,
  { wanted, rowsMax }: Bounds,
): Promise<Walked> {
  const parameters = new Parameters();
  const rows = range(parameters, columns, `limit ${rowsMax}`);
  const own = { ...filter, token: undefined, reference: undefined };
  const keys = await tx.query<PurchaseKey>(
    `select v.merchant_id as "merchantId", v.environment, v.id
     from (${rows}) as v
     where true
     ${conditionsOf(own, everyId, states, parameters)}
     limit ${wanted}`,
    parameters.values,
  );
  if (keys.length >= wanted) return { keys, floor: undefined };
  const looked = new Parameters();
  const [last] = await tx.query<{ id: string }>(
    range(looked, 'purchase_id as id', `offset ${rowsMax - 1} limit 1`),
    looked.values,
  );
  return { keys, floor: last?.id };
}

function rangesOf(filter: SearchFilter, span: IdSpan): Range[] {
  const { merchantId, environment, recipients, reference, token, status, reason } = filter;
  const name = token ?? reference;
  if (name !== undefined) return [rangeOfName(name, span)];
  if (recipients !== undefined) {
    return recipients.map((one) => rangeWhere(span, (bind) => `recipient = ${bind(one, 'text')}`));
  }
  if (merchantId !== undefined) {
    return (environment === undefined ? ['live', 'test'] : [environment]).map((one) =>
      rangeWhere(
        span,
        (bind) => `merchant_id = ${bind(merchantId, 'integer')} and environment = ${bind(one, 'text')}`,
      ),
    );
  }
  const statuses =
    status !== undefined
      ? [status]
      : reason === undefined
        ? final
        : [reason === 'delivered' ? 'success' : 'failed'];
  return statuses.map((one) => rangeWhere(span, (bind) => `status = ${bind(one, 'text')}`));
}

type Bind = Parameters['bind'];

function rangeWhere(span: IdSpan, condition: (bind: Bind) => string): Range {
  return (parameters, wanted, bound) => `
    select ${wanted}
    from purchase_search
    where ${condition((value, type) => parameters.bind(value, type))}
    ${within(span, parameters)}
    order by purchase_id desc
    ${bound}`;
}

function rangeOfName(name: string, span: IdSpan): Range {
  return (parameters, wanted, bound) => `
    select p.*
    from (
      select merchant_id, purchase_id
      from purchase_search_names
      where name = ${hashedName(parameters.bind(name, 'text'))}
      ${within(span, parameters)}
      order by purchase_id desc
      ${bound}
    ) as n
    cross join lateral (
      select ${wanted}
      from purchase_search
      where merchant_id = n.merchant_id
      and environment = any('{live,test}')
      and purchase_id = n.purchase_id
      limit 1
    ) as p`;
}

function within({ atLeast, before }: IdSpan, parameters: Parameters): string {
  return `
    ${atLeast === undefined ? '' : `and purchase_id >= ${parameters.bind(atLeast, 'uuid')}`}
    ${before === undefined ? '' : `and purchase_id < ${parameters.bind(before, 'uuid')}`}`;
}
