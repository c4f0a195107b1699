/**
 * Many deadlines with one timer. Most of them are cancelled long before they are due, so a timer
 * for each would be created and cleared for nothing.
 *
 * They are stored in an array, in which each knows its index, and not in a `Set`: see bag.ts.
 */

/** Made by `add`; only `Deadlines` changes it. */
export type Deadline = { readonly dueMs: number; readonly onDue: () => void; place: number };

/** The index of a deadline that is over. */
const OVER = -1;

export class Deadlines {
  readonly #open: Deadline[] = [];
  #timer: NodeJS.Timeout | undefined;
  /** When the timer fires, as `performance.now` counts. */
  #timerMs = Number.POSITIVE_INFINITY;

  /** Calls `onDue` once after `ms`, unless it is cancelled before. */
  add(ms: number, onDue: () => void): Deadline {
    const dueMs = performance.now() + Math.max(ms, 0);
    const deadline = { dueMs, onDue, place: this.#open.length };
    if (deadline.place === 0) this.#timer?.ref();
    this.#open.push(deadline);
    // The timer of an earlier deadline stays, even if that deadline was cancelled.
    if (dueMs < this.#timerMs) this.#startTimer(dueMs);
    return deadline;
  }

  /** Does nothing if the deadline is over. */
  cancel(deadline: Deadline): void {
    const { place } = deadline;
    if (place === OVER) return;
    deadline.place = OVER;
    const last = this.#open.pop();
    if (last !== undefined && last !== deadline) {
      this.#open[place] = last;
      last.place = place;
    }
    if (this.#open.length === 0) this.#timer?.unref();
  }

  #startTimer(dueMs: number): void {
    clearTimeout(this.#timer);
    this.#timerMs = dueMs;
    this.#timer = setTimeout(() => this.#callDue(), Math.ceil(dueMs - performance.now()));
  }

  #callDue(): void {
    this.#timer = undefined;
    this.#timerMs = Number.POSITIVE_INFINITY;
    const nowMs = performance.now();
    try {
      for (const deadline of this.#open.filter(({ dueMs }) => dueMs <= nowMs)) {
        // A deadline can be cancelled by the callback of the one before it.
        if (deadline.place === OVER) continue;
        this.cancel(deadline);
        deadline.onDue();
      }
    } finally {
      // Includes those after one whose callback threw.
      const nextMs = this.#open.reduce((ms, { dueMs }) => Math.min(ms, dueMs), Number.POSITIVE_INFINITY);
      if (nextMs < Number.POSITIVE_INFINITY) this.#startTimer(nextMs);
    }
  }
}
