/**
 * Orders at providers that return no reference of ours, so that an order is found by recipient,
 * plan and amount only (`oneAlike` of src/providers/provider.ts).
 *
 * Guarantees: an order of such a provider leaves only after its row is committed. At most one of
 * the orders that are alike at an account is unsettled. A pending attempt without a row was never
 * sent, whatever died, unless the database was restored since.
 */
import { createHash } from 'node:crypto';
import type { Queries, Sql, Tx } from '../../db/database.ts';
import type { PurchaseInHand } from '../state/purchase-in-hand.ts';

/** What is known of the orders like one that is queried. */
type AlikeStanding = {
  /** Whether the order may have left. */
  readonly isClaimed: boolean;
  /** The provider's ids of other orders like it. */
  readonly otherIds: readonly string[];
};

export type AlikeOrders = {
  /**
   * Claims the right to send. False while an order like it is unsettled, or was settled less than
   * `quietMs` ago.
   */
  claim(purchase: PurchaseInHand, place: AlikePlace): Promise<boolean>;
  find(purchase: PurchaseInHand): Promise<AlikeStanding>;
};

type AlikePlace = {
  /** Our account at the provider, or the provider's name where it has none. */
  readonly account: string;
  readonly quietMs: number;
};

export function alikeOrders(database: Queries): AlikeOrders {
  return {
    claim: (purchase, place) => database.transaction((tx) => claimAlike(tx, purchase, place)),
    find: (purchase) => findAlike(database, purchase),
  };
}

async function claimAlike(
  tx: Tx,
  purchase: PurchaseInHand,
  { account, quietMs }: AlikePlace,
): Promise<boolean> {
  const alike = alikeOf(purchase, account);
  // Until the commit: the next claim sees this one.
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`alike:${alike}`]);
  await forgetSettled(tx);
  const { merchantId, purchaseId, attempts } = purchase;
  const rows = await tx.query(
    `insert into alike_orders (alike, merchant_id, purchase_id, attempt)
     select $1, $2, $3, $4
     where not exists (
       select 1
       from alike_orders other
       left join pending_purchases p
         on p.merchant_id = other.merchant_id
         and p.purchase_id = any(array[other.purchase_id])
       left join purchase_outcomes o
         on o.merchant_id = other.merchant_id
         and o.purchase_id = other.purchase_id
       where other.alike = $1
       and (other.merchant_id, other.purchase_id) <> ($2, $3)
       and (
         (p.step = 'query' and p.attempts = other.attempt)
         or o.at > now() - $5 * interval '1 millisecond'
       )
     )
     returning attempt`,
    [alike, merchantId, purchaseId, attempts, quietMs],
  );
  return rows.length > 0;
}

/** Deletes a few old rows, so that no job is needed. */
async function forgetSettled(tx: Tx): Promise<void> {
  await tx.query(`
    delete from alike_orders
    where (merchant_id, purchase_id, attempt) in (
      select old.merchant_id, old.purchase_id, old.attempt
      from alike_orders old
      where old.claimed_at < now() - interval '2 days'
      and not exists (
        select 1
        from pending_purchases p
        where p.merchant_id = old.merchant_id
        and p.purchase_id = old.purchase_id
      )
      order by old.claimed_at
      limit 5
      for update skip locked
    )`);
}

async function findAlike(
  sql: Sql,
  { merchantId, purchaseId, attempts }: PurchaseInHand,
): Promise<AlikeStanding> {
  const [row] = await sql.query<{ other_ids: string[] }>(
    `select
       array(
         select distinct said.provider_id
         from alike_orders other
         join provider_answers said
           on said.merchant_id = other.merchant_id
           and said.purchase_id = other.purchase_id
           and said.attempt = other.attempt
         where other.alike = own.alike
         and (other.merchant_id, other.purchase_id) <> ($1, $2)
         and said.provider_id is not null
       ) as other_ids
     from alike_orders own
     where own.merchant_id = $1
     and own.purchase_id = $2
     and own.attempt = $3`,
    [merchantId, purchaseId, attempts],
  );
  return { isClaimed: row !== undefined, otherIds: row?.other_ids ?? [] };
}

/** A hash, because a row outlives the masking of the recipient. */
function alikeOf(purchase: PurchaseInHand, account: string): string {
  const { product, network, recipient, faceValue, details, attempt } = purchase;
  const codes = Object.entries(details?.planCodes?.[attempt.provider] ?? {}).toSorted();
  const text = JSON.stringify([account, product, network, recipient, String(faceValue), codes]);
  return createHash('sha256').update(text).digest('hex');
}
