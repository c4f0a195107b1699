/**
 * Orders at providers that return no reference of ours, so that an order is found only by
 * recipient, plan and amount (`oneAlike` of src/providers/provider.ts).
 *
 * Guarantees: an order to such a provider is sent only after its row is committed. Among equal
 * orders at an account and its upstream, at most one is unsettled. An order is never sent while the
 * record of an equal order can still appear and be mistaken for its own. A pending attempt without
 * a row was never sent, after any crash, unless the database was restored.
 */
import { createHash } from 'node:crypto';
import type { Queries, Sql, Tx } from '../../db/database.ts';
import type { OneAlike, Provider } from '../../providers/provider.ts';
import { type PurchaseInHand, toOrder } from '../state/purchase-in-hand.ts';

/** The known facts about the orders that are similar to a queried one. */
type AlikeStanding = {
  /** Whether the order may have been sent. */
  readonly isClaimed: boolean;
  /** The provider's ids of other orders like it. */
  readonly otherIds: readonly string[];
};

/** The account that an order is sent to. */
export type AlikeAccount = Pick<Provider, 'name'> & { readonly oneAlike: OneAlike };

export type AlikeOrders = {
  /** Claims the right to send. Returns false while an equal order prevents it. */
  claim(purchase: PurchaseInHand, account: AlikeAccount): Promise<boolean>;
  find(purchase: PurchaseInHand, account: AlikeAccount): Promise<AlikeStanding>;
};

export function alikeOrders(database: Queries): AlikeOrders {
  return {
    claim: (purchase, account) => database.transaction((tx) => claimAlike(tx, purchase, account)),
    find: (purchase, account) => findAlike(database, purchase, account),
  };
}

async function claimAlike(tx: Tx, purchase: PurchaseInHand, account: AlikeAccount): Promise<boolean> {
  const alike = alikeOf(purchase, account);
  const { quietMs, recordMs } = account.oneAlike;
  // Held until the commit, so that the next claim sees this one.
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('alike:' || key, 0))
     from (
       select key
       from unnest($1::text[]) as key
       order by key
     ) as keys`,
    [alike],
  );
  await forgetSettled(tx);
  const { merchantId, purchaseId, attempts } = purchase;
  // A refusal without an id has no record: the provider refused the order before it accepted it.
  const rows = await tx.query(
    `insert into alike_orders (alike, merchant_id, purchase_id, attempt)
     select $1, $2, $3, $4
     where not exists (
       select 1
       from restore_locks
       where raised_at > now() - $6 * interval '1 millisecond'
     )
     and not exists (
       select 1
       from alike_orders other
       left join pending_purchases p
         on p.merchant_id = other.merchant_id
         and p.purchase_id = any(array[other.purchase_id])
       left join purchase_outcomes o
         on o.merchant_id = other.merchant_id
         and o.purchase_id = other.purchase_id
       where other.alike && $1::text[]
       and (other.merchant_id, other.purchase_id) <> ($2, $3)
       and (
         (p.step = 'query' and p.attempts = other.attempt)
         or o.at > now() - $5 * interval '1 millisecond'
         or (
           other.claimed_at > now() - $6 * interval '1 millisecond'
           and not exists (
             select 1
             from provider_answers said
             where said.merchant_id = other.merchant_id
             and said.purchase_id = other.purchase_id
             and said.attempt = other.attempt
             and (
               said.provider_id is not null
               or (said.kind in ('failed', 'not_sent') and said.source <> 'operator')
             )
           )
         )
       )
     )
     returning attempt`,
    [alike, merchantId, purchaseId, attempts, quietMs, recordMs],
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

async function findAlike(sql: Sql, purchase: PurchaseInHand, account: AlikeAccount): Promise<AlikeStanding> {
  const { merchantId, purchaseId, attempts } = purchase;
  const [row] = await sql.query<{ is_claimed: boolean; other_ids: string[] }>(
    `select
       exists (
         select 1
         from alike_orders
         where merchant_id = $1
         and purchase_id = $2
         and attempt = $3
       ) as is_claimed,
       array(
         select distinct said.provider_id
         from alike_orders other
         -- The answers to each attempt are found by key: there are few other attempts, and many
         -- answers.
         cross join lateral (
           select provider_id
           from provider_answers
           where merchant_id = other.merchant_id
           and purchase_id = other.purchase_id
           and attempt = other.attempt
           and provider_id is not null
           offset 0
         ) said
         where other.alike && $4::text[]
         and (other.merchant_id, other.purchase_id) <> ($1, $2)
       ) as other_ids`,
    [merchantId, purchaseId, attempts, alikeOf(purchase, account)],
  );
  return { isClaimed: row?.is_claimed ?? false, otherIds: row?.other_ids ?? [] };
}

/**
 * Hashes, because a row outlives the masking of the recipient. An account whose address changes
 * keeps its name, and an account that is added again keeps its address.
 */
function alikeOf(purchase: PurchaseInHand, { name, oneAlike }: AlikeAccount): string[] {
  const likeness = oneAlike.likenessOf(toOrder(purchase, 0));
  return [`account ${name}`, `place ${oneAlike.place}`].map((where) =>
    createHash('sha256')
      .update(JSON.stringify([where, likeness]))
      .digest('hex'),
  );
}
