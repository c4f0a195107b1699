/** What a merchant can look up: one purchase by its key, and pages of its purchases. */

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
  /** The purchase after which the list goes on, in place of a page's number. */
  readonly cursor?: string | undefined;
};

/** Pages by number begin within the first so many purchases: further on, each would take longer. */
const PAGED_MAX = 10_000;

export type PurchasePage = {
  readonly items: Purchase[];
  /** Of a filter by recipients or a product no more than 10,001. */
  readonly totalItems: number;
  /** How many pages can be read by number. */
  readonly totalPages: number;
  /** Where the list goes on; undefined at its end. */
  readonly nextCursor: string | undefined;
};

/**
 * Finds a page and the total of one moment. A page after the last one is empty. Throws GatewayError
 * `page_too_deep`.
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
      // One more than is shown tells whether there are more.
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
