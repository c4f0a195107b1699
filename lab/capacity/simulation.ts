/**
 * Simulated time: events happen in the order of their times, and events of the same time in the
 * order in which they were scheduled. Times are microseconds.
 */

type Event = { readonly at: number; readonly order: number; readonly happen: () => void };

export class Simulation {
  now = 0;
  #order = 0;
  /** A binary heap: the next event is the first. */
  readonly #heap: Event[] = [];

  after(delay: number, happen: () => void): void {
    const event = { at: this.now + delay, order: this.#order, happen };
    this.#order += 1;
    let place = this.#heap.length;
    while (place > 0) {
      const parent = this.#heap[(place - 1) >> 1] as Event;
      if (!isBefore(event, parent)) break;
      this.#heap[place] = parent;
      place = (place - 1) >> 1;
    }
    this.#heap[place] = event;
  }

  /** Runs until nothing is due, or `isOver` returns true. */
  run(isOver: () => boolean = () => false): void {
    while (!isOver()) {
      const event = this.#takeFirst();
      if (event === undefined) return;
      this.now = event.at;
      event.happen();
    }
  }

  #takeFirst(): Event | undefined {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (first === undefined || last === undefined || this.#heap.length === 0) return first;
    let place = 0;
    for (;;) {
      let child = 2 * place + 1;
      const right = this.#heap[child + 1];
      const left = this.#heap[child];
      if (left === undefined) break;
      if (right !== undefined && isBefore(right, left)) child += 1;
      const least = this.#heap[child] as Event;
      if (!isBefore(least, last)) break;
      this.#heap[place] = least;
      place = child;
    }
    this.#heap[place] = last;
    return first;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
