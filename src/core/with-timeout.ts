/**
 * Waits for work with a timeout.
 *
 * Guarantees: an overloaded process reads the results that have arrived before it declares the work
 * late.
 */

/** The result of work that did not end in time. */
export const timedOut = Symbol('too late');

/**
 * The timeout is divided among this many timers. After each, the process reads what has arrived,
 * however late the timer fired. So work with fewer round trips than this is never late only because
 * of load.
 */
const PIECES = 10;

/**
 * Returns the result of `work`, or `timedOut` after `ms`; the work itself continues. Rejects as
 * `work` does. A negative time has passed already.
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
