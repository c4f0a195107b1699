/**
 * All steps of a simulation that wait for the outside: statements on their way to the database,
 * calls on their way to a provider and back, workers about to read the queue. One step happens at a
 * time, chosen by the simulation.
 */
import type { SimulatedTime } from './simulated-time.ts';

export type StepKind = 'commit' | 'call' | 'look';

export type Step = {
  readonly kind: StepKind;
  /** The process that waits for it. */
  readonly process: string;
  /** Its description in the log of a run. */
  readonly what: string;
  /** It does not happen before this time. */
  readonly fromMs: number;
  /** It consists of several statements, which are not interrupted. */
  readonly isWhole: boolean;
  /** It happens outside. Returns a function that delivers the result to its process. */
  readonly begin: () => Promise<() => void>;
  /** It happens outside, and the process never gets the result. */
  readonly happenUnheard: () => Promise<void>;
  /** The process sees a broken connection. */
  readonly breakOff: (error: Error) => void;
};

export class Steps {
  readonly #time: SimulatedTime;
  #waiting: Step[] = [];
  /** How many have happened. */
  happened = 0;
  /** The past steps, for a report. */
  #tale: string[] = [];
  /** Dead processes: none of the steps that they still begin happens. */
  readonly #gone = new Set<string>();
  /** Paused processes, and the end of each pause. */
  readonly #frozen = new Map<string, number>();

  constructor(time: SimulatedTime) {
    this.#time = time;
  }

  /** All of them, in order of arrival. */
  get waiting(): readonly Step[] {
    return this.#waiting;
  }

  /** The possible next steps, in a fixed order. */
  get ready(): readonly Step[] {
    const { elapsedMs } = this.#time;
    return this.#waiting.filter(({ process, fromMs }) => fromMs <= elapsedMs && !this.isFrozen(process));
  }

  /** The process is paused, as if its machine had stopped. Its sent requests wait too. */
  freeze(process: string, ms: number): void {
    this.#frozen.set(process, this.#time.elapsedMs + ms);
  }

  isFrozen(process: string): boolean {
    return (this.#frozen.get(process) ?? 0) > this.#time.elapsedMs;
  }

  /** Resumes every process. */
  thaw(): void {
    this.#frozen.clear();
  }

  /** Waits until the simulation runs the step, and returns its result. */
  wait<T>(
    kind: StepKind,
    process: string,
    what: string,
    run: () => Promise<T>,
    { afterMs = 0, isWhole = false }: { readonly afterMs?: number; readonly isWhole?: boolean } = {},
  ): Promise<T> {
    const fromMs = this.#time.elapsedMs + afterMs;
    if (this.#gone.has(process)) return new Promise(() => undefined);
    return new Promise((resolve, reject) => {
      const begin = async (): Promise<() => void> => {
        try {
          const result = await run();
          return () => resolve(result);
        } catch (error) {
          return () => reject(error);
        }
      };
      this.#waiting.push({
        kind,
        process,
        what,
        fromMs,
        isWhole,
        begin,
        happenUnheard: async () => {
          await run().catch(() => undefined);
        },
        breakOff: reject,
      });
    });
  }

  /** Returns the steps since the last call, one sentence each. */
  takeTale(): readonly string[] {
    const tale = this.#tale;
    this.#tale = [];
    return tale;
  }

  async happen(step: Step): Promise<void> {
    await this.happenInTurn([step]);
  }

  /**
   * In this order, and each process gets its results in the same order. All are sent to the
   * database at once, which is quicker and makes no other difference: none may be a whole
   * transaction, unless it is the only one.
   */
  async happenInTurn(steps: readonly Step[]): Promise<void> {
    for (const step of steps) this.#take(step, '');
    const begun = steps.map((step) => step.begin());
    for (const one of begun) {
      const tell = await one;
      tell();
      await this.#settle();
    }
  }

  async happenUnheard(step: Step): Promise<void> {
    this.#take(step, ', and it never hears of it');
    await step.happenUnheard();
    await this.#settle();
  }

  /** Its process sees a broken connection. `happens` says whether the step was executed first. */
  async breakOff(step: Step, error: Error, happens: boolean): Promise<void> {
    this.#take(step, happens ? ', and the answer is lost' : ', which is lost on its way');
    if (happens) await step.happenUnheard();
    step.breakOff(error);
    await this.#settle();
  }

  /** The process is gone, so its awaited result never arrives. */
  forget(process: string): void {
    this.#gone.add(process);
    this.#frozen.delete(process);
    this.#waiting = this.#waiting.filter((step) => step.process !== process);
  }

  /** After the last process of a seed: the next seed has processes of the same names. */
  forgetTheDead(): void {
    this.#gone.clear();
  }

  /** Time passes, and the code that it wakes runs as far as it can. */
  async pass(ms: number): Promise<void> {
    this.#time.pass(ms);
    await this.#settle();
  }

  async #settle(): Promise<void> {
    await this.#time.quiet();
    while (this.#time.fireNext()) await this.#time.quiet();
  }

  #take(step: Step, how: string): void {
    this.happened += 1;
    this.#tale.push(`${step.process} ${step.what}${how}`);
    this.#waiting.splice(this.#waiting.indexOf(step), 1);
  }
}
