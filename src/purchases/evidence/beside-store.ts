/**
 * SQL of all events at a provider, other than the order in question, that may have moved our
 * balance.
 */
import { expectedCost } from '../../catalog/margins/expected-cost.ts';
import type { Sql } from '../../db/database.ts';
import { type OtherMovement, REFUND_MS } from './explain-balance.ts';
import { type Attempt, orderName } from './reading-store.ts';

type SentRow = {
  merchant_id: number;
  purchase_id: string;
  attempt: number;
  started_ms: number;
  environment: 'live' | 'test';
  product: string;
  network: string;
  plan_code: string | null;
  face_value: bigint;
  known_amount: bigint | null;
  known_cost: bigint | null;
  status: 'success' | 'failed' | null;
  /** The outcome is about this attempt. */
  decides: boolean | null;
  answer_kind: string | null;
  cost: bigint | null;
  cost_estimated: boolean | null;
  ended_ms: number | null;
  /** It is the current attempt of a pending purchase. */
  is_open: boolean;
};

/** More orders in a day than this are not compared. */
const ORDERS_MAX = 2_000;

export type Beside = {
  /** The attempt itself. */
  readonly own: { readonly fromMs: number; readonly costs: readonly bigint[] };
  readonly others: readonly OtherMovement[];
};

/**
 * Reads everything at the provider that may have moved the balance between two times. Undefined:
 * there are too many movements to compare.
 */
export async function listBeside(
  sql: Sql,
  attempt: Attempt,
  provider: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<Beside | undefined> {
  const times = [provider, fromMs - 2 * REFUND_MS, toMs];
  // Each part is limited separately, so that a busy account costs no more than the rows that count.
  const rows = await sql.query<SentRow>(
    `with found as (
       (
         select merchant_id, purchase_id, number
         from attempts
         where provider = $1
         and started_at between to_timestamp($2::float8 / 1000) and to_timestamp($3::float8 / 1000)
         limit $4
       )
       union
       (
         select merchant_id, purchase_id, attempts
         from pending_purchases
         where provider = $1
         and step = 'query'
         limit $4
       )
       union
       (
         select merchant_id, purchase_id, attempt
         from purchase_outcomes
         where provider = $1
         and at between to_timestamp($2::float8 / 1000) and to_timestamp($3::float8 / 1000)
         limit $4
       )
     )
     select
       a.merchant_id,
       a.purchase_id,
       a.number as attempt,
       extract(epoch from a.started_at)::float8 * 1000 as started_ms,
       v.environment,
       v.product,
       v.network,
       v.plan_code,
       v.face_value,
       k.amount as known_amount,
       k.cost as known_cost,
       o.status,
       o.attempt = a.number as decides,
       o.answer_kind,
       o.cost,
       o.cost_estimated,
       extract(epoch from o.at)::float8 * 1000 as ended_ms,
       coalesce(p.step = 'query' and p.attempts = a.number, false) as is_open
     from found f
     join attempts a
       on a.merchant_id = f.merchant_id
       and a.purchase_id = f.purchase_id
       and a.number = f.number
       and a.provider = $1
     join purchases v
       on v.merchant_id = a.merchant_id
       and v.environment = any(array['live', 'test'])
       and v.id = a.purchase_id
     left join purchase_outcomes o
       on o.merchant_id = a.merchant_id
       and o.purchase_id = a.purchase_id
     left join pending_purchases p
       on p.merchant_id = a.merchant_id
       and p.purchase_id = a.purchase_id
     left join known_costs k
       on k.environment = v.environment
       and k.product = v.product
       and k.network = v.network
       and k.provider = $1
       and k.plan_code = coalesce(v.plan_code, '')
       and k.currency = 'NGN'
     where (select count(*) from found) < $4`,
    [...times, ORDERS_MAX + 1],
  );
  const own = orderName(attempt);
  const isOwn = (row: SentRow): boolean => nameOf(row) === own;
  const found = rows.find(isOwn);
  if (found === undefined) return undefined;
  const money = await sql.query<{ id: string; amount: bigint; from_ms: number | null }>(
    `select id::text, case kind when 'top_up' then -amount else amount end as amount,
       extract(epoch from moved_at - interval '1 hour')::float8 * 1000 as from_ms
     from float_movements
     where provider = $1
     and moved_at between to_timestamp($2::float8 / 1000) and to_timestamp($3::float8 / 1000) + interval '1 hour'
     union all
     select r.refund_id::text, -r.amount, null
     from purchase_refunds r
     join purchase_outcomes o
       on o.merchant_id = r.merchant_id
       and o.purchase_id = r.purchase_id
     where r.kind = 'provider'
     and o.provider = $1
     and r.at >= to_timestamp($2::float8 / 1000)`,
    times,
  );
  return {
    own: { fromMs: found.started_ms, costs: costsOf(found, provider) },
    others: [
      ...rows.filter((row) => !isOwn(row)).flatMap((row) => movementOf(row, provider)),
      ...money.map(
        ({ id, amount, from_ms: at }): OtherMovement => ({
          order: id,
          fromMs: at ?? Number.NEGATIVE_INFINITY,
          toMs: Number.POSITIVE_INFINITY,
          costs: [amount],
          kind: 'open',
        }),
      ),
    ],
  };
}

function nameOf({ merchant_id: merchantId, purchase_id: purchaseId, attempt: attempts }: SentRow): string {
  return orderName({ merchantId, purchaseId, attempts });
}

function movementOf(row: SentRow, provider: string): readonly OtherMovement[] {
  const { status, decides, answer_kind: answer, ended_ms: ended, is_open: isOpen, cost } = row;
  if (status === 'failed' && decides && answer === 'not_sent') return [];
  const isDelivered = status === 'success' && decides === true;
  const isExact = isDelivered && cost !== null && row.cost_estimated === false;
  return [
    {
      order: nameOf(row),
      fromMs: row.started_ms,
      toMs: ended ?? Number.POSITIVE_INFINITY,
      costs: isExact
        ? [cost]
        : [...new Set([...costsOf(row, provider), ...(isDelivered && cost ? [cost] : [])])],
      kind: isDelivered ? 'certain' : isOpen ? 'open' : 'refused',
    },
  ];
}

/** The possible costs of an order: its face value, or an earlier charge of the provider. */
function costsOf(row: SentRow, provider: string): readonly bigint[] {
  const { environment, product, network, plan_code: planCode, face_value: faceValue } = row;
  const { known_amount: amount, known_cost: cost } = row;
  if (amount === null || cost === null) return [faceValue];
  const place = { environment, product, network, provider, currency: 'NGN' } as const;
  const known = { ...place, planCode: planCode ?? '', amount, cost };
  const isFixed = planCode !== null;
  const ordered = { planCode: known.planCode, currency: 'NGN', amount: faceValue, isFixed } as const;
  const expected = expectedCost([known], provider, ordered)?.cost;
  return [...new Set([faceValue, ...(expected !== undefined && expected > 0n ? [expected] : [])])];
}
