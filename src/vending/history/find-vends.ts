/** What a merchant can look up: one vend by its key, and pages of its vends. */
import type { Sql } from '../../db/database.ts';
import type { Principal } from '../../merchants/merchant.ts';
import type { Vend } from '../vend/vend.ts';
import {
  countVends,
  findVendByReference,
  listVendPage,
  type VendFilter,
  type VendOwner,
} from './vend-store.ts';

export function findVend(sql: Sql, principal: Principal, reference: string): Promise<Vend | undefined> {
  return findVendByReference(sql, ownerOf(principal), reference);
}

export async function listVends(
  sql: Sql,
  principal: Principal,
  filter: VendFilter & { readonly page: number; readonly limit: number },
): Promise<{ items: Vend[]; totalItems: number }> {
  const owner = ownerOf(principal);
  const [items, totalItems] = await Promise.all([
    listVendPage(sql, owner, filter, { limit: filter.limit, offset: (filter.page - 1) * filter.limit }),
    countVends(sql, owner, filter),
  ]);
  return { items, totalItems };
}

function ownerOf(principal: Principal): VendOwner {
  return { merchantId: principal.merchant.id, environment: principal.environment };
}
