/** The SQL that reads the final purchases of a time, for the segments of the search. */
import type { Tx } from '../../db/database.ts';
import type { Environment } from '../../kernel/environment.ts';
import { leastId } from '../../kernel/ids.ts';
import type { IndexedVend } from './segment.ts';

/** What separates the purchases of a column, and the values of one of them. */
const BETWEEN = '\u001e';
const WITHIN = '\u001f';

const columns = [
  'merchant_id',
  'environment',
  'id',
  'product',
  'network',
  'provider',
  'status',
  'reason',
  'face_value',
  'recipient',
  'provider_references',
  'tokens',
] as const;

type Column = (typeof columns)[number];

/** Few enough that nobody waits for long behind the statement that reads them. */
const READ_AT_ONCE = 512;

/** Each column as one text: to take rows apart would cost more than all the rest. */
const joined = columns
  .map((column) => `coalesce(string_agg(${column}, chr(30)), '') as ${column}`)
  .join(',\n        ');

/** Where purchases that are read at once begin, in the order of their times. */
type Place = { readonly at: string; readonly id: string };

/** Purchases of a time, from one place to the next. */
export type VendSlice = { readonly from: Place; readonly to: Place | undefined; readonly before: string };

/**
 * The purchases of a span in slices, and these in as few parts as there can be with `most`
 * purchases each, of nearly the same size.
 */
export async function sliceFinalVends(
  tx: Tx,
  span: { readonly from: string; readonly to: string },
  most: number,
): Promise<VendSlice[][]> {
  const slicesEach = Math.ceil(most / READ_AT_ONCE);
  const places = await tx.query<Place & { part: number }>(
    `select at::text as at, vend_id as id, (slice / $4)::integer as part
     from (
       select at, vend_id, slice, lag(slice) over (order by at, vend_id) as before
       from (
         select
           at,
           vend_id,
           (row_number() over (order by at, vend_id) - 1)
             * ((count(*) over () + $3 - 1) / $3 * $4)
             / count(*) over () as slice
         from vend_outcomes
         where at >= $1
         and at < $2
       ) as final
     ) as placed
     where slice is distinct from before
     order by at, vend_id`,
    [span.from, span.to, most, slicesEach],
  );
  const parts: VendSlice[][] = [];
  for (const [index, { part, ...from }] of places.entries()) {
    parts[part] ??= [];
    parts[part].push({ from, to: places[index + 1], before: span.to });
  }
  return parts;
}

/** In no order. Of those that are there still. */
export async function readFinalVends(tx: Tx, { from, to, before }: VendSlice): Promise<IndexedVend[]> {
  const [row] = await tx.query<Record<Column, string>>(
    {
      name: 'read_final_vends',
      text: `
        select
        ${joined}
        from (
          select
            v.merchant_id::text,
            v.environment,
            v.id::text,
            v.product,
            v.network,
            coalesce(o.provider, '') as provider,
            o.status,
            o.reason,
            v.face_value::text,
            v.recipient,
            (
              select coalesce(string_agg(translate(provider_id, chr(30) || chr(31), ''), chr(31)), '')
              from provider_answers a
              where a.merchant_id = o.merchant_id
              and a.vend_id = o.vend_id
              and a.provider_id is not null
            ) as provider_references,
            concat_ws(
              chr(31),
              o.goods->>'token',
              o.goods->>'bonus_token',
              o.goods->>'kct1',
              o.goods->>'kct2'
            ) as tokens
          from vend_outcomes o
          join vends v
            on v.merchant_id = o.merchant_id
            and v.environment = o.environment
            and v.id = o.vend_id
          -- The first two by the index on the time.
          where o.at >= $1
          and o.at <= $3
          and (o.at, o.vend_id) >= ($1, $2)
          and (o.at, o.vend_id) < ($3, $4)
        ) as final`,
    },
    [from.at, from.id, to?.at ?? before, to?.id ?? leastId],
  );
  return row === undefined || row.id === '' ? [] : takeVends(row);
}

function takeVends(slice: Readonly<Record<Column, string>>): IndexedVend[] {
  const split = (column: Column): string[] => slice[column].split(BETWEEN);
  const environments = split('environment');
  const products = split('product');
  const networks = split('network');
  const providers = split('provider');
  const statuses = split('status');
  const reasons = split('reason');
  const faceValues = split('face_value');
  const recipients = split('recipient');
  const references = split('provider_references');
  const tokens = split('tokens');
  const merchantIds = split('merchant_id');
  return split('id').map((id, index) => ({
    id,
    merchantId: Number(merchantIds[index]),
    environment: environments[index] as Environment,
    product: products[index] ?? '',
    network: networks[index] ?? '',
    provider: providers[index] ?? '',
    status: statuses[index] ?? '',
    reason: reasons[index] ?? '',
    faceValue: BigInt(faceValues[index] ?? '0'),
    recipient: recipients[index] ?? '',
    providerReferences: valuesOf(references[index]),
    tokens: valuesOf(tokens[index]),
  }));
}

function valuesOf(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : [...new Set(text.split(WITHIN))];
}
