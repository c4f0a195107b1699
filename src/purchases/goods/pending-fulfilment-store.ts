/**
 * The SQL of pending fulfilments: final purchases whose provider is still queried for their goods.
 */

import type { Sql, Tx } from '../../db/database.ts';
import { type Claimed, defineQueue } from '../../db/queue/leased-queue.ts';
import { claimDue, settleItem } from '../../db/queue/queue-store.ts';
import { aside } from '../../db/queue/work-all.ts';
import type { Goods } from '../../providers/provider.ts';
import { findMoves, grownOlder, type Moved, unmoved } from '../engine/test-clock-store.ts';
import { type DeliveredRow, type PurchaseInHand, readDelivered } from '../state/purchase-in-hand.ts';

type PendingFulfilmentItem = { readonly merchant_id: number; readonly purchase_id: string };

/**
 * Idempotent: the first goods stay. The row is deleted when the goods come. The row of goods that
 * were given up stays and is never due.
 */
const pendingFulfilments = defineQueue<PendingFulfilmentItem, 'merchant_id' | 'purchase_id'>({
  table: 'pending_fulfilments',
  key: ['merchant_id', 'purchase_id'],
  columns: [],
  repeatable: true,
  deletes: false,
  // Longer than any lease, and than the wait between two queries.
});

/**
 * Brings the due times of a merchant's test purchases forward, and returns their number. Skips
 * those that a process is querying.
 */
export async function movePendingFulfilment(tx: Tx, merchantId: number, advanceS: number): Promise<number> {
  const rows = await tx.query(
    `update pending_fulfilments
     set due_at = greatest(due_at - $2 * interval '1 second', now())
     where merchant_id = $1
     and environment = 'test'
     and lease_id is null
     and due_at > now()
     returning 1`,
    [merchantId, advanceS],
  );
  return rows.length;
}

/** Whether a process is querying the goods of a test purchase of the merchant. */
export async function hasPendingFulfilmentInHand(tx: Tx, merchantId: number): Promise<boolean> {
  const rows = await tx.query(
    `select
     from pending_fulfilments
     where merchant_id = $1
     and environment = 'test'
     and lease_id is not null
     and due_at > now()
     limit 1`,
    [merchantId],
  );
  return rows.length > 0;
}

/** A purchase whose goods this process queries. */
export type OwedPurchase = {
  readonly purchase: PurchaseInHand;
  readonly item: Claimed<PendingFulfilmentItem>;
  /** How long the goods have been missing. */
  readonly owedMs: number;
};

type PendingFulfilmentRow = DeliveredRow & { owed_ms: bigint };

function readPendingFulfilments(
  sql: Sql,
  items: readonly PendingFulfilmentItem[],
): Promise<PendingFulfilmentRow[]> {
  return sql.query<PendingFulfilmentRow>(
    { name: 'read_pending_fulfilments', text: 'select * from read_pending_fulfilments($1, $2)' },
    [items.map((item) => item.merchant_id), items.map((item) => item.purchase_id)],
  );
}

/** Claims due items for `leaseMs`. */
export async function claimPendingFulfilment(
  sql: Sql,
  options: { readonly limit: number; readonly leaseMs: number; readonly takenAtMs: number },
): Promise<OwedPurchase[]> {
  const items = await claimDue(sql, pendingFulfilments, options);
  if (items.length === 0) return [];
  const rows = await readPendingFulfilments(sql, items);
  const byPurchase = new Map(rows.map((row) => [row.purchase_id, row]));
  const owed = items.flatMap((item) => {
    const row = byPurchase.get(item.purchase_id);
    // The goods came at this moment, so the row no longer exists.
    return row === undefined ? [] : [toOwedPurchase(item, row, options.takenAtMs)];
  });
  const moves = await findMoves(
    sql,
    owed.map(({ purchase }) => purchase),
  );
  return owed.map((late, n) => asMoved(late, moves[n] ?? unmoved));
}

/** A success whose goods are missing, without claiming it. Undefined if they are there. */
export async function findPendingFulfilment(
  sql: Sql,
  { merchantId, purchaseId }: PurchaseId,
  takenAtMs: number,
): Promise<PurchaseInHand | undefined> {
  const [row] = await readPendingFulfilments(sql, [{ merchant_id: merchantId, purchase_id: purchaseId }]);
  if (row === undefined) return undefined;
  const purchase = readDelivered(row, { queries: 0, takenAtMs });
  const [moved = unmoved] = await findMoves(sql, [purchase]);
  return grownOlder(purchase, moved);
}

/** By the test clock of its merchant. */
function asMoved(late: OwedPurchase, moved: Moved): OwedPurchase {
  return { ...late, purchase: grownOlder(late.purchase, moved), owedMs: late.owedMs + moved.purchaseMs };
}

function toOwedPurchase(
  item: Claimed<PendingFulfilmentItem>,
  row: PendingFulfilmentRow,
  takenAtMs: number,
): OwedPurchase {
  const purchase = readDelivered(row, { queries: item.tries - 1, takenAtMs });
  return { purchase, item, owedMs: Number(row.owed_ms) };
}

/**
 * Ends the query once its answer is stored, and releases the row. If the process dies before this,
 * the lease stays until the next query, and only the test clock skips the row.
 */
export async function releasePendingFulfilment(sql: Sql, { item }: OwedPurchase): Promise<void> {
  await sql.query(
    `update pending_fulfilments
     set lease_id = null
     where merchant_id = $1
     and purchase_id = $2
     and lease_id = $3
     and due_at is not null`,
    [item.merchant_id, item.purchase_id, item.lease_id],
  );
}

/**
 * Stops querying for the goods, and raises an alarm. Returns false if they came, or another process
 * is querying for them.
 */
export async function giveUpPendingFulfilment(sql: Sql, { item }: OwedPurchase): Promise<boolean> {
  const { merchant_id: merchantId, purchase_id: purchaseId, tries } = item;
  const message = `the provider did not return the goods in ${tries} queries and is no longer queried: ask its support for them`;
  return await settleItem(sql, pendingFulfilments, item, {
    alarm: { kind: 'goods_lost', merchantId, purchaseId, message },
  });
}

/** The goods cannot be queried, because something is wrong with the purchase. */
export async function quarantinePendingFulfilment(sql: Sql, { item }: OwedPurchase): Promise<void> {
  const { merchant_id: merchantId, purchase_id: purchaseId } = item;
  const message = 'its missing goods cannot be queried or stored; the log has the error';
  await settleItem(sql, pendingFulfilments, item, aside({ merchantId, purchaseId, message }));
}

type PurchaseId = { readonly merchantId: number; readonly purchaseId: string };

export type GoodsState = {
  /** Null while it is pending. */
  readonly status: 'success' | 'failed' | null;
  /** The product brings a token. */
  readonly owed: boolean;
  /** The goods came, with the outcome or later. */
  readonly has_goods: boolean;
  readonly product: string;
};

export async function findGoodsState(
  tx: Tx,
  { merchantId, purchaseId }: PurchaseId,
): Promise<GoodsState | undefined> {
  const [row] = await tx.query<GoodsState>(
    `select
       o.status,
       v.product,
       coalesce(v.details->>'goodsOwed' = 'token', l.purchase_id is not null) as owed,
       g.purchase_id is not null or coalesce(o.goods ?| array['token', 'payment_spent_on'], false) as has_goods
     from purchases v
     left join purchase_outcomes o
       on o.merchant_id = v.merchant_id
       and o.purchase_id = v.id
     left join purchase_goods g
       on g.merchant_id = v.merchant_id
       and g.purchase_id = v.id
     left join pending_fulfilments l
       on l.merchant_id = v.merchant_id
       and l.purchase_id = v.id
     where v.merchant_id = $1
     and v.id = $2`,
    [merchantId, purchaseId],
  );
  return row;
}

/** Returns false if other goods came first. In both cases querying ends. */
export async function insertPendingFulfilment(
  tx: Tx,
  { merchantId, purchaseId }: PurchaseId,
  goods: Goods,
): Promise<boolean> {
  // Runs first, like an answer: if two come together, the second waits here and then finds the
  // goods.
  await tx.query(
    `delete from pending_fulfilments
     where merchant_id = $1
     and purchase_id = $2`,
    [merchantId, purchaseId],
  );
  const rows = await tx.query(
    `insert into purchase_goods (merchant_id, purchase_id, goods)
     values ($1, $2, $3)
     on conflict (merchant_id, purchase_id) do nothing
     returning purchase_id`,
    [merchantId, purchaseId, JSON.stringify(goods)],
  );
  return rows.length > 0;
}
