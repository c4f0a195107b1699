/**
 * The SQL of merchants' test clocks: a table of moves that only grows. The age that a move adds is
 * computed when it is needed.
 */
import type { Sql, Tx } from '../../db/database.ts';
import type { PurchaseInHand } from '../state/purchase-in-hand.ts';

type Aged = { readonly merchantId: number; readonly ageMs: number };

/** By how many milliseconds the clock of each merchant was moved in that time, in order. */
async function findMovesWithin(sql: Sql, ages: readonly Aged[]): Promise<readonly number[]> {
  const rows = await sql.query<{ moved_s: bigint }>(
    {
      name: 'find_test_clock_moves',
      text: `
        select
          coalesce(
            (
              select m.offset_s
              from test_clock_moves m
              where m.merchant_id = w.merchant_id
              order by m.moved_at desc
              limit 1
            ) - coalesce(
              (
                select m.offset_s
                from test_clock_moves m
                where m.merchant_id = w.merchant_id
                and m.moved_at <= now() - w.age_ms * interval '1 millisecond'
                order by m.moved_at desc
                limit 1
              ),
              (
                select m.offset_s - m.advance_s
                from test_clock_moves m
                where m.merchant_id = w.merchant_id
                order by m.moved_at
                limit 1
              )
            ),
            0
          ) as moved_s
        from unnest($1::integer[], $2::bigint[]) with ordinality as w(merchant_id, age_ms, n)
        order by w.n`,
    },
    [ages.map(({ merchantId }) => merchantId), ages.map(({ ageMs }) => Math.max(Math.round(ageMs), 0))],
  );
  return rows.map((row) => 1_000 * Number(row.moved_s));
}

/** How much older a test purchase is by its clock. 0 for a live one. */
export type Moved = { readonly purchaseMs: number; readonly attemptMs: number };

type AgedPurchase = Pick<PurchaseInHand, 'merchantId' | 'environment' | 'ageMs'> & {
  readonly attempt: Pick<PurchaseInHand['attempt'], 'ageMs'> | undefined;
};

export const unmoved: Moved = { purchaseMs: 0, attemptMs: 0 };

/** In their order. Runs no query if none of them was bought with test credentials. */
export async function findMoves(sql: Sql, purchases: readonly AgedPurchase[]): Promise<readonly Moved[]> {
  const tests = purchases.filter(({ environment }) => environment === 'test');
  if (tests.length === 0) return purchases.map(() => unmoved);
  const ages = tests.flatMap(({ merchantId, ageMs, attempt }) => [
    { merchantId, ageMs },
    { merchantId, ageMs: attempt?.ageMs ?? 0 },
  ]);
  const found = await findMovesWithin(sql, ages);
  const moves = new Map(
    tests.map((purchase, n) => [
      purchase,
      { purchaseMs: found[2 * n] ?? 0, attemptMs: found[2 * n + 1] ?? 0 },
    ]),
  );
  return purchases.map((purchase) => moves.get(purchase) ?? unmoved);
}

/** The age by the test clock of its merchant. */
export function grownOlder<Purchase extends PurchaseInHand>(
  purchase: Purchase,
  { purchaseMs, attemptMs }: Moved,
): Purchase {
  if (purchaseMs === 0) return purchase;
  const attempt = { ...purchase.attempt, ageMs: purchase.attempt.ageMs + attemptMs };
  return { ...purchase, ageMs: purchase.ageMs + purchaseMs, attempt, movedMs: attemptMs };
}

/** How long a move counts: longer than any wait of test purchases. */
const KEPT_DAYS = 400;

/** Returns the sum of all moves, in seconds. The merchant's clock must be locked. */
export async function insertMove(tx: Tx, merchantId: number, advanceS: number): Promise<number> {
  await tx.query(
    `delete from test_clock_moves
     where merchant_id = $1
     and moved_at < now() - $2 * interval '1 day'
     and moved_at < (
       select max(moved_at)
       from test_clock_moves
       where merchant_id = $1
     )`,
    [merchantId, KEPT_DAYS],
  );
  const [row] = await tx.query<{ offset_s: bigint }>(
    `insert into test_clock_moves (merchant_id, advance_s, moved_at, offset_s)
     values (
       $1,
       $2::integer,
       -- After the previous move, even if the clock of the database was set back.
       greatest(
         clock_timestamp(),
         (
           select max(moved_at) + interval '1 microsecond'
           from test_clock_moves
           where merchant_id = $1
         )
       ),
       $2::integer + coalesce(
         (
           select offset_s
           from test_clock_moves
           where merchant_id = $1
           order by moved_at desc
           limit 1
         ),
         0
       )
     )
     returning offset_s`,
    [merchantId, advanceS],
  );
  return Number(row?.offset_s);
}

/**
 * Brings the due times of pending purchases forward, and returns their number. Skips those that a
 * process has claimed. Their wallets must be locked.
 */
export async function movePendingPurchases(tx: Tx, merchantId: number, advanceS: number): Promise<number> {
  const rows = await tx.query(
    `update pending_purchases
     set due_at = greatest(due_at - $2 * interval '1 second', now())
     where merchant_id = $1
     and environment = 'test'
     and owner is null
     and due_at > now()
     returning 1`,
    [merchantId, advanceS],
  );
  return rows.length;
}

/** Whether a process is working on a test purchase of the merchant, or is about to send it. */
export async function hasPurchasesInHand(tx: Tx, merchantId: number): Promise<boolean> {
  const rows = await tx.query(
    `select
     from pending_purchases
     where merchant_id = $1
     and environment = 'test'
     and (owner is not null or (step = 'send' and due_at <= now()))
     limit 1`,
    [merchantId],
  );
  return rows.length > 0;
}
