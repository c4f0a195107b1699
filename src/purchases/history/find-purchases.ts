/** What a merchant can look up: one vend by its key, and pages of its vends. */
import type { Queries, Sql } from '../../db/database.ts';
import { GatewayError } from '../../core/errors.ts';
import type { Principal } from '../../merchants/merchant.ts';
import type { Vend } from '../state/purchase.ts';
import { countVends, listVendPage } from './purchase-list-store.ts';
import type { VendFilter } from './purchase-ranges-store.ts';
import { findVendByReference, type VendOwner } from './purchase-store.ts';

export function findVend(sql: Sql, principal: Principal, reference: string): Promise<Vend | undefined> {
  return findVendByReference(sql, ownerOf(principal), reference);
}

export type VendPageRequest = VendFilter & {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  /** The vend after which the list goes on, in place of a page's number. */
  readonly cursor?: string | undefined;
};

/** Pages by number begin within the first so many vends: further on, each would take longer. */
const PAGED_MAX = 10_000;

export type VendPage = {
  readonly items: Vend[];
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
export async function listVends(
  database: Queries,
  principal: Principal,
  { page, limit, cursor, ...filter }: VendPageRequest,
): Promise<VendPage> {
  const owner = ownerOf(principal);
  const offset = cursor === undefined ? (page - 1) * limit : 0;
  return await database.transaction(
    async (tx) => {
      const totalItems = await countVends(tx, owner, filter);
      const totalPages = Math.ceil(Math.min(totalItems, PAGED_MAX) / limit);
      if (offset >= totalItems) return { items: [], totalItems, totalPages, nextCursor: undefined };
      if (offset >= PAGED_MAX) throw new GatewayError({ code: 'page_too_deep' });
      // One more than is shown tells whether there are more.
      const found = await listVendPage(tx, owner, filter, { limit: limit + 1, offset, before: cursor });
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

function ownerOf(principal: Principal): VendOwner {
  return { merchantId: principal.merchant.id, environment: principal.environment };
}
