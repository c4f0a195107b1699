/**
 * Shares one run of a piece of work, such as a reload, among callers.
 *
 * Guarantees: one run at a time, so that an older run never ends after a newer one. A caller's
 * promise is that of a run that began after its call. Waiting callers share the next run.
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
