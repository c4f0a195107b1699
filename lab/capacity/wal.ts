/** The flush of PostgreSQL's log: one at a time, and each covers every waiting commit. */
import type { Simulation } from './simulation.ts';

export class Wal {
  readonly #simulation: Simulation;
  readonly #flushUs: number;
  #waiting: (() => void)[] = [];
  #isFlushing = false;
  #usedUs = 0;

  constructor(simulation: Simulation, flushUs: number) {
    this.#simulation = simulation;
    this.#flushUs = flushUs;
  }

  commit(done: () => void): void {
    this.#waiting.push(done);
    if (!this.#isFlushing) this.#flush();
  }

  usage(): number {
    return this.#usedUs / this.#simulation.now;
  }

  #flush(): void {
    const committed = this.#waiting;
    this.#waiting = [];
    this.#isFlushing = true;
    this.#simulation.after(this.#flushUs, () => {
      this.#usedUs += this.#flushUs;
      this.#isFlushing = false;
      for (const done of committed) done();
      if (this.#waiting.length > 0) this.#flush();
    });
  }
}
