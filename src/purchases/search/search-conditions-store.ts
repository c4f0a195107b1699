/**
 * A filter of purchases as SQL, on a row `v` of `purchases`. The expressions for a purchase's state
 * come from the caller, because they depend on where it is read.
 */
import { kindsOf, productRecords } from '../../core/products/registry.ts';
import type { IdSpan, SearchFilter } from './search-filter.ts';

/** SQL expressions over the tables of a statement. */
export type StateColumns = {
  readonly status: string;
  readonly provider: string;
  readonly reason: string;
  readonly goods: string;
};

/** Parameters, numbered in the order in which they are bound. */
export class Parameters {
  readonly values: unknown[] = [];

  bind(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

/**
 * `and …` for each condition. `byProvider`: a reference is only compared with the provider's own.
 * The others are looked up by their indexes.
 */
export function conditionsOf(
  filter: SearchFilter,
  { atLeast, before }: IdSpan,
  columns: StateColumns,
  parameters: Parameters,
  byProvider = false,
): string {
  const { merchantId, environment, products, network, kind, provider, status, reason } = filter;
  const { amountMin, amountMax, recipients, reference, token } = filter;
  const bind = (value: unknown, type: string): string => parameters.bind(value, type);
  const conditions = [
    merchantId === undefined ? '' : `v.merchant_id = ${bind(merchantId, 'integer')}`,
    environment === undefined ? '' : `v.environment = ${bind(environment, 'text')}`,
    products === undefined ? '' : `v.product = any(${bind(products, 'text[]')})`,
    network === undefined ? '' : `v.network = ${bind(network, 'text')}`,
    kind === undefined ? '' : `${kindOfRow} = ${bind(kind, 'text')}`,
    provider === undefined ? '' : `${columns.provider} = ${bind(provider, 'text')}`,
    status === undefined ? '' : `${columns.status} = ${bind(status, 'text')}`,
    reason === undefined ? '' : `${columns.reason} = ${bind(reason, 'text')}`,
    amountMin === undefined ? '' : `v.face_value >= ${bind(amountMin, 'bigint')}`,
    amountMax === undefined ? '' : `v.face_value <= ${bind(amountMax, 'bigint')}`,
    recipients === undefined ? '' : `v.recipient = any(${bind(recipients, 'text[]')})`,
    atLeast === undefined ? '' : `v.id >= ${bind(atLeast, 'uuid')}`,
    before === undefined ? '' : `v.id < ${bind(before, 'uuid')}`,
    token === undefined ? '' : hasToken(columns.goods, bind(token, 'text')),
    reference === undefined ? '' : hasReference(bind(reference, 'text'), byProvider),
  ];
  return conditions
    .filter((condition) => condition !== '')
    .map((condition) => `and ${condition}`)
    .join('\n');
}

/** The kind of a purchase without a plan that names none. */
const usualKinds = productRecords
  .filter(({ plans }) => plans === 'none')
  .map(({ name }) => `when '${name}' then '${kindsOf(name)[0]}'`)
  .join(' ');

/** Looked up by key, because the other tables of a search do not have it. */
const kindOfRow = `(
    select coalesce(k.details->>'kind', case k.product ${usualKinds} end)
    from purchases k
    where k.merchant_id = v.merchant_id
    and k.environment = v.environment
    and k.id = v.id
  )`;

function hasToken(goods: string, token: string): string {
  return `(
    ${token} in (${goods}->>'token', ${goods}->>'bonus_token', ${goods}->>'kct1', ${goods}->>'kct2')
    or exists (
      select
      from purchase_goods g
      where g.merchant_id = v.merchant_id
      and g.purchase_id = v.id
      and ${token} in (g.goods->>'token', g.goods->>'bonus_token', g.goods->>'kct1', g.goods->>'kct2')
    )
  )`;
}

function hasReference(reference: string, byProvider: boolean): string {
  const own = `exists (
      select
      from provider_answers a
      where a.merchant_id = v.merchant_id
      and a.purchase_id = v.id
      and a.provider_id = ${reference}
      -- Looked up by key, and not joined: the planner would read the whole view.
      offset 0
    )`;
  if (byProvider) return own;
  return `(
    v.reference = ${reference}
    or v.id::text = lower(${reference})
    or exists (
      select
      from attempts t
      where t.merchant_id = v.merchant_id
      and t.purchase_id = v.id
      and t.reference = ${reference}
    )
    or ${own}
  )`;
}
