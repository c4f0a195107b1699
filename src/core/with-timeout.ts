/**
 * Waits for work, and no longer than it may.
 *
 * Guarantees: a process that has too much to do does not take for late what has arrived: it is read
 * before the time is over.
 */

/** What is given in place of a result that did not come in time. */
export const timedOut = Symbol('too late');

/**
 * The time is waited for in so many pieces. After each the process reads what has arrived, however
 * late the piece ended. So work that asks others fewer times than this has their answers in time.
 */
const PIECES = 10;

/**
 * What `work` gives within `ms`; it goes on where it takes longer. Rejects as it does. A time below
 * zero is over.
 */
export async function withTimeout<T>(ms: number, work: Promise<T>): Promise<T | typeof timedOut> {
  const pieceMs = Math.max(ms, 0) / PIECES;
  const { promise: late, resolve } = Promise.withResolvers<typeof timedOut>();
  let timer: NodeJS.Timeout | undefined;
  const wait = (pieces: number): void => {
    timer = setTimeout(() => (pieces > 1 ? wait(pieces - 1) : resolve(timedOut)), pieceMs);
  };
  wait(PIECES);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
