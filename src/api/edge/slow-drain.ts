/**
 * Reads the large bodies of refused requests, and drops them, at a rate that the process does not
 * feel however many there are. Their senders often read nothing before all is written: without this
 * they would find a broken connection, no answer.
 */
import type { IncomingMessage } from 'node:http';

const EVERY_MS = 20;
/** Each time, of so many requests, a piece of up to 64 KiB each. */
const PIECES = 2;
/** Whoever has not written all by then is answered all the same, and loses the connection. */
const GIVE_UP_MS = 10_000;
/** So does whoever writes nothing for so long. */
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

  /** Resolves when the body is at its end, or is not waited for any longer. */
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
      // To read what there is lets more come.
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
