/**
 * Deletes what is over: sessions and links some weeks after their end, challenges and counted tries
 * at once. The audit log keeps who signed in.
 */
import type { Database } from '../../db/database.ts';
import { deleteEnded } from './ended-store.ts';

/** Gives how many rows went. A slice at a time, so that no lock is held for long. */
export async function forgetEnded(database: Database): Promise<number> {
  let gone = 0;
  for (;;) {
    const deleted = await deleteEnded(database);
    gone += deleted;
    if (deleted === 0) return gone;
  }
}
