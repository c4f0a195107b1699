/**
 * One process at a time starts a demo that is to have a history: while it is played, its tables are
 * locked, and another process that reads them would give up. One that dies lets the next go on.
 */
import type { Database } from '../../db/database.ts';
import { lockDemoStart } from '../../db/setting-store.ts';

/** Resolves when it is this process's turn, which ends when it is disposed of. */
export async function startAlone(database: Pick<Database, 'session'>): Promise<AsyncDisposable> {
  const turn = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const session = database.session(async (sql) => {
    await lockDemoStart(sql);
    turn.resolve();
    await end.promise;
  });
  session.catch(turn.reject);
  await turn.promise;
  return {
    [Symbol.asyncDispose]: async () => {
      end.resolve();
      await session;
    },
  };
}
