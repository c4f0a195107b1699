/** An overloaded process, for tests of its behaviour. */
import type { TestContext } from 'node:test';

/** Until the test ends, each event loop turn of this process takes at least this long. */
export function keepBusy(t: TestContext, turnMs: number): void {
  let isBusy = true;
  t.after(() => {
    isBusy = false;
  });
  const work = (): void => {
    const startedMs = performance.now();
    while (performance.now() - startedMs < turnMs);
    if (isBusy) setImmediate(work);
  };
  setImmediate(work);
}
