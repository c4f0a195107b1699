/** A merchant's lookups: one purchase by its reference, and pages of its purchases. */

import { GatewayError } from '../../core/errors.ts';
import type { Queries, Sql } from '../../db/database.ts';
import type { Principal } from '../../merchants/merchant.ts';
import type { Purchase } from '../state/purchase.ts';
import { countPurchases, listPurchasePage } from './purchase-list-store.ts';
import type { PurchaseFilter } from './purchase-ranges-store.ts';
import { findPurchaseByReference, type PurchaseOwner } from './purchase-store.ts';

export function findPurchase(
  sql: Sql,
  principal: Principal,
  reference: string,
): Promise<Purchase | undefined> {
  return findPurchaseByReference(sql, ownerOf(principal), reference);
}

export type PurchasePageRequest = PurchaseFilter & {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  /** The purchase after which the list continues, instead of a page's number. */
  readonly cursor?: string | undefined;
};

/**
 * Pages by number must begin within this many purchases, because later pages take longer to find.
 */
const PAGED_MAX = 10_000;

export type PurchasePage = {
  readonly items: Purchase[];
  /** With a filter by recipients or a product at most 10,001. */
  readonly totalItems: number;
  /** How many pages can be read by number. */
  readonly totalPages: number;
  /** Where the list continues. Undefined at its end. */
  readonly nextCursor: string | undefined;
};

/**
 * Finds a page and the total in one snapshot. A page after the last one is empty. Throws
 * GatewayError `page_too_deep`.
 */
export async function listPurchases(
  database: Queries,
  principal: Principal,
  { page, limit, cursor, ...filter }: PurchasePageRequest,
): Promise<PurchasePage> {
  const owner = ownerOf(principal);
  const offset = cursor === undefined ? (page - 1) * limit : 0;
  return await database.transaction(
    async (tx) => {
      const totalItems = await countPurchases(tx, owner, filter);
      const totalPages = Math.ceil(Math.min(totalItems, PAGED_MAX) / limit);
      if (offset >= totalItems) return { items: [], totalItems, totalPages, nextCursor: undefined };
      if (offset >= PAGED_MAX) throw new GatewayError({ code: 'page_too_deep' });
      // One more than is shown reveals whether there are more.
      const found = await listPurchasePage(tx, owner, filter, { limit: limit + 1, offset, before: cursor });
      const items = found.slice(0, limit);
      return {
        items,
        totalItems,
        totalPages,
        nextCursor: found.length > limit ? items.at(-1)?.id : undefined,
      };
    },
    { isolation: 'repeatable read', readOnly: true, genericPlans: true },
  );
}

function ownerOf(principal: Principal): PurchaseOwner {
  return { merchantId: principal.merchant.id, environment: principal.environment };
}
