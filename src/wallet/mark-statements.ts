/**
 * Stores marks in the history of wallets in the background, so that a statement need not add up the
 * whole history.
 *
 * Guarantees: a mark is the sum of all transfers up to it and names the last of them, also when
 * several processes run at once. A killed run keeps the marks that it stored.
 */
import type { Database } from '../db/database.ts';
import {
  awaitMovers,
  type Counted,
  countUnmarked,
  findMarkUpTo,
  insertMark,
  type StatedWallet,
  walk,
} from './statement-store.ts';

const TRANSFERS_PER_MARK = 10_000;

/**
 * Returns the number of new marks. `counted` caches the counts of earlier runs by wallet: it is
 * updated here, and only saves work.
 */
export async function markStatements(
  database: Database,
  transfersPerMark: number = TRANSFERS_PER_MARK,
  counted: Map<bigint, Counted> = new Map(),
): Promise<number> {
  let marks = 0;
  const most = BigInt(transfersPerMark);
  for (const first of await countUnmarked(database, transfersPerMark, counted)) {
    // Stores all marks of one wallet before the next, because finding wallets takes longer.
    let due: typeof first | undefined = first;
    while (due !== undefined && due.count >= most) {
      await mark(database, due, due.upTo);
      marks += 1;
      counted.delete(due.accountId);
      [due] = await countUnmarked(database, transfersPerMark, counted, due.accountId);
    }
    if (due !== undefined) {
      counted.set(due.accountId, { mark: due.mark, upTo: due.upTo, count: due.count });
    }
  }
  return marks;
}

async function mark(database: Database, wallet: StatedWallet, upTo: bigint): Promise<void> {
  // That transfer may be another wallet's, and one of this wallet with a lower id may be
  // uncommitted. It is committed once this returns.
  await database.transaction((tx) => awaitMovers(tx, wallet.accountId));
  const last = await findMarkUpTo(database, wallet.accountId, upTo);
  const { id, balance, at } = await walk(database, wallet, last, { upTo });
  const lastId = at === undefined ? last.lastId : id;
  await insertMark(database, wallet, { id: upTo, balance, at, lastId });
}
