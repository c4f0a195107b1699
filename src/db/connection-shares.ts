/**
 * Shares of a pool: one owner, such as a merchant, has a limited number of its connections at a
 * time, so that its work never keeps the others waiting.
 *
 * Guarantees: within one owner, the first to come is served first; a caller that has waited for too
 * long is refused; an idle owner takes no memory.
 */
import { answerSoon } from './answer-soon.ts';
import type { Queries, Row, SqlStatement, TransactionOptions, Tx } from './database.ts';

export type ConnectionShares<Owner> = (owner: Owner) => Queries;

/** Somebody who waits for a connection of the owner's share. */
type Waiting = { readonly proceed: () => void };
type Share = { taken: number; readonly waiting: Set<Waiting> };

type ShareOptions = {
  /** The most connections of one owner. */
  readonly each: number;
  /** How long an owner waits for a connection. */
  readonly waitMs: number;
  /** How long it waits for a connection; running work keeps its connection until it ends. */
  readonly patienceMs: number;
  /** Makes the error for who has waited `waitMs` in vain. */
  readonly refuse: () => Error;
};

export function shareConnections<Owner>(database: Queries, options: ShareOptions): ConnectionShares<Owner> {
  const shares = new Map<Owner, Share>();
  const run = async <T>(owner: Owner, work: () => Promise<T>): Promise<T> => {
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
    return await answerSoon(working, options.patienceMs);
  };
  return (owner) => ({
    query: <R extends object = Row>(statement: string | SqlStatement, values?: readonly unknown[]) =>
      run(owner, () => database.query<R>(statement, values)),
    transaction: <T>(work: (tx: Tx) => Promise<T>, terms?: TransactionOptions) =>
      run(owner, () => database.transaction(work, terms)),
  });
}

/** Resolves when another of the same owner hands its place over. */
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
