/** The SQL of late goods: final vends whose goods are still asked for. */
import type { Sql, Tx } from '../../db/database.ts';
import type { Environment } from '../../kernel/environment.ts';
import type { Goods } from '../../providers/provider.ts';
import type { VendDetails } from '../vend/vend-details.ts';
import type { VendInHand } from '../vend/vend-in-hand.ts';

type LateGoodsRow = {
  merchant_id: number;
  environment: Environment;
  vend_id: string;
  wallet_id: bigint;
  charge: bigint;
  queries: number;
  age_ms: bigint;
  product: string;
  network: string;
  recipient: string;
  face_value: bigint;
  route: string;
  details: VendDetails | null;
  attempt: number;
  attempt_provider: string;
  attempt_reference: string;
  attempt_age_ms: bigint;
};

const claimStatement = { name: 'claim_late_goods', text: 'select * from claim_late_goods($1, $2)' };

/** Takes what is due, for `leaseMs`. */
export async function claimLateGoods(
  sql: Sql,
  options: { readonly limit: number; readonly leaseMs: number; readonly takenAtMs: number },
): Promise<VendInHand[]> {
  const rows = await sql.query<LateGoodsRow>(claimStatement, [options.limit, options.leaseMs]);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    environment: row.environment,
    vendId: row.vend_id,
    walletId: row.wallet_id,
    product: row.product,
    network: row.network,
    recipient: row.recipient,
    faceValue: row.face_value,
    charge: row.charge,
    route: row.route.split(','),
    details: row.details ?? undefined,
    attempts: row.attempt,
    queries: row.queries,
    notFound: 0,
    flagged: true,
    final: true,
    ageMs: Number(row.age_ms),
    attempt: {
      provider: row.attempt_provider,
      reference: row.attempt_reference,
      ageMs: Number(row.attempt_age_ms),
    },
    takenAtMs: options.takenAtMs,
  }));
}

type VendId = { readonly merchantId: number; readonly vendId: string };

/** Of these vends, asks no further for goods owed for longer than `ageMaxMs`, and raises an alarm for each. Gives how many. */
export async function giveUpLateGoods(sql: Sql, vends: readonly VendId[], ageMaxMs: number): Promise<number> {
  const rows = await sql.query(
    {
      name: 'give_up_late_goods',
      text: `
        with over as (
          delete from late_goods l
          using unnest($1::integer[], $2::uuid[]) as w(merchant_id, vend_id)
          where l.merchant_id = w.merchant_id
          and l.vend_id = w.vend_id
          and l.created_at < now() - $3 * interval '1 millisecond'
          returning l.merchant_id, l.vend_id, l.queries
        )
        insert into alarms (kind, merchant_id, vend_id, message)
        select
          'goods_lost',
          merchant_id,
          vend_id,
          format('the provider has not said in %s questions what it delivered, and is not asked any more: its support has it; add it by "oja vend goods %s"', queries, vend_id)
        from over
        returning id`,
    },
    [vends.map((vend) => vend.merchantId), vends.map((vend) => vend.vendId), ageMaxMs],
  );
  return rows.length;
}

export type GoodsState = {
  /** Null while it is pending. */
  readonly status: 'success' | 'failed' | null;
  /** The product brings a token. */
  readonly owed: boolean;
  /** They came: with the outcome, or later. */
  readonly has_goods: boolean;
};

export async function findGoodsState(
  tx: Tx,
  { merchantId, vendId }: VendId,
): Promise<GoodsState | undefined> {
  const [row] = await tx.query<GoodsState>(
    `select
       o.status,
       v.details->>'goodsOwed' is not null or l.vend_id is not null as owed,
       g.vend_id is not null or coalesce(o.goods ?| array['token', 'payment_spent_on'], false) as has_goods
     from vends v
     left join vend_outcomes o
       on o.merchant_id = v.merchant_id
       and o.vend_id = v.id
     left join vend_goods g
       on g.merchant_id = v.merchant_id
       and g.vend_id = v.id
     left join late_goods l
       on l.merchant_id = v.merchant_id
       and l.vend_id = v.id
     where v.merchant_id = $1
     and v.id = $2`,
    [merchantId, vendId],
  );
  return row;
}

/** False when others came first. They are not asked for any more either way. */
export async function insertLateGoods(
  tx: Tx,
  { merchantId, vendId }: VendId,
  goods: Goods,
): Promise<boolean> {
  // First, as an answer does: of the two that come together, the second waits here and finds the goods there.
  await tx.query(
    `delete from late_goods
     where merchant_id = $1
     and vend_id = $2`,
    [merchantId, vendId],
  );
  const rows = await tx.query(
    `insert into vend_goods (merchant_id, vend_id, goods)
     values ($1, $2, $3)
     on conflict (merchant_id, vend_id) do nothing
     returning vend_id`,
    [merchantId, vendId, JSON.stringify(goods)],
  );
  return rows.length > 0;
}
