/**
 * Reads and drops the large bodies of refused requests, at a rate that stays cheap however many
 * there are. Clients often write the whole body before they read. Without this they would find a
 * broken connection instead of the answer.
 */
import type { IncomingMessage } from 'node:http';

const EVERY_MS = 20;
/** Each turn reads a piece of up to 64 KiB from this many requests. */
const PIECES = 2;
/** A client that has not written everything by then is answered, and its connection is closed. */
const GIVE_UP_MS = 10_000;
/** The same applies to a client that writes nothing for this long. */
const SILENT_MS = 2_000;

type Draining = {
  readonly message: IncomingMessage;
  untilMs: number;
  silentUntilMs: number;
  readonly end: () => void;
};

export class SlowDrain {
  #waiting: Draining[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** Resolves when the body ends, or when its time is over. */
  drain(message: IncomingMessage): Promise<void> {
    return new Promise((resolve) => {
      const nowMs = performance.now();
      const bounds = { untilMs: nowMs + GIVE_UP_MS, silentUntilMs: nowMs + SILENT_MS };
      this.#waiting.push({ message, ...bounds, end: resolve });
      this.#timer ??= setInterval(() => this.#turn(), EVERY_MS);
    });
  }

  #turn(): void {
    const nowMs = performance.now();
    for (const draining of this.#waiting.splice(0, PIECES)) {
      // Reading what has arrived lets more arrive.
      if (draining.message.read() !== null) draining.silentUntilMs = nowMs + SILENT_MS;
      else if (nowMs > draining.silentUntilMs) draining.untilMs = nowMs;
      this.#waiting.push(draining);
    }
    const isOver = ({ message, untilMs }: Draining): boolean =>
      message.complete || message.readableEnded || message.destroyed || nowMs >= untilMs;
    for (const draining of this.#waiting) if (isOver(draining)) draining.end();
    this.#waiting = this.#waiting.filter((draining) => !isOver(draining));
    if (this.#waiting.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
