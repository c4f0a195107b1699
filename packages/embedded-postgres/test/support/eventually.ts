/** Repeats a check until it no longer throws, for up to 15 seconds. */
import { setTimeout as sleep } from 'node:timers/promises';

export async function eventually<T>(look: () => Promise<T>, what: string): Promise<T> {
  const deadline = performance.now() + 15_000;
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() > deadline) {
        throw new Error(`never: ${what}`, { cause: error });
      }
      await sleep(20);
    }
  }
}
