/**
 * For whoever waits for an answer: a database that stands still is as good as away long before its
 * own time-outs are over.
 */
import { DatabaseUnavailableError } from './database-errors.ts';

/** How long somebody who looks something up waits for the database, in milliseconds. */
export const lookUpPatienceMs = 4_000;

/**
 * What `work` gives. Rejects with DatabaseUnavailableError where it takes longer; `work` goes on.
 * Only for what stores nothing.
 */
export async function answerSoon<T>(work: Promise<T>, withinMs = lookUpPatienceMs): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(
      () => reject(new DatabaseUnavailableError(`no answer within ${withinMs} ms`)),
      withinMs,
    );
  });
  // Where the time is over first, nobody waits for it.
  work.catch(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
