/**
 * Background housekeeping: a job run at once, then over and over with a pause between, for as long as the process
 * lives. A failure is told and the job goes on.
 */
export function repeat(
  everyMs: number,
  job: () => Promise<unknown>,
  onError: (error: unknown) => void,
): AsyncDisposable {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const schedule = (pauseMs: number): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      running = job()
        .then(() => undefined, onError)
        .finally(() => schedule(everyMs));
    }, pauseMs);
  };
  schedule(0);
  return {
    async [Symbol.asyncDispose]() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
