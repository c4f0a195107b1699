/** What a merchant can look up: one vend by its key, and pages of its vends. */
import type { Queries, Sql } from '../../db/database.ts';
import { GatewayError } from '../../kernel/errors.ts';
import type { Principal } from '../../merchants/merchant.ts';
import type { Vend } from '../vend/vend.ts';
import type { ListCompletion } from './list-completion.ts';
import { countVends, listVendPage } from './vend-list-store.ts';
import type { VendFilter } from './vend-ranges-store.ts';
import { findVendByReference, type VendOwner } from './vend-store.ts';

export function findVend(sql: Sql, principal: Principal, reference: string): Promise<Vend | undefined> {
  return findVendByReference(sql, ownerOf(principal), reference);
}

export type VendPageRequest = Omit<VendFilter, 'incomplete'> & {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  /** The vend after which the list goes on, in place of a page's number. */
  readonly cursor?: string | undefined;
};

export type VendPage = {
  readonly items: Vend[];
  /** Of a filter by recipients no more than 10,001. */
  readonly totalItems: number;
  /** Where the list goes on; undefined at its end. */
  readonly nextCursor: string | undefined;
};

/** The page and the total are of one moment. Throws GatewayError `list_being_completed`. */
export async function listVends(
  database: Queries,
  completion: Pick<ListCompletion, 'isUnderWay'>,
  principal: Principal,
  { page, limit, cursor, ...filter }: VendPageRequest,
): Promise<VendPage> {
  const owner = ownerOf(principal);
  const offset = cursor === undefined ? (page - 1) * limit : 0;
  return await database.transaction(
    async (tx) => {
      const incomplete = await completion.isUnderWay(tx, owner.merchantId, filter.status);
      if (incomplete && (filter.network !== undefined || filter.recipients !== undefined)) {
        throw new GatewayError({ code: 'list_being_completed' });
      }
      const totalItems = await countVends(tx, owner, filter);
      // One more than is shown tells whether there are more.
      const wanted = { ...filter, incomplete };
      const found = await listVendPage(tx, owner, wanted, { limit: limit + 1, offset, before: cursor });
      const items = found.slice(0, limit);
      return { items, totalItems, nextCursor: found.length > limit ? items.at(-1)?.id : undefined };
    },
    { isolation: 'repeatable read', readOnly: true, genericPlans: true },
  );
}

function ownerOf(principal: Principal): VendOwner {
  return { merchantId: principal.merchant.id, environment: principal.environment };
}
