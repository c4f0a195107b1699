/** Waits for a state that another process or a job brings about. */
import { until as untilWithin } from './processes.ts';

/** Ends a wait for a state that never comes. No state takes this long on a slow machine. */
const HANG_MS = 120_000;

/** Polls until `look` returns something other than undefined and false. Rejects, naming `what`. */
export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  return await untilWithin(what, HANG_MS, look);
}
