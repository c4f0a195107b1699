/**
 * Whether this process has recorded that it lives in each cell of another server. A cell whose
 * server does not answer delays no other, and is served from its first record on.
 */
import { GatewayError } from '../core/errors.ts';
import type { Logger } from '../core/log.ts';

/** A later record is missing, rather than late. */
const SILENT_MS = 5_000;

export type CellState = {
  readonly number: number;
  readonly isReachable: boolean;
};

export class CellContact {
  readonly #beats: readonly (() => Promise<void>)[];
  readonly #log: Logger;
  readonly #okAtMs = new Map<number, number>();
  readonly #running = new Set<number>();
  readonly #failing = new Set<number>();

  /** `beats` record that the process lives, by the number of the cell. */
  constructor(beats: readonly (() => Promise<void>)[], log: Logger) {
    this.#beats = beats;
    this.#log = log;
  }

  /** Starts a record in each cell that is not still waiting for the last one. */
  start(): void {
    for (const number of this.#beats.keys()) void this.beat(number);
  }

  /** Resolves after a failure as well. */
  async beat(number: number): Promise<void> {
    if (this.#running.has(number)) return;
    this.#running.add(number);
    try {
      await this.#beats[number]?.();
      this.#okAtMs.set(number, performance.now());
      if (this.#failing.delete(number)) this.#log.info({ cell: number }, 'the cell answers again');
    } catch (error) {
      if (!this.#failing.has(number)) {
        this.#log.warn({ err: error, cell: number }, 'the cell does not answer: its merchants wait');
      }
      this.#failing.add(number);
    } finally {
      this.#running.delete(number);
    }
  }

  /** Throws GatewayError `database_away` until the cell has the first record of this process. */
  require(number: number): void {
    if (!this.#okAtMs.has(number)) throw new GatewayError({ code: 'database_away' });
  }

  states(): readonly CellState[] {
    const nowMs = performance.now();
    return this.#beats.map((_, number) => ({
      number,
      isReachable: nowMs - (this.#okAtMs.get(number) ?? Number.NEGATIVE_INFINITY) < SILENT_MS,
    }));
  }
}
