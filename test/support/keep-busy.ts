/** A process that has too much to do, for tests of what it does then. */
import type { TestContext } from 'node:test';

/** Until the test ends each turn of this process takes so long, at least. */
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
