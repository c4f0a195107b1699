/** The gateway processes of a simulation: they start, work side by side, and die. */
import { type JobTime, type ProcessNumber, processes } from './command.ts';
import { type GatewayProcess, startProcess } from './gateway-process.ts';
import type { Installation } from './installation.ts';
import type { Step } from './steps.ts';

const SLICE_MS = 2_000;
/** How often the payments of an account are listed. */
const SWEEP_MS = 60_000;
/** A process with more would never become idle. */
const STEPS_MAX = 3_000;

export class Processes {
  readonly #installation: Installation;
  readonly #workBatches: (process: GatewayProcess) => Promise<unknown>;
  readonly #running = new Map<ProcessNumber, GatewayProcess>();
  #started = 0;

  constructor(installation: Installation, workBatches: (process: GatewayProcess) => Promise<unknown>) {
    this.#installation = installation;
    this.#workBatches = workBatches;
  }

  get running(): readonly GatewayProcess[] {
    return [...this.#running.values()];
  }

  /** Starts the process if it is not running. A request to a paused process goes to the next. */
  async need(wanted: ProcessNumber): Promise<GatewayProcess> {
    const number = this.#awake(wanted);
    const present = this.#running.get(number);
    if (present !== undefined) return present;
    this.#started += 1;
    const name = `gateway ${number + 1}.${this.#started}`;
    let isUp = false;
    const starting = startProcess(this.#installation, name, number % 2);
    void starting.finally(() => {
      isUp = true;
    });
    await this.#untilIdle(() => isUp, name);
    const process = await starting;
    this.#running.set(number, process);
    let isRead = false;
    void process.readBalances().finally(() => {
      isRead = true;
    });
    await this.#untilIdle(() => isRead, name);
    return process;
  }

  /** `arrives`: its sent requests still arrive. */
  async die(number: ProcessNumber, arrives: boolean): Promise<boolean> {
    const process = this.#running.get(number);
    if (process === undefined) return false;
    const { steps } = this.#installation;
    this.#running.delete(number);
    // The answer is lost, so the code that waits for it must not continue.
    const sent = steps.waiting.filter((step) => step.process === process.name && step.kind !== 'look');
    for (const step of sent) if (arrives) await steps.happenUnheard(step);
    steps.forget(process.name);
    return true;
  }

  async dieAll(): Promise<void> {
    for (const number of [...this.#running.keys()]) await this.die(number, false);
  }

  /** The process is paused this long, and then continues unchanged. */
  freeze(number: ProcessNumber, ms: number): void {
    const process = this.#running.get(number);
    if (process !== undefined) this.#installation.steps.freeze(process.name, ms);
  }

  setClock(number: ProcessNumber, byMs: number): void {
    this.#running.get(number)?.setClock(byMs);
  }

  /** Everything that waits happens, in order, until only workers wait. */
  async drain(): Promise<void> {
    const { steps } = this.#installation;
    await this.#untilIdle(() => steps.ready.every((step) => step.kind === 'look'), undefined);
  }

  /**
   * Time passes in slices, in which every process sends heartbeats and works. In one of them every
   * process also checks the others.
   */
  async work(seconds: number, jobs: JobTime = 'last'): Promise<void> {
    const totalMs = seconds * 1_000;
    for (let leftMs = totalMs; leftMs > 0; leftMs -= SLICE_MS) {
      const isLast = leftMs <= SLICE_MS;
      await this.#installation.steps.pass(Math.min(leftMs, SLICE_MS));
      this.#beginJobs(jobs === 'first' ? leftMs === totalMs : isLast);
      if (isLast && jobs === 'left') return;
      await this.drain();
      await this.#look();
    }
  }

  /** `all`: not only the heartbeats. */
  #beginJobs(all: boolean): void {
    for (const process of this.running) {
      const { name, purchases, funding, webhooks, placeEvents, readBalances } = process;
      if (this.#installation.steps.isFrozen(name)) continue;
      const { background } = purchases;
      const jobs: (() => Promise<unknown>)[] = [background.beat];
      if (all) {
        jobs.push(
          background.takeOver,
          background.lookForForgotten,
          background.sweep,
          background.askPendingFulfilment,
          placeEvents,
          readBalances,
          webhooks.run,
          () => this.#workBatches(process),
        );
        jobs.push(funding.background.confirmPayments, () => funding.background.sweepPayments(SWEEP_MS));
      }
      for (const job of jobs) void job().catch(() => undefined);
    }
  }

  /** Workers poll until they find nothing more. */
  async #look(): Promise<void> {
    const { steps } = this.#installation;
    for (let round = 0; round < 4; round += 1) {
      const looks = steps.ready.filter((step) => step.kind === 'look');
      const before = steps.happened;
      await steps.happenInTurn(looks);
      await this.drain();
      // A poll that finds nothing is one statement.
      if (steps.happened - before <= 2 * looks.length) return;
    }
  }

  /** The first process from this one on that is not paused. */
  #awake(wanted: ProcessNumber): ProcessNumber {
    const { steps } = this.#installation;
    const singleFlight = [...processes.slice(wanted), ...processes.slice(0, wanted)];
    const isFrozen = (number: ProcessNumber): boolean => {
      const process = this.#running.get(number);
      return process !== undefined && steps.isFrozen(process.name);
    };
    return singleFlight.find((number) => !isFrozen(number)) ?? wanted;
  }

  async #untilIdle(isIdle: () => boolean, process: string | undefined): Promise<void> {
    const { steps } = this.#installation;
    for (let count = 0; count < STEPS_MAX; count += 1) {
      await steps.pass(1);
      if (isIdle()) return;
      await steps.happenInTurn(
        nextOf(steps.ready.filter((one) => one.kind !== 'look' && (process ?? one.process) === one.process)),
      );
    }
    throw new Error(`${process ?? 'the gateways'} never come to rest`);
  }
}

/** The first, and the following ones that can be sent together with it. */
function nextOf(ready: readonly Step[]): readonly Step[] {
  const whole = ready.findIndex(({ isWhole }) => isWhole);
  return ready.slice(0, whole === -1 ? ready.length : Math.max(1, whole));
}
