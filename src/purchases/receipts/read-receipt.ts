/** Reads the receipt that a link leads to. */
import type { KeyObject } from 'node:crypto';
import { findPlanName } from '../../catalog/catalog-store.ts';
import { OperationError } from '../../core/errors.ts';
import type { Sql } from '../../db/database.ts';
import { findShop } from '../../merchants/shop-store.ts';
import { findPurchaseById } from '../history/purchase-store.ts';
import type { FoundPurchase } from '../history/timeline-store.ts';
import { findPendingFulfilment } from '../history/timeline-store.ts';
import { type Receipt, receiptOf } from './receipt.ts';
import { type ReceiptLink, readReceiptLink } from './receipt-link.ts';
import { findReceipt } from './receipt-store.ts';

/** A forged link is `unknown`. A link to the receipt of a refunded purchase is `revoked`. */
type ReadReceipt = Receipt | 'unknown' | 'expired' | 'revoked';

/** A forged or expired link causes no database query. */
export async function readReceiptOfLink(
  sql: Sql,
  secret: KeyObject,
  text: string,
  now: Date,
): Promise<ReadReceipt> {
  const link = readReceiptLink(secret, text);
  if (link === undefined) return 'unknown';
  if (link.expiresAt <= now) return 'expired';
  const { revision } = await findReceipt(sql, link);
  if (revision !== link.revision) return 'revoked';
  return (await readReceipt(sql, link)) ?? 'revoked';
}

type PurchaseKey = Pick<ReceiptLink, 'merchantId' | 'environment' | 'purchaseId'>;

/** Undefined unless the purchase was delivered. */
export async function readReceipt(
  sql: Sql,
  { merchantId, environment, purchaseId }: PurchaseKey,
): Promise<Receipt | undefined> {
  const purchase = await findPurchaseById(sql, merchantId, environment, purchaseId);
  if (purchase === undefined) return undefined;
  const late = await findPendingFulfilment(sql, { merchant_id: merchantId, id: purchaseId });
  const isTokenOwed = late !== undefined && late.arrived_at === null;
  const { title, planCode } = purchase;
  const plan = title ?? (planCode === undefined ? undefined : await findPlanName(sql, planCode)) ?? planCode;
  return receiptOf(purchase, await findShop(sql, merchantId), { plan, isTokenOwed });
}

/** Throws OperationError `no_receipt` unless the purchase was delivered. */
export async function requireReceipt(
  sql: Sql,
  { merchant_id: merchantId, environment, id: purchaseId }: FoundPurchase,
): Promise<{ readonly receipt: Receipt; readonly key: PurchaseKey }> {
  const key = { merchantId, environment, purchaseId };
  const receipt = await readReceipt(sql, key);
  if (receipt === undefined) throw new OperationError({ code: 'no_receipt' });
  return { receipt, key };
}
