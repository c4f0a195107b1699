/**
 * Log lines on their way to standard output, joined to blocks: a write for each line would cost
 * more than the line. They wait as bytes. Texts that wait for so long would be moved to the old
 * part of the heap, which is collected only with all of it.
 *
 * Guarantees: lines leave whole and in order; a line waits for a second at most, and does not wait
 * where the process ends by itself.
 */
import { type DestinationStream, pino } from 'pino';

const BLOCK_BYTES = 65_536;
const WAIT_MS = 1_000;
/** UTF-8 needs no more for a unit of a text. */
const BYTES_PER_UNIT = 3;

export class LineBlocks implements DestinationStream {
  #output: ReturnType<typeof pino.destination> | undefined;
  #block: Buffer | undefined;
  #length = 0;
  #timer: NodeJS.Timeout | undefined;

  write(line: string): void {
    this.#output ??= this.#open();
    const bytesMax = BYTES_PER_UNIT * line.length;
    if (this.#length + bytesMax > BLOCK_BYTES) this.#pass();
    this.#block ??= Buffer.allocUnsafeSlow(Math.max(BLOCK_BYTES, bytesMax));
    this.#length += this.#block.write(line, this.#length);
    this.#timer ??= setTimeout(() => this.flush(), WAIT_MS).unref();
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
    if (this.#block === undefined) return;
    // The library takes bytes as well, where it is told so; its types say texts alone.
    this.#output?.write(this.#block.subarray(0, this.#length) as unknown as string);
    this.#block = undefined;
    this.#length = 0;
  }

  #open(): ReturnType<typeof pino.destination> {
    // Before those of the output, which writes what it has been given.
    process.on('beforeExit', () => this.#pass());
    process.on('exit', () => this.#pass());
    return pino.destination({
      dest: 1,
      sync: false,
      contentMode: 'buffer',
      minLength: BLOCK_BYTES / 2,
      // Each block by itself: to join them would copy them.
      maxWrite: BLOCK_BYTES,
    });
  }
}
