/** The SQL that reads the final purchases of a time, for the segments of the search. */
import type { Tx } from '../../db/database.ts';
import type { Environment } from '../../kernel/environment.ts';
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

/** Each column as one text: to take rows apart would cost more than all the rest. */
const joined = columns.map((column) => `string_agg(${column}, chr(30)) as ${column}`).join(',\n       ');

/** In the order of their time. */
export async function readFinalVends(
  tx: Tx,
  span: { readonly from: string; readonly to: string },
): Promise<IndexedVend[]> {
  const [row] = await tx.query<Record<Column, string | null>>(
    `select ${joined}
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
       from (
         select merchant_id, environment, vend_id, provider, status, reason, goods, at
         from vend_outcomes
         where at >= $1
         and at < $2
         offset 0
       ) as o
       join vends v
         on v.merchant_id = o.merchant_id
         and v.environment = o.environment
         and v.id = o.vend_id
       order by o.at, o.vend_id
     ) as final`,
    [span.from, span.to],
  );
  return row?.id == null ? [] : toVends(row);
}

function toVends(row: Readonly<Record<Column, string | null>>): IndexedVend[] {
  const split = (column: Column): string[] => row[column]?.split(BETWEEN) ?? [];
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
