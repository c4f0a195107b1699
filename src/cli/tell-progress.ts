/** Tells on a terminal how far long work is: a line every two seconds, beside the result. */
import type { OnProgress } from '../kernel/progress.ts';
import type { Terminal } from './terminal.ts';

const TOLD_EVERY_MS = 2_000;

/** Says nothing where the standard error is no terminal: it may be a file that is read later. */
export function tellProgress(stream: Terminal['stderr']): OnProgress {
  let toldAt = performance.now();
  return ({ step, done, unit }) => {
    if (!stream.isTTY || performance.now() - toldAt < TOLD_EVERY_MS) return;
    toldAt = performance.now();
    stream.write(`${step}: ${done} ${unit} so far\n`);
  };
}
