/**
 * The worker: takes due vends from the queue, sends those never sent, asks about the others, and
 * resolves what it learns.
 *
 * Guarantees: a vend is in one worker's hands at a time (a lease, `for update skip locked`); its
 * attempt is committed before the call; an expired lease means *query*, never *send again*. It may
 * run in any number of processes.
 */

import type { Database, Tx } from '../../db/database.ts';
import { isConnectionLost } from '../../db/database-errors.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Round } from '../../kernel/job.ts';
import type { Logger } from '../../kernel/log.ts';
import type { Provider } from '../../providers/provider.ts';
import type { VendInHand } from '../vend/vend-in-hand.ts';
import { providerOfAttempt } from '../vend/vend-policy.ts';
import { type Attempter, attemptVend, queryVend } from './attempt-vend.ts';
import {
  type ClaimedVend,
  claimVends,
  insertAttempts,
  isAttemptStored,
  type NewAttempt,
} from './claim-store.ts';
import { type Resolver, resolveVend } from './resolve-vend.ts';

/** Longer than any call lasts, so that a lease runs out only on a process that is gone or stuck. */
export const LEASE_MS = 120_000;
export const IDLE_POLL_MS = 200;
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

type TakenVend = { readonly vend: VendInHand; readonly step: 'send' | 'query' };
/** What one transaction takes from the queue, and the attempts it stores. */
type Claim = { vends: readonly TakenVend[]; attempts: readonly NewAttempt[] };

export class VendWorker implements AsyncDisposable {
  readonly #options: WorkerOptions;
  readonly #inHand = new Set<Promise<void>>();
  #stopping = false;
  #wake: (() => void) | undefined;
  #woken = false;
  #loop: Promise<void> | undefined;
  #round: Round = (work) => work();

  constructor(options: WorkerOptions) {
    this.#options = options;
  }

  get inHand(): number {
    return this.#inHand.size;
  }

  /** Each look into the queue passes through `round`. */
  start(round: Round): void {
    this.#round = round;
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
    const vends = await this.#round(() => this.#claim(limit));
    if (vends === undefined) return TROUBLE_PAUSE_MS;
    for (const { vend, step } of vends) this.#hold(this.#work(vend, step));
    return vends.length === limit ? 0 : IDLE_POLL_MS;
  }

  async #claim(limit: number): Promise<readonly TakenVend[]> {
    const claim: Claim = { vends: [], attempts: [] };
    const takenAtMs = this.#options.clock.elapsedMs();
    try {
      await this.#options.database.transaction((tx) => this.#claimIn(tx, limit, takenAtMs, claim));
    } catch (error) {
      if (!isConnectionLost(error) || !(await this.#isCommitted(claim))) throw error;
    }
    return claim.vends;
  }

  async #claimIn(tx: Tx, limit: number, takenAtMs: number, claim: Claim): Promise<void> {
    const claimed = await claimVends(tx, this.#options.gatewayId, { limit, leaseMs: LEASE_MS });
    claim.attempts = claimed.filter((vend) => vend.step === 'send').map((vend) => this.#newAttempt(vend));
    if (claim.attempts.length > 0) await insertAttempts(tx, claim.attempts);
    const fresh = new Map(claim.attempts.map((attempt) => [attempt.vendId, { ...attempt, ageMs: 0 }]));
    claim.vends = claimed.map((vend) => {
      const attempt = vend.attempt ?? fresh.get(vend.vendId);
      if (attempt === undefined)
        throw new Error(`vend ${vend.vendId} is to be asked about and has no attempt`);
      return { vend: { ...vend, attempt, takenAtMs, final: false }, step: vend.step };
    });
  }

  /**
   * Whether a claim was stored whose commit went unanswered: all of it, or nothing. Else its vends
   * would lie in nobody's hands until their lease runs out, and then be failed without ever having
   * been sent.
   */
  async #isCommitted({ vends, attempts: [first] }: Claim): Promise<boolean> {
    // Without an attempt there are only questions to ask, and those may be asked twice.
    if (first === undefined) return vends.length > 0;
    while (!this.#stopping) {
      try {
        return await isAttemptStored(this.#options.database, first);
      } catch (error) {
        this.#options.log.warn({ err: error }, 'cannot see whether vends were taken; trying again');
        await new Promise((resolve) => setTimeout(resolve, TROUBLE_PAUSE_MS));
      }
    }
    return false;
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
