/**
 * For whoever waits for an answer: a database that stands still is as good as away long before its
 * own time-outs are over.
 *
 * Guarantees: a process that has too much to do does not take its database for away. An answer that
 * has arrived is read before the time is over.
 */
import { DatabaseUnavailableError } from './database-errors.ts';

/** How long somebody who looks something up waits for the database, in milliseconds. */
export const lookUpPatienceMs = 4_000;

/**
 * The time is waited for in so many pieces. After each the process reads what has arrived, however
 * late the piece ended, so work of fewer statements than pieces has its answers read in time.
 */
const PIECES = 10;

/**
 * What `work` gives. Rejects with DatabaseUnavailableError where it takes longer; `work` goes on.
 * Only for what stores nothing.
 */
export async function answerSoon<T>(work: Promise<T>, withinMs = lookUpPatienceMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const wait = (pieces: number): void => {
      timer = setTimeout(() => {
        if (pieces > 1) wait(pieces - 1);
        else reject(new DatabaseUnavailableError(`no answer within ${withinMs} ms`));
      }, withinMs / PIECES);
    };
    wait(PIECES);
  });
  // Where the time is over first, nobody waits for it.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
