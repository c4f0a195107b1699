/**
 * Writes log lines to standard output in blocks, because a write for each line would cost more than
 * the line. Lines wait as bytes: strings would be promoted to the old generation of the heap.
 *
 * Guarantees: lines are written whole and in order, after at most a second, and before the process
 * ends by itself.
 */
import { type DestinationStream, pino } from 'pino';

const BLOCK_BYTES = 65_536;
const WAIT_MS = 1_000;
/** The most bytes that UTF-8 needs for one UTF-16 unit. */
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

  /** Passes the block to the output, which writes it when enough has come together. */
  #pass(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#block === undefined) return;
    // In buffer mode the library takes bytes; its types only have strings.
    this.#output?.write(this.#block.subarray(0, this.#length) as unknown as string);
    this.#block = undefined;
    this.#length = 0;
  }

  #open(): ReturnType<typeof pino.destination> {
    // These run before the handlers of the output, which write its contents.
    process.on('beforeExit', () => this.#pass());
    process.on('exit', () => this.#pass());
    return pino.destination({
      dest: 1,
      sync: false,
      contentMode: 'buffer',
      minLength: BLOCK_BYTES / 2,
      // Joining blocks would copy them.
      maxWrite: BLOCK_BYTES,
    });
  }
}
