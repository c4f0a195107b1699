/** Reads a receipt as its message shows it, with a new link. */
import type { KeyObject } from 'node:crypto';
import type { Clock } from '../../core/clock.ts';
import type { Environment } from '../../core/environment.ts';
import type { Sql } from '../../db/database.ts';
import type { DeliverableReceipt } from '../../notifications/messages/compose-receipt.ts';
import { readReceipt } from './read-receipt.ts';
import { adviceOf, factsOf, goodsOf } from './receipt.ts';
import { linkDaysDefault, receiptAddress, signReceiptLink } from './receipt-link.ts';
import { findReceipt } from './receipt-store.ts';

const DAY_MS = 86_400_000;

/**
 * Undefined for a purchase without a receipt, and for an order of gift cards, whose goods cannot be
 * opened at the moment.
 */
export async function readDeliverableReceipt(
  {
    sql,
    secret,
    portalUrl,
    clock,
  }: {
    readonly sql: Sql;
    readonly secret: KeyObject;
    readonly portalUrl: string;
    readonly clock: Pick<Clock, 'now'>;
  },
  key: { readonly merchantId: number; readonly environment: Environment; readonly purchaseId: string },
): Promise<DeliverableReceipt | undefined> {
  const receipt = await readReceipt(sql, key);
  if (receipt === undefined || receipt.isOfCards) return undefined;
  const { revision, sends } = await findReceipt(sql, key);
  const expiresAt = new Date(clock.now().getTime() + linkDaysDefault * DAY_MS);
  return {
    kind: 'receipt',
    messageId: `${key.purchaseId}-${sends}`,
    shop: receipt.shop.name,
    product: receipt.product,
    advice: adviceOf(receipt),
    goods: goodsOf(receipt),
    facts: factsOf(receipt),
    link: receiptAddress(portalUrl, signReceiptLink(secret, { ...key, revision, expiresAt })),
  };
}
