/** SQL of the conclusions about an attempt from a balance. */
import type { Sql } from '../../db/database.ts';
import type { BalanceVerdict } from './explain-balance.ts';
import type { Attempt } from './reading-store.ts';

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
