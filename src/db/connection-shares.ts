/**
 * Shares of a pool: each owner, such as a merchant, can use a limited number of connections at a
 * time, so that its work never blocks the others.
 *
 * Guarantees: within one owner, callers are served in order of arrival; a caller that has waited
 * too long is refused; an idle owner takes no memory.
 */
import { answerSoon } from './answer-soon.ts';
import type { Queries, Row, SqlStatement, TransactionOptions, Tx } from './database.ts';

export type ConnectionShares<Owner> = (owner: Owner) => Queries;

/** A caller that waits for a connection of its owner's share. */
type Waiting = { readonly proceed: () => void };
type Share = { taken: number; readonly waiting: Set<Waiting> };

type ShareOptions = {
  /** The maximum number of connections of one owner. */
  readonly each: number;
  /** How long an owner waits for a connection. */
  readonly waitMs: number;
  /**
   * How long it waits for an answer; running work keeps its connection until it ends. A patient
   * transaction may last.
   */
  readonly patienceMs: number;
  /** Creates the error for a caller that has waited `waitMs` without success. */
  readonly refuse: () => Error;
};

export function shareConnections<Owner>(database: Queries, options: ShareOptions): ConnectionShares<Owner> {
  const shares = new Map<Owner, Share>();
  const run = async <T>(owner: Owner, work: () => Promise<T>, isPatient = false): Promise<T> => {
    const share = shares.get(owner) ?? { taken: 0, waiting: new Set() };
    shares.set(owner, share);
    if (share.taken < options.each) share.taken += 1;
    else await takeTurn(share, options);
    const working = work().finally(() => {
      const [next] = share.waiting;
      if (next !== undefined) next.proceed();
      else share.taken -= 1;
      if (share.taken === 0) shares.delete(owner);
    });
    return isPatient ? await working : await answerSoon(working, options.patienceMs);
  };
  return (owner) => ({
    query: <R extends object = Row>(statement: string | SqlStatement, values?: readonly unknown[]) =>
      run(owner, () => database.query<R>(statement, values)),
    transaction: <T>(work: (tx: Tx) => Promise<T>, terms?: TransactionOptions) =>
      run(owner, () => database.transaction(work, terms), terms?.patient),
  });
}

/** Resolves when another caller of the same owner releases its connection. */
function takeTurn(
  { waiting }: Share,
  { waitMs, refuse }: Pick<ShareOptions, 'waitMs' | 'refuse'>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      waiting.delete(turn);
      reject(refuse());
    }, waitMs);
    const turn = {
      proceed: () => {
        clearTimeout(timer);
        waiting.delete(turn);
        resolve();
      },
    };
    waiting.add(turn);
  });
}
