/** The stored state of a merchant, read at one moment. */
import type { Sql } from '../../src/db/database.ts';
import type { BatchState } from '../../src/purchases/batches/batch.ts';
import type { Buyer } from '../purchases/fixture.ts';

export type Stored = StoredMoney & {
  readonly purchases: readonly StoredPurchase[];
  readonly batches: readonly StoredBatch[];
};

export async function readStored(sql: Sql, { merchantId, walletId }: Buyer): Promise<Stored> {
  const [purchases, batches, money] = await Promise.all([
    readStoredPurchases(sql, merchantId),
    readStoredBatches(sql, merchantId),
    readStoredMoney(sql, walletId),
  ]);
  return { purchases, batches, ...money };
}

type StoredAnswer = {
  readonly attempt: number;
  readonly source: string;
  readonly kind: string;
  /** It came before the outcome, or there is no outcome. */
  readonly before: boolean;
};

export type StoredPurchase = {
  readonly id: string;
  readonly reference: string;
  readonly mode: 'sync' | 'async';
  readonly face_value: bigint;
  readonly charge: bigint;
  readonly product: string;
  readonly recipient: string;
  /** Its goods. */
  readonly token: string | null;
  /** By the clock of the database. */
  readonly final_at_ms: number | null;
  readonly status: 'success' | 'failed' | null;
  readonly reason: string | null;
  /** The number of the attempt whose answer ended it. */
  readonly ended_by: number | null;
  readonly is_pending: boolean;
  readonly flagged: boolean;
  /** The wallet's payment for it, by its transfers. */
  readonly paid: bigint;
  readonly refunded: bigint;
  /** Events of its final state, in the merchant's feed. */
  readonly told: number;
  /** Our references at the providers, one for each attempt. */
  readonly attempts: readonly string[];
  readonly answers: readonly StoredAnswer[];
};

async function readStoredPurchases(sql: Sql, merchantId: number): Promise<StoredPurchase[]> {
  return await sql.query<StoredPurchase>(
    {
      name: 'simulation_purchases',
      text: `
        select
          v.id,
          v.reference,
          v.mode,
          v.face_value,
          v.charge,
          v.product,
          v.recipient,
          coalesce(o.goods->>'token', g.goods->>'token') as token,
          (extract(epoch from o.at) * 1000)::float8 as final_at_ms,
          o.status,
          o.reason,
          o.attempt as ended_by,
          p.purchase_id is not null as is_pending,
          coalesce(p.flagged_at is not null, false) as flagged,
          coalesce((
            select sum(case when t.debit_account_id = v.wallet_id then t.amount else -t.amount end)
            from transfers t
            where t.merchant_id = v.merchant_id
            and t.subject_id = v.id
            and v.wallet_id in (t.debit_account_id, t.credit_account_id)
          ), 0)::bigint as paid,
          coalesce((
            select sum(r.amount)
            from purchase_refunds r
            where r.merchant_id = v.merchant_id
            and r.purchase_id = v.id
            and r.kind = 'merchant'
          ), 0)::bigint as refunded,
          (
            select count(*)::integer
            from events e
            where e.merchant_id = v.merchant_id
            and e.purchase_id = v.id
            and e.type in ('purchase.failed', 'purchase.succeeded')
          ) as told,
          array(
            select a.reference
            from attempts a
            where a.merchant_id = v.merchant_id
            and a.purchase_id = v.id
            order by a.number
          ) as attempts,
          coalesce((
            select jsonb_agg(
              jsonb_build_object(
                -- By its transaction: the clock of the database may have been set back since.
                'attempt', s.attempt, 'source', s.source, 'kind', s.kind,
                'before', o.at is null or s.stored_by < o.xmin::text::bigint
              )
              order by s.at
            )
            from (
              select merchant_id, purchase_id, attempt, source, kind, at, xmin::text::bigint as stored_by
              from further_answers
              union all
              select merchant_id, purchase_id, attempt, answer_source, answer_kind, at, xmin::text::bigint
              from purchase_outcomes
              where answer_kind is not null
            ) s
            where s.merchant_id = v.merchant_id
            and s.purchase_id = v.id
          ), '[]') as answers
        from purchases v
        left join purchase_outcomes o
          on o.merchant_id = v.merchant_id
          and o.purchase_id = v.id
        left join purchase_goods g
          on g.merchant_id = v.merchant_id
          and g.purchase_id = v.id
        left join pending_purchases p
          on p.merchant_id = v.merchant_id
          and p.purchase_id = v.id
        where v.merchant_id = $1
        order by v.created_at, v.id`,
    },
    [merchantId],
  );
}

export type StoredBatch = {
  readonly id: string;
  readonly hash: string;
  readonly state: BatchState;
  readonly next_line: number;
  /** The lines whose purchase could not be stored. */
  readonly refused: readonly number[];
};

async function readStoredBatches(sql: Sql, merchantId: number): Promise<StoredBatch[]> {
  return await sql.query<StoredBatch>(
    {
      name: 'simulation_batches',
      text: `
        select
          b.id,
          b.hash,
          b.state,
          b.next_line,
          array(
            select r.line
            from batch_rows r
            where r.merchant_id = b.merchant_id
            and r.batch_id = b.id
            and r.refused_with is not null
          ) as refused
        from batches b
        where b.merchant_id = $1`,
    },
    [merchantId],
  );
}

export type StoredWallet = {
  readonly posted: bigint;
  readonly held: bigint;
  readonly floor: bigint;
  readonly transferred: bigint;
  /** The charges of pending purchases. */
  readonly pending: bigint;
};

export type StoredDeposit = {
  readonly id: string;
  readonly reference: string;
  readonly gross: bigint;
  readonly fee: bigint;
};

type StoredMoney = {
  readonly wallet: StoredWallet | undefined;
  readonly deposits: readonly StoredDeposit[];
};

async function readStoredMoney(sql: Sql, accountId: bigint): Promise<StoredMoney> {
  const rows = await sql.query<StoredWallet & { [Key in keyof StoredDeposit]: StoredDeposit[Key] | null }>(
    {
      name: 'simulation_money',
      text: `
        select
          d.id,
          d.provider_reference as reference,
          d.gross,
          d.fee,
          w.posted,
          w.held,
          w.floor,
          coalesce((
            select sum(case when t.credit_account_id = w.account_id then t.amount else -t.amount end)
            from transfers t
            where t.merchant_id = w.merchant_id
            and w.account_id in (t.credit_account_id, t.debit_account_id)
          ), 0)::bigint as transferred,
          coalesce((
            select sum(p.charge)
            from pending_purchases p
            where p.merchant_id = w.merchant_id
            and p.wallet_id = w.account_id
          ), 0)::bigint as pending
        from wallets w
        left join deposits d
          on d.merchant_id = w.merchant_id
        where w.account_id = $1`,
    },
    [accountId],
  );
  const deposits = rows.flatMap(({ id, reference, gross, fee }) =>
    id === null || reference === null || gross === null || fee === null
      ? []
      : [{ id, reference, gross, fee }],
  );
  return { wallet: rows[0], deposits };
}
