/**
 * Replaces the real time by that of a simulated machine. Timers fire only when the simulation moves
 * the time. Random values also come from the seed.
 *
 * The database driver keeps real timers, for code that runs in `real`.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { createSeeded, type Seeded } from '../support/seeded.ts';

type Timer = { dueMs: number; readonly order: number; readonly fire: () => void };

/** The part of a timer that callers of `setTimeout` use. */
type Handle = { ref(): Handle; unref(): Handle; hasRef(): boolean; [Symbol.dispose](): void };

const real = {
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setImmediate: globalThis.setImmediate,
  dateNow: Date.now,
  performanceNow: performance.now,
  random: Math.random,
  getRandomValues: crypto.getRandomValues,
};

const timersPromises: { setTimeout: unknown } = createRequire(import.meta.url)('node:timers/promises');
const realSleep = timersPromises.setTimeout as (ms: number, ...rest: unknown[]) => Promise<void>;

export class SimulatedTime {
  #elapsedMs = 0;
  #wallOffsetMs: number;
  #order = 0;
  #isReal = false;
  #immediates = 0;
  #chance: Seeded = createSeeded(0);
  readonly #timers = new Map<Handle, Timer>();

  /** Sets the simulated clocks to that time. */
  constructor(startMs: number) {
    this.#wallOffsetMs = startMs;
  }

  /** Elapsed milliseconds. */
  get elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** The true time, which no clock needs to show. */
  get nowMs(): number {
    return this.#wallOffsetMs + this.#elapsedMs;
  }

  /** Restarts the random values from a seed. */
  draw(seed: number): void {
    this.#chance = createSeeded(seed);
  }

  /** Replaces the clocks, timers and chance of this process until it is disposed. */
  install(): Disposable {
    Object.assign(globalThis, {
      setTimeout: (run: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) =>
        this.#isReal ? real.setTimeout(run, ms, ...values) : this.#start(() => run(...values), ms),
      clearTimeout: (handle: unknown) => {
        if (!this.#timers.delete(handle as Handle)) real.clearTimeout(handle as NodeJS.Timeout);
      },
      setImmediate: (run: (...values: unknown[]) => void, ...values: unknown[]) => {
        this.#immediates += 1;
        return real.setImmediate(() => {
          this.#immediates -= 1;
          run(...values);
        });
      },
    });
    Date.now = () => Math.floor(this.nowMs);
    performance.now = () => this.#elapsedMs;
    Math.random = () => this.#chance.draw();
    crypto.getRandomValues = ((target: Uint32Array) => {
      for (let index = 0; index < target.length; index += 1) target[index] = this.#chance.draw() * 2 ** 32;
      return target;
    }) as typeof crypto.getRandomValues;
    timersPromises.setTimeout = (ms: number, value?: unknown) =>
      this.#isReal ? realSleep(ms, value) : new Promise((resolve) => this.#start(() => resolve(value), ms));
    syncBuiltinESMExports();
    return { [Symbol.dispose]: restore };
  }

  /** Runs with the real timers, for code that uses the real database. */
  async real<T>(work: () => Promise<T>): Promise<T> {
    this.#isReal = true;
    try {
      return await work();
    } finally {
      this.#isReal = false;
    }
  }

  /** Lets time pass. Timers that became due fire at its end, as on a machine that was paused. */
  pass(ms: number): void {
    this.#elapsedMs += ms;
  }

  /** Fires the timer that has been due longest. False if none is due. */
  fireNext(): boolean {
    let next: [Handle, Timer] | undefined;
    for (const entry of this.#timers) {
      const [, { dueMs, order }] = entry;
      if (dueMs > this.#elapsedMs) continue;
      const [, found] = next ?? [];
      if (found === undefined || dueMs < found.dueMs || (dueMs === found.dueMs && order < found.order)) {
        next = entry;
      }
    }
    if (next === undefined) return false;
    this.#timers.delete(next[0]);
    next[1].fire();
    return true;
  }

  /** Removes all timers. */
  clear(): void {
    this.#timers.clear();
  }

  /** Resolves when the code waits only for time, database or network. */
  async quiet(): Promise<void> {
    do await new Promise((resolve) => real.setImmediate(resolve));
    while (this.#immediates > 0);
  }

  #start(fire: () => void, ms = 0): Handle {
    this.#order += 1;
    const handle: Handle = {
      ref: () => handle,
      unref: () => handle,
      hasRef: () => true,
      [Symbol.dispose]: () => void this.#timers.delete(handle),
    };
    this.#timers.set(handle, { dueMs: this.#elapsedMs + Math.max(1, ms), order: this.#order, fire });
    return handle;
  }
}

function restore(): void {
  const { setTimeout, clearTimeout, setImmediate } = real;
  Object.assign(globalThis, { setTimeout, clearTimeout, setImmediate });
  Date.now = real.dateNow;
  performance.now = real.performanceNow;
  Math.random = real.random;
  crypto.getRandomValues = real.getRandomValues;
  timersPromises.setTimeout = realSleep;
  syncBuiltinESMExports();
}
