/**
 * Group commit as in the gateway (src/purchases/engine/group-commit.ts), with its limits: items
 * that arrive while a batch is in the database go together in the next one.
 */
import { limits } from '../../src/core/limits.ts';
import type { Simulation } from './simulation.ts';

const MS = 1_000;

export type Item = { readonly wallet: number; readonly done: () => void };

type Run = (batch: readonly Item[], done: () => void) => void;

export class Group {
  readonly #simulation: Simulation;
  readonly #run: Run;
  /** Whether other processes use the same wallets. If so, small batches wait for more. */
  readonly #isShared: boolean;
  #queue: Item[] = [];
  #inFlight: number[] = [];
  #gatherUntil = 0;
  #willLook = false;

  constructor(simulation: Simulation, isShared: boolean, run: Run) {
    this.#simulation = simulation;
    this.#isShared = isShared;
    this.#run = run;
  }

  submit(item: Item): void {
    this.#queue.push(item);
    this.#fill();
  }

  #fill(): void {
    const { batchMax, batchesInFlightMax, batchBesideMin } = limits;
    if (this.#queue.length < batchBesideMin && this.#simulation.now < this.#gatherUntil) return;
    while (
      this.#inFlight.length < batchesInFlightMax &&
      this.#queue.length > 0 &&
      this.#queue.length >= this.#leastBatch()
    ) {
      this.#send(this.#queue.splice(0, batchMax));
    }
    this.#recheckSuccesses();
  }

  #leastBatch(): number {
    if (this.#inFlight.length === 0) return 1;
    const youngest = this.#simulation.now - Math.max(...this.#inFlight);
    return youngest >= limits.batchBesideAfterMs * MS ? 1 : limits.batchBesideMin;
  }

  /** Items that wait behind a slow batch are sent once that batch is old. */
  #recheckSuccesses(): void {
    if (this.#willLook || this.#queue.length === 0 || this.#inFlight.length !== 1) return;
    this.#willLook = true;
    const oldAt = (this.#inFlight[0] ?? 0) + limits.batchBesideAfterMs * MS;
    this.#simulation.after(Math.max(MS, oldAt - this.#simulation.now), () => {
      this.#willLook = false;
      this.#fill();
    });
  }

  #send(batch: readonly Item[]): void {
    const sentAt = this.#simulation.now;
    this.#inFlight.push(sentAt);
    this.#run(batch, () => {
      this.#inFlight.splice(this.#inFlight.indexOf(sentAt), 1);
      if (this.#queue.length >= limits.batchBesideMin) this.#fill();
      for (const { done } of batch) done();
      this.#fillSoon(this.#simulation.now - sentAt);
    });
  }

  #fillSoon(tookUs: number): void {
    const most = limits.gatherMaxMs * MS;
    const gatherUs = this.#isShared ? Math.min(tookUs * limits.gatherShare, most) : 0;
    this.#gatherUntil = this.#simulation.now + gatherUs;
    this.#simulation.after(gatherUs, () => this.#fill());
  }
}
