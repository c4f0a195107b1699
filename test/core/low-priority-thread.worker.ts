/** The program of the thread in low-priority-thread.test.ts. */
import { serveCalls } from '../../src/core/low-priority-thread.ts';

serveCalls((text: string): string => {
  if (text === 'fail') throw new RangeError('failed');
  if (text === 'die') process.exit(1);
  return text.toUpperCase();
});
