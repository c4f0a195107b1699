/** SQL of receipts: their revisions, and how often they were sent. */
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

/** Revokes all links that were made so far. Returns the new revision. */
export async function reviseReceipt(tx: Tx, { merchantId, purchaseId }: PurchaseKey): Promise<number> {
  const [row] = await tx.query<{ revision: number }>(
    `insert into receipts as r (merchant_id, purchase_id, revision)
     values ($1, $2, 1)
     on conflict (merchant_id, purchase_id) do update set revision = r.revision + 1
     returning revision`,
    [merchantId, purchaseId],
  );
  return row?.revision ?? 0;
}

/** Counts one more sending. Returns how often the receipt was sent, and locks its row. */
export async function countSending(tx: Tx, { merchantId, purchaseId }: PurchaseKey): Promise<number> {
  const [row] = await tx.query<{ sends: number }>(
    `insert into receipts as r (merchant_id, purchase_id, sends)
     values ($1, $2, 1)
     on conflict (merchant_id, purchase_id) do update set sends = r.sends + 1
     returning sends`,
    [merchantId, purchaseId],
  );
  return row?.sends ?? 0;
}
