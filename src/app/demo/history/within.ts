/** One transaction in the place of a database. */
import type { Database, Tx } from '../../../db/database.ts';

/** For what opens transactions itself: all of it is in this one. */
export function within(tx: Tx): Database {
  const refuse = (): never => {
    throw new Error('the played week is one transaction');
  };
  return {
    query: (statement, values) => tx.query(statement, values),
    transaction: (work) => work(tx),
    session: refuse,
    listen: refuse,
    [Symbol.asyncDispose]: async () => undefined,
  };
}
