/** SQL of receipts: the revision of each, and how often it was sent. */
import type { Sql, Tx } from '../../db/database.ts';

type PurchaseKey = { readonly merchantId: number; readonly purchaseId: string };

type ReceiptRow = { readonly revision: number; readonly sends: number };

/** A receipt that was neither sent nor revoked has no row. */
export async function findReceipt(sql: Sql, { merchantId, purchaseId }: PurchaseKey): Promise<ReceiptRow> {
  const [row] = await sql.query<ReceiptRow>(
    `select revision, sends
     from receipts
     where merchant_id = $1
     and purchase_id = $2`,
    [merchantId, purchaseId],
  );
  return row ?? { revision: 0, sends: 0 };
}

/**
 * Adds to the counts of a receipt and locks its row. A higher revision revokes all links that were
 * made so far.
 */
export async function addToReceipt(
  tx: Tx,
  { merchantId, purchaseId }: PurchaseKey,
  { revision = 0, sends = 0 }: Partial<ReceiptRow>,
): Promise<ReceiptRow> {
  const [row] = await tx.query<ReceiptRow>(
    `insert into receipts as r (merchant_id, purchase_id, revision, sends)
     values ($1, $2, $3, $4)
     on conflict (merchant_id, purchase_id) do update
     set revision = r.revision + excluded.revision, sends = r.sends + excluded.sends
     returning revision, sends`,
    [merchantId, purchaseId, revision, sends],
  );
  return row ?? { revision, sends };
}
