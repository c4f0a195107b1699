/** Prints the progress of a task to the terminal, one line every two seconds. */
import type { OnProgress } from '../core/progress.ts';
import type { Terminal } from './run.ts';

const INTERVAL_MS = 2_000;

/** Prints nothing if standard error is not a terminal. */
export function printProgress(
  stream: Pick<Terminal['stderr'], 'isTTY' | 'write'>,
  nowMs: () => number = () => performance.now(),
): OnProgress {
  let printedAt = nowMs();
  return ({ step, done, unit }) => {
    if (!stream.isTTY || nowMs() - printedAt < INTERVAL_MS) return;
    printedAt = nowMs();
    stream.write(`${step}: ${done} ${unit} so far\n`);
  };
}
