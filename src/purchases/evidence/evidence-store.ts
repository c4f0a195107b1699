/** SQL of the conclusions about an attempt from a balance. */
import type { Sql } from '../../db/database.ts';
import type { BalanceVerdict } from './explain-balance.ts';
import type { Attempt } from './reading-store.ts';

export type StoredVerdict = {
  readonly verdict: BalanceVerdict['verdict'];
  readonly why: string;
  readonly cost: bigint | null;
};

type AttemptRow = { verdict: StoredVerdict['verdict'] | null; started_ms: number } & Pick<
  StoredVerdict,
  'why' | 'cost'
>;

/** `startedMs` is null for an attempt that is not stored. */
export async function findVerdict(
  sql: Sql,
  { merchantId, purchaseId, attempts }: Attempt,
): Promise<{ readonly startedMs: number | null; readonly stored: StoredVerdict | undefined }> {
  const [row] = await sql.query<AttemptRow>(
    `select e.verdict, e.why, e.cost, extract(epoch from a.started_at)::float8 * 1000 as started_ms
     from attempts a
     left join balance_evidence e
       on e.merchant_id = a.merchant_id
       and e.purchase_id = a.purchase_id
       and e.attempt = a.number
     where a.merchant_id = $1
     and a.purchase_id = $2
     and a.number = $3`,
    [merchantId, purchaseId, attempts],
  );
  if (row === undefined) return { startedMs: null, stored: undefined };
  const { started_ms: startedMs, verdict, why, cost } = row;
  return { startedMs, stored: verdict === null ? undefined : { verdict, why, cost } };
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
