/** SQL of balances as evidence: readings, the movements beside an order, and what was concluded. */
import { expectedCost } from '../../catalog/margins/expected-cost.ts';
import type { Sql } from '../../db/database.ts';
import type { PurchaseInHand } from '../state/purchase-in-hand.ts';
import {
  type BalanceReading,
  type BalanceVerdict,
  BEFORE_MS,
  type OtherMovement,
  REFUND_MS,
  UNMOVED_MS,
} from './explain-balance.ts';

type Attempt = Pick<PurchaseInHand, 'merchantId' | 'purchaseId' | 'attempts'>;

/** Names an attempt in the rule. */
export function orderName({ merchantId, purchaseId, attempts }: Attempt): string {
  return `${merchantId}/${purchaseId}/${attempts}`;
}

/** A reading that ends now. */
export type NewReading = {
  readonly provider: string;
  readonly account: string | undefined;
  readonly amount: bigint;
  /** How long ago it began. */
  readonly tookMs: number;
};

/** Other processes read the same balance. */
const EVERY_MS = 20_000;

/** Stores a reading, unless another process has just stored one. Deletes old ones. */
export async function insertReading(
  sql: Sql,
  { provider, account, amount, tookMs }: NewReading,
): Promise<void> {
  await sql.query(
    `with old as (
       delete from balance_readings
       where provider = $1
       and at < now() - interval '8 days'
     )
     insert into balance_readings (provider, account, asked_at, amount)
     select $1, $2, clock_timestamp() - $3 * interval '1 millisecond', $4
     where not exists (
       select
       from balance_readings
       where provider = $1
       and at > now() - $5 * interval '1 millisecond'
       and purchase_id is null
     )`,
    [provider, account ?? null, tookMs, amount, EVERY_MS],
  );
}

/** A balance that the reply to an order told. `isAfter` is undefined where that is not sure. */
export type ToldBalance = { readonly amount: bigint; readonly isAfter: boolean | undefined };

export async function insertTold(
  sql: Sql,
  { merchantId, purchaseId, attempts }: Attempt,
  reading: Omit<NewReading, 'amount'>,
  told: readonly ToldBalance[],
): Promise<void> {
  await sql.query(
    `insert into balance_readings (
       provider, account, asked_at, amount, merchant_id, purchase_id, attempt, is_after
     )
     select
       $1, $2, clock_timestamp() - $3 * interval '1 millisecond', t.amount, $4, $5, $6, t.is_after
     from unnest($7::bigint[], $8::boolean[]) as t(amount, is_after)`,
    [
      reading.provider,
      reading.account ?? null,
      reading.tookMs,
      merchantId,
      purchaseId,
      attempts,
      told.map(({ amount }) => amount),
      told.map(({ isAfter }) => isAfter ?? null),
    ],
  );
}

type ReadingRow = {
  asked_ms: number;
  at_ms: number;
  amount: bigint;
  merchant_id: number | null;
  purchase_id: string | null;
  attempt: number | null;
  is_after: boolean | null;
};

const readingColumns = `
  r.id, r.amount, r.merchant_id, r.purchase_id, r.attempt, r.is_after,
  extract(epoch from r.asked_at)::float8 * 1000 as asked_ms,
  extract(epoch from r.at)::float8 * 1000 as at_ms`;

/**
 * Reads the last balance before an attempt, and one for each ten minutes of the day after it. Those
 * of another account, and those on the other side of a change of credentials, are left out.
 */
export async function listReadings(sql: Sql, attempt: Attempt): Promise<readonly BalanceReading[]> {
  const rows = await sql.query<ReadingRow>(
    `with own as (
       select provider, account, started_at
       from attempts
       where merchant_id = (select $1::integer)
       and purchase_id = $2
       and number = $3
     ),
     comparable as (
       select r.*, r.at < own.started_at as is_before
       from own
       join balance_readings r
         on r.provider = own.provider
         and r.account is not distinct from own.account
         and r.at between own.started_at - $4 * interval '1 millisecond'
           and own.started_at + $5 * interval '1 millisecond'
       where not exists (
         select
         from provider_credentials c
         where c.provider = own.provider
         and c.at between least(r.asked_at, own.started_at) and greatest(r.at, own.started_at)
       )
     )
     select asked_ms, at_ms, amount, merchant_id, purchase_id, attempt, is_after
     from (
       (
         select ${readingColumns}
         from comparable r
         where r.is_before
         order by r.at desc
         limit 20
       )
       union
       (
         select ${readingColumns}
         from comparable r
         where (r.merchant_id, r.purchase_id, r.attempt) = ($1, $2, $3)
       )
       union
       (
         select distinct on (floor(extract(epoch from r.asked_at) / 600)) ${readingColumns}
         from comparable r
         where not r.is_before
         order by floor(extract(epoch from r.asked_at) / 600), r.asked_at
       )
     ) r
     order by at_ms, is_after nulls last, id`,
    [attempt.merchantId, attempt.purchaseId, attempt.attempts, BEFORE_MS, UNMOVED_MS + 2 * REFUND_MS],
  );
  return rows.map(({ asked_ms: askedAtMs, at_ms: atMs, amount, ...told }) => ({
    askedAtMs,
    atMs,
    amount,
    told: toldOf(told),
  }));
}

function toldOf(row: Omit<ReadingRow, 'asked_ms' | 'at_ms' | 'amount'>): BalanceReading['told'] {
  const { merchant_id: merchantId, purchase_id: purchaseId, attempt: attempts, is_after: isAfter } = row;
  if (merchantId === null || purchaseId === null || attempts === null || isAfter === null) return undefined;
  return { order: orderName({ merchantId, purchaseId, attempts }), isAfter };
}

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
  /** It is the attempt that the outcome is about. */
  decides: boolean | null;
  answer_kind: string | null;
  cost: bigint | null;
  cost_estimated: boolean | null;
  ended_ms: number | null;
  /** It is the present attempt of a pending purchase. */
  is_open: boolean;
};

/** More orders in a day are not compared. */
const ORDERS_MAX = 2_000;

export type Beside = {
  /** The attempt itself. */
  readonly own: { readonly fromMs: number; readonly costs: readonly bigint[] } | undefined;
  readonly others: readonly OtherMovement[];
  /** There are too many to compare. */
  readonly isCut: boolean;
};

/** Reads everything at the provider that may have moved the balance between two times. */
export async function listBeside(
  sql: Sql,
  attempt: Attempt,
  provider: string,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<Beside> {
  const times = [provider, fromMs - 2 * REFUND_MS, toMs];
  const rows = await sql.query<SentRow>(
    `select
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
     from (
       select merchant_id, purchase_id, number
       from attempts
       where provider = $1
       and started_at between to_timestamp($2::float8 / 1000) and to_timestamp($3::float8 / 1000)
       union
       select merchant_id, purchase_id, attempts
       from pending_purchases
       where provider = $1
       and step = 'query'
       union
       select merchant_id, purchase_id, attempt
       from purchase_outcomes
       where provider = $1
       and at between to_timestamp($2::float8 / 1000) and to_timestamp($3::float8 / 1000)
       limit $4
     ) f
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
       and k.currency = 'NGN'`,
    [...times, ORDERS_MAX + 1],
  );
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
  const own = orderName(attempt);
  const isOwn = (row: SentRow): boolean => nameOf(row) === own;
  const found = rows.find(isOwn);
  return {
    own: found && { fromMs: found.started_ms, costs: costsOf(found, provider) },
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
    isCut: rows.length > ORDERS_MAX,
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

/** What an order may have cost: its face value, or as much as the provider took before. */
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

export type StoredVerdict = { readonly verdict: BalanceVerdict['verdict']; readonly cost: bigint | null };

export async function findVerdict(
  sql: Sql,
  { merchantId, purchaseId, attempts }: Attempt,
): Promise<StoredVerdict | undefined> {
  const [row] = await sql.query<StoredVerdict>(
    `select verdict, cost
     from balance_evidence
     where merchant_id = $1
     and purchase_id = $2
     and attempt = $3`,
    [merchantId, purchaseId, attempts],
  );
  return row;
}

/** Stores a conclusion, unless one that decides is stored. */
export async function storeVerdict(
  sql: Sql,
  { merchantId, purchaseId, attempts }: Attempt,
  { verdict, why, arithmetic }: BalanceVerdict,
): Promise<void> {
  const { before, after, others, cost, beside } = arithmetic ?? {};
  await sql.query(
    `insert into balance_evidence as e (
       merchant_id, purchase_id, attempt, verdict, why, before_amount, before_at, after_amount, after_at,
       others, cost, beside
     )
     values (
       $1, $2, $3, $4, $5, $6, to_timestamp($7::float8 / 1000), $8, to_timestamp($9::float8 / 1000),
       $10, $11, $12
     )
     on conflict (merchant_id, purchase_id, attempt) do update
     set
       verdict = excluded.verdict,
       why = excluded.why,
       before_amount = excluded.before_amount,
       before_at = excluded.before_at,
       after_amount = excluded.after_amount,
       after_at = excluded.after_at,
       others = excluded.others,
       cost = excluded.cost,
       beside = excluded.beside,
       at = excluded.at
     where e.verdict = 'undecided'`,
    [
      merchantId,
      purchaseId,
      attempts,
      verdict,
      why,
      before?.amount ?? null,
      before?.atMs ?? null,
      after?.amount ?? null,
      after?.atMs ?? null,
      others ?? null,
      cost ?? null,
      beside ?? null,
    ],
  );
}
