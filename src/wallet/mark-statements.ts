/**
 * Leaves marks in the history of wallets, so that a statement need not add up all that came before
 * it. In the background.
 *
 * Guarantees: a mark is what the transfers up to it add up to, none of them missing, and names the
 * last of them, also where several processes are at it at once. One that dies leaves what it has
 * done.
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
 * Gives how many marks it left. `counted` is what the runs before have counted of each wallet: it
 * is changed here, and only saves work.
 */
export async function markStatements(
  database: Database,
  transfersPerMark: number = TRANSFERS_PER_MARK,
  counted: Map<bigint, Counted> = new Map(),
): Promise<number> {
  let marks = 0;
  const most = BigInt(transfersPerMark);
  for (const first of await countUnmarked(database, transfersPerMark, counted)) {
    // All marks of one wallet before the next: to look at all wallets takes longer.
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
  // That transfer may be another wallet's: one of this wallet with a lower id may not be committed
  // yet. It is once this returns.
  await database.transaction((tx) => awaitMovers(tx, wallet.accountId));
  const last = await findMarkUpTo(database, wallet.accountId, upTo);
  const { id, balance, at } = await walk(database, wallet, last, { upTo });
  const lastId = at === undefined ? last.lastId : id;
  await insertMark(database, wallet.accountId, { id: upTo, balance, at, lastId });
}
