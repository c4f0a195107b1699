/**
 * Log lines on their way to standard output, joined to blocks: a write for each line would cost
 * more than the line. The library behind it can join lines too, but for each line it measures anew
 * all that wait.
 *
 * Guarantees: lines leave whole and in order; a line waits for a second at most, and does not wait
 * where the process ends by itself.
 */
import { type DestinationStream, pino } from 'pino';

const BLOCK_LENGTH = 65_536;
const WAIT_MS = 1_000;

export class LineBlocks implements DestinationStream {
  #output: ReturnType<typeof pino.destination> | undefined;
  #block = '';
  #timer: NodeJS.Timeout | undefined;

  write(line: string): void {
    this.#block += line;
    if (this.#block.length >= BLOCK_LENGTH) this.#pass();
    else this.#timer ??= setTimeout(() => this.flush(), WAIT_MS).unref();
    this.#output ??= this.#open();
  }

  /** Calls `done` when all lines are written. */
  flush(done?: (error?: Error) => void): void {
    this.#pass();
    if (this.#output === undefined) done?.();
    else this.#output.flush(done);
  }

  /** Begins to write where it is a whole block. */
  #pass(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#block === '') return;
    this.#output ??= this.#open();
    this.#output.write(this.#block);
    this.#block = '';
  }

  #open(): ReturnType<typeof pino.destination> {
    // Before those of the output, which writes what it has been given.
    process.on('beforeExit', () => this.#pass());
    process.on('exit', () => this.#pass());
    return pino.destination({ dest: 1, sync: false, minLength: BLOCK_LENGTH, maxWrite: 2 * BLOCK_LENGTH });
  }
}
