/** SQL of balances at providers: read ones, and those in replies to orders. */
import type { Sql } from '../../db/database.ts';
import type { PurchaseInHand } from '../state/purchase-in-hand.ts';
import { type BalanceReading, BEFORE_MS, REFUND_MS, UNMOVED_MS } from './explain-balance.ts';

export type Attempt = Pick<PurchaseInHand, 'merchantId' | 'purchaseId' | 'attempts'>;

/** The name of an attempt in the rule. */
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

/** A balance in the reply to an order. `isAfter` is undefined if that is uncertain. */
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
 * Reads the last balance before an attempt, and one for each ten minutes of the day after it.
 * Leaves out readings of another account, and readings from the other side of a change of
 * credentials.
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
