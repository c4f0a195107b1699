/**
 * Many deadlines with one timer. Most of them are cancelled long before they are due, and a timer
 * for each would be made and cleared for nothing.
 */

export type Deadline = { readonly dueMs: number; readonly onDue: () => void };

export class Deadlines {
  readonly #open = new Set<Deadline>();
  #timer: NodeJS.Timeout | undefined;
  /** When the timer fires, as `performance.now` counts. */
  #timerMs = Number.POSITIVE_INFINITY;

  /** Calls `onDue` once in `ms`, unless it is cancelled before. */
  add(ms: number, onDue: () => void): Deadline {
    const deadline = { dueMs: performance.now() + Math.max(ms, 0), onDue };
    if (this.#open.size === 0) this.#timer?.ref();
    this.#open.add(deadline);
    // The timer of an earlier deadline stays, also when that one was cancelled.
    if (deadline.dueMs < this.#timerMs) this.#startTimer(deadline.dueMs);
    return deadline;
  }

  cancel(deadline: Deadline): void {
    this.#open.delete(deadline);
    if (this.#open.size === 0) this.#timer?.unref();
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
    let nextMs = Number.POSITIVE_INFINITY;
    for (const deadline of this.#open) {
      if (deadline.dueMs > nowMs) {
        nextMs = Math.min(nextMs, deadline.dueMs);
        continue;
      }
      this.#open.delete(deadline);
      deadline.onDue();
    }
    if (nextMs < this.#timerMs) this.#startTimer(nextMs);
  }
}
