/**
 * The SQL that finds final purchases in `purchase_search`, newest first. It uses the most selective
 * index, and checks the rest of the filter row by row, up to limits of rows and time: a row that is
 * not in memory takes a thousand times as long. There is no index on the id only, so the planner
 * cannot choose another order.
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

/** What one page reads of one range of an index. */
export type WalkLimits = {
  readonly rowsMax: number;
  /** The rows between two looks at the clock. */
  readonly stepRows: number;
  /** No further step of a range begins after this time of the walk. */
  readonly walkMs: number;
};

export const walkLimits: WalkLimits = { rowsMax: 50_000, stepRows: 2_000, walkMs: 1_000 };

/** The newest rows of a range of an index, as SQL. */
type Range = (span: IdSpan, parameters: Parameters, columns: string, bound: string) => string;

const columns =
  'merchant_id, environment, purchase_id as id, product, network, provider, status, reason, face_value, recipient';
const states = { status: 'v.status', provider: 'v.provider', reason: 'v.reason', goods: 'null' };
const final = ['success', 'failed'] as const;
const everyId: IdSpan = { atLeast: undefined, before: undefined };

/** Finds the newest `wanted` matches. Looks up no reference but the provider's own. */
export async function walkIndex(
  tx: Tx,
  filter: SearchFilter,
  span: IdSpan,
  wanted: number,
  limits: WalkLimits,
): Promise<Walked> {
  const bounds = { ...limits, wanted, endsAtMs: performance.now() + limits.walkMs };
  // The order of an index ends the reading as soon as enough are found.
  await tx.query('set local enable_bitmapscan = off; set local enable_sort = off');
  const keys: PurchaseKey[] = [];
  let { atLeast } = span;
  let floor: string | undefined;
  for (const range of rangesOf(filter)) {
    const walked = await walkRange(tx, filter, range, { ...span, atLeast }, bounds);
    keys.push(...walked.keys);
    floor = walked.floor ?? floor;
    // Purchases before the end of an incomplete range, or before enough matches, are not shown.
    const isEnough = walked.keys.length >= wanted;
    atLeast = floor ?? (isEnough ? lowestOf(walked.keys) : atLeast);
  }
  await tx.query('set local enable_bitmapscan = on; set local enable_sort = on');
  return { keys, floor };
}

function lowestOf(keys: readonly PurchaseKey[]): string | undefined {
  return keys.map(({ id }) => id).sort()[0];
}

/** Step by step, newest first. At least one step, so that the next page begins lower. */
async function walkRange(
  tx: Tx,
  filter: SearchFilter,
  range: Range,
  span: IdSpan,
  {
    wanted,
    rowsMax,
    stepRows,
    endsAtMs,
  }: WalkLimits & { readonly wanted: number; readonly endsAtMs: number },
): Promise<Walked> {
  const own = { ...filter, token: undefined, reference: undefined };
  const keys: PurchaseKey[] = [];
  let { before } = span;
  for (let read = 0; read < rowsMax && (read === 0 || performance.now() < endsAtMs); ) {
    const step = Math.min(stepRows, rowsMax - read);
    const parameters = new Parameters();
    const rows = range({ ...span, before }, parameters, columns, `limit ${step}`);
    keys.push(
      ...(await tx.query<PurchaseKey>(
        `select v.merchant_id as "merchantId", v.environment, v.id
         from (${rows}) as v
         where true
         ${conditionsOf(own, everyId, states, parameters)}
         limit ${wanted - keys.length}`,
        parameters.values,
      )),
    );
    if (keys.length >= wanted) return { keys, floor: undefined };
    const looked = new Parameters();
    const [last] = await tx.query<{ id: string }>(
      range({ ...span, before }, looked, 'purchase_id as id', `offset ${step - 1} limit 1`),
      looked.values,
    );
    if (last === undefined) return { keys, floor: undefined };
    before = last.id;
    read += step;
  }
  return { keys, floor: before };
}

function rangesOf(filter: SearchFilter): Range[] {
  const { merchantId, environment, recipients, reference, token, status, reason } = filter;
  const name = token ?? reference;
  if (name !== undefined) return [rangeOfName(name)];
  if (recipients !== undefined) {
    return recipients.map((one) => rangeWhere((bind) => `recipient = ${bind(one, 'text')}`));
  }
  if (merchantId !== undefined) {
    return (environment === undefined ? ['live', 'test'] : [environment]).map((one) =>
      rangeWhere(
        (bind) => `merchant_id = ${bind(merchantId, 'integer')} and environment = ${bind(one, 'text')}`,
      ),
    );
  }
  if (reason !== undefined && reason !== 'delivered') {
    return [rangeWhere((bind) => `status = 'failed' and reason = ${bind(reason, 'text')}`)];
  }
  const statuses = status !== undefined ? [status] : reason === undefined ? final : ['success'];
  return statuses.map((one) => rangeWhere((bind) => `status = ${bind(one, 'text')}`));
}

type Bind = Parameters['bind'];

function rangeWhere(condition: (bind: Bind) => string): Range {
  return (span, parameters, wanted, bound) => `
    select ${wanted}
    from purchase_search
    where ${condition((value, type) => parameters.bind(value, type))}
    ${within(span, parameters)}
    order by purchase_id desc
    ${bound}`;
}

function rangeOfName(name: string): Range {
  return (span, parameters, wanted, bound) => `
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
