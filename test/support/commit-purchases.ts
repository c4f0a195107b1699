/** One half of a commit by itself, for tests of that half. */
import type { Sql } from '../../src/db/database.ts';
import type { AcceptItem, AcceptVerdict } from '../../src/purchases/engine/accept-store.ts';
import { commitPurchases } from '../../src/purchases/engine/commit-store.ts';
import type { ResolveItem, ResolveVerdict } from '../../src/purchases/engine/resolve-store.ts';

export async function acceptPurchases(
  sql: Sql,
  accepts: readonly AcceptItem[],
  owner: string,
): Promise<readonly AcceptVerdict[]> {
  return (await commitPurchases(sql, { accepts, resolves: [] }, owner)).accepts;
}

export async function resolvePurchases(
  sql: Sql,
  resolves: readonly ResolveItem[],
): Promise<readonly ResolveVerdict[]> {
  const nobody = '00000000-0000-0000-0000-000000000000';
  return (await commitPurchases(sql, { accepts: [], resolves }, nobody)).resolves;
}
