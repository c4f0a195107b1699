/** The SQL that reads the final purchases of a time, for the segments of the search. */
import type { Tx } from '../../db/database.ts';
import type { Environment } from '../../kernel/environment.ts';
import type { Steps } from '../../kernel/in-steps.ts';
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

const TAKEN_AT_ONCE = 1_024;

/** Each column as one text: to take rows apart would cost more than all the rest. */
const joined = columns.map((column) => `string_agg(${column}, chr(30)) as ${column}`).join(',\n       ');

/**
 * In as few parts as there can be with `most` purchases each, of nearly the same size, in the order
 * of their time. The purchases of a part are in no order.
 */
export async function readFinalVends(
  tx: Tx,
  span: { readonly from: string; readonly to: string },
  most: number,
): Promise<Steps<IndexedVend[]>[]> {
  const parts = await tx.query<Record<Column, string>>(
    `select ${joined}
     from (
       select
         o.part,
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
         select
           merchant_id, environment, vend_id, provider, status, reason, goods,
           (row_number() over (order by at, vend_id) - 1) * ((count(*) over () + $3 - 1) / $3) / count(*) over () as part
         from vend_outcomes
         where at >= $1
         and at < $2
       ) as o
       join vends v
         on v.merchant_id = o.merchant_id
         and v.environment = o.environment
         and v.id = o.vend_id
     ) as final
     group by part
     order by part`,
    [span.from, span.to, most],
  );
  return parts.map(takeVends);
}

function* takeVends(part: Readonly<Record<Column, string>>): Steps<IndexedVend[]> {
  const split = (column: Column): string[] => part[column].split(BETWEEN);
  const ids = split('id');
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
  const vends: IndexedVend[] = [];
  for (const [index, id] of ids.entries()) {
    if (index % TAKEN_AT_ONCE === 0) yield;
    vends.push({
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
    });
  }
  return vends;
}

function valuesOf(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : [...new Set(text.split(WITHIN))];
}
