/**
 * The worker: takes due vends from the queue, sends those never sent, asks about the others, and resolves what it learns.
 *
 * Guarantees: a vend is in one worker's hands at a time (a lease, `for update skip locked`); its attempt is committed before the call;
 * an expired lease means *query*, never *send again*. It may run in any number of processes.
 */
import type { Clock } from '../clock.ts';
import type { Database } from '../db/database.ts';
import type { Logger } from '../log.ts';
import type { Provider } from '../providers/provider.ts';
import { type Attempter, attemptVend, queryVend } from './attempt-vend.ts';
import { type ClaimedVend, claimVends, insertAttempts, type NewAttempt } from './claim-store.ts';
import { type Resolver, resolveVend } from './resolve-vend.ts';
import type { VendInHand } from './vend-in-hand.ts';
import { providerOfAttempt } from './vend-policy.ts';

/** Longer than any call lasts, so that a lease runs out only on a process that is gone or stuck. */
export const LEASE_MS = 120_000;
const IDLE_POLL_MS = 200;
const TROUBLE_PAUSE_MS = 1_000;
const CLAIM_MAX = 250;

export type WorkerOptions = {
  readonly database: Database;
  readonly gatewayId: string;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly attempter: Attempter;
  readonly resolver: Resolver;
  readonly clock: Clock;
  readonly log: Logger;
  /** Vends in hand at the same time. */
  readonly inHandMax: number;
};

export class VendWorker implements AsyncDisposable {
  readonly #options: WorkerOptions;
  readonly #inHand = new Set<Promise<void>>();
  #stopping = false;
  #wake: (() => void) | undefined;
  #woken = false;
  #loop: Promise<void> | undefined;

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  get inHand(): number {
    return this.#inHand.size;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** There is work: do not wait for the next poll. */
  wake(): void {
    this.#woken = true;
    this.#wake?.();
  }

  /** Takes no more, and waits for what is in hand. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    this.wake();
    await this.#loop;
    await Promise.all(this.#inHand);
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      const free = this.#options.inHandMax - this.#inHand.size;
      if (free <= 0) {
        await Promise.race(this.#inHand);
        continue;
      }
      this.#woken = false;
      const limit = Math.min(free, CLAIM_MAX);
      const pauseMs = await this.#take(limit);
      if (pauseMs > 0 && !this.#stopping) await this.#pause(pauseMs);
    }
  }

  /** Takes what is due into hand; gives how long to wait before looking again. */
  async #take(limit: number): Promise<number> {
    try {
      const vends = await this.#claim(limit);
      for (const { vend, step } of vends) this.#hold(this.#work(vend, step));
      return vends.length === limit ? 0 : IDLE_POLL_MS;
    } catch (error) {
      this.#options.log.warn({ err: error }, 'cannot take vends from the queue; trying again');
      return TROUBLE_PAUSE_MS;
    }
  }

  async #claim(limit: number): Promise<{ vend: VendInHand; step: 'send' | 'query' }[]> {
    const { database, gatewayId, clock } = this.#options;
    const takenAtMs = clock.elapsedMs();
    return await database.transaction(async (tx) => {
      const claimed = await claimVends(tx, gatewayId, { limit, leaseMs: LEASE_MS });
      const attempts = claimed.filter((vend) => vend.step === 'send').map((vend) => this.#newAttempt(vend));
      if (attempts.length > 0) await insertAttempts(tx, attempts);
      const fresh = new Map(attempts.map((attempt) => [attempt.vendId, { ...attempt, ageMs: 0 }]));
      return claimed.map((vend) => {
        const attempt = vend.attempt ?? fresh.get(vend.vendId);
        if (attempt === undefined)
          throw new Error(`vend ${vend.vendId} is to be asked about and has no attempt`);
        return { vend: { ...vend, attempt, takenAtMs, final: false }, step: vend.step };
      });
    });
  }

  #newAttempt(vend: ClaimedVend): NewAttempt {
    const name = providerOfAttempt(vend.route, vend.attempts);
    const provider = this.#options.providers.get(name);
    return {
      merchantId: vend.merchantId,
      vendId: vend.vendId,
      number: vend.attempts,
      provider: name,
      reference: provider?.mintReference(this.#options.clock.now()) ?? `unsendable-${vend.vendId}`,
      reason: reasonOf(vend),
    };
  }

  async #work(vend: VendInHand, step: 'send' | 'query'): Promise<void> {
    const { attempter, resolver, log } = this.#options;
    try {
      const answer = step === 'send' ? await attemptVend(attempter, vend) : await queryVend(attempter, vend);
      const { effect } = await resolveVend(resolver, vend, step === 'send' ? 'vend' : 'query', answer);
      if (effect.kind === 'retry' && effect.dueMs === 0) this.wake();
    } catch (error) {
      // Its lease runs out, and it will be asked about.
      log.error({ err: error, vend: vend.vendId }, 'a vend could not be resolved by the worker');
    }
  }

  #hold(work: Promise<void>): void {
    this.#inHand.add(work);
    void work.finally(() => this.#inHand.delete(work));
  }

  async #pause(ms: number): Promise<void> {
    if (this.#woken) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}

function reasonOf(vend: ClaimedVend): string {
  if (vend.attempts === 1) return 'first of the route';
  return vend.attempts <= vend.route.length
    ? 'next of the route: the one before did not take the order'
    : 'tried again: the order had not left';
}
