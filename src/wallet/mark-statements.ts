/**
 * Leaves marks in the history of wallets, so that a statement need not add up all that came before
 * it. In the background.
 *
 * Guarantees: a mark is what the transfers up to it add up to, none of them missing, and names the
 * last of them; several processes at once leave the same marks. One that dies leaves what it has
 * done. Marks that an earlier version left without that name are told it, oldest first.
 */
import type { Database } from '../db/database.ts';
import {
  awaitMovers,
  completeMarks,
  findMarkUpTo,
  findUnmarked,
  insertMark,
  type StatedWallet,
  walk,
} from './statement-store.ts';

const TRANSFERS_PER_MARK = 10_000;

/** Gives how many marks it left. */
export async function markStatements(
  database: Database,
  transfersPerMark: number = TRANSFERS_PER_MARK,
): Promise<number> {
  let marks = 0;
  for (;;) {
    const due = await findUnmarked(database, transfersPerMark);
    for (const { next, ...wallet } of due) await mark(database, wallet, next);
    if (due.length === 0) break;
    marks += due.length;
  }
  while ((await completeMarks(database)) > 0);
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
