/**
 * A resource with limited capacity: cores, the thread of a process, a wallet's lock, the slots of a
 * provider. Others wait, first come, first served.
 */
import type { Simulation } from './simulation.ts';

export class Resource {
  readonly #simulation: Simulation;
  readonly #places: number;
  readonly #waiting: (() => void)[] = [];
  /**
   * Entries before this index have left the queue; removing them from the front of an array would
   * copy it.
   */
  #first = 0;
  #taken = 0;
  #usedUs = 0;
  #since = 0;

  constructor(simulation: Simulation, places: number) {
    this.#simulation = simulation;
    this.#places = places;
  }

  take(then: () => void): void {
    if (this.#taken < this.#places) {
      this.#note();
      this.#taken += 1;
      then();
    } else {
      this.#waiting.push(then);
    }
  }

  release(): void {
    const next = this.#waiting[this.#first];
    if (next === undefined) {
      this.#note();
      this.#taken -= 1;
      return;
    }
    this.#first += 1;
    if (this.#first > 1_000 && this.#first * 2 > this.#waiting.length) {
      this.#waiting.splice(0, this.#first);
      this.#first = 0;
    }
    next();
  }

  /** The utilisation of the whole capacity since the start. */
  usage(): number {
    this.#note();
    return this.#usedUs / (this.#simulation.now * this.#places);
  }

  #note(): void {
    this.#usedUs += (this.#simulation.now - this.#since) * this.#taken;
    this.#since = this.#simulation.now;
  }
}

/** Takes one unit of each, in this order, for the given time. */
export function use(
  simulation: Simulation,
  resources: readonly Resource[],
  serviceUs: number,
  then: () => void,
): void {
  takeAll(resources, () =>
    simulation.after(serviceUs, () => {
      for (const resource of resources) resource.release();
      then();
    }),
  );
}

/** Takes one unit of each, in this order. Callers that use the same order cannot deadlock. */
export function takeAll(resources: readonly Resource[], then: () => void, from = 0): void {
  const resource = resources[from];
  if (resource === undefined) then();
  else resource.take(() => takeAll(resources, then, from + 1));
}
