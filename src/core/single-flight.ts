/**
 * Work that several callers ask for, such as reading something again.
 *
 * Guarantees: one run at a time, so that an older run never ends after a newer one; a caller's
 * promise tells of a run that began after its call. Callers that wait share the next run.
 */
export function singleFlight(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    if (running === undefined) {
      running = work().finally(() => {
        running = undefined;
      });
      return running;
    }
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return run();
      });
    return next;
  };
  return run;
}
