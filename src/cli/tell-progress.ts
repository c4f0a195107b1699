/** Tells on a terminal how far long work is: a line every two seconds, beside the result. */
import type { OnProgress } from '../core/progress.ts';
import type { Terminal } from './terminal.ts';

const TOLD_EVERY_MS = 2_000;

/** Says nothing where the standard error is no terminal: it may be a file that is read later. */
export function tellProgress(
  stream: Pick<Terminal['stderr'], 'isTTY' | 'write'>,
  nowMs: () => number = () => performance.now(),
): OnProgress {
  let toldAt = nowMs();
  return ({ step, done, unit }) => {
    if (!stream.isTTY || nowMs() - toldAt < TOLD_EVERY_MS) return;
    toldAt = nowMs();
    stream.write(`${step}: ${done} ${unit} so far\n`);
  };
}
