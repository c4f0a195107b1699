/** One half of a commit by itself, for tests of that half. */
import type { Sql } from '../../src/db/database.ts';
import type { AcceptItem, AcceptVerdict } from '../../src/purchases/engine/accept-store.ts';
import { commitVends } from '../../src/purchases/engine/commit-store.ts';
import type { ResolveItem, ResolveVerdict } from '../../src/purchases/engine/resolve-store.ts';

export async function acceptVends(
  sql: Sql,
  accepts: readonly AcceptItem[],
  owner: string,
): Promise<readonly AcceptVerdict[]> {
  return (await commitVends(sql, { accepts, resolves: [] }, owner)).accepts;
}

export async function resolveVends(
  sql: Sql,
  resolves: readonly ResolveItem[],
): Promise<readonly ResolveVerdict[]> {
  const nobody = '00000000-0000-0000-0000-000000000000';
  return (await commitVends(sql, { accepts: [], resolves }, nobody)).resolves;
}
