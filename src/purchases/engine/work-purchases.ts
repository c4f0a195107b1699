/**
 * The worker: claims due purchases from the queue, sends those that were never sent, queries the
 * others, and resolves the answers. Each provider gets as many as its limiter allows, independently
 * of the others. Guarantees: one worker holds a purchase at a time (a lease, `for update skip
 * locked`). Its attempt is committed before the call. An expired lease means *query*, never *send
 * again*. Any number of processes may run it. A slow or absent provider does not delay the
 * purchases of others.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { InFlight } from '../../core/in-flight.ts';
import type { Round } from '../../core/job.ts';
import type { Tx } from '../../db/database.ts';
import { isLasting } from '../../db/database-errors.ts';
import { newTurn, type Turn } from '../../providers/http/limiter.ts';
import type { Provider } from '../../providers/provider.ts';
import type { PurchaseInHand } from '../state/purchase-in-hand.ts';
import { type Attempter, attemptPurchase, queryAttempt } from './attempt-purchase.ts';
import { type Claimer, type TakenPurchase, takePurchases } from './claim-purchases.ts';
import {
  type ClaimedPurchase,
  claimLanePurchases,
  claimOverduePurchases,
  findDueProviders,
  findWaitingProviders,
  type LaneFrom,
  type Step,
} from './claim-store.ts';
import type { DatabaseClock } from './database-clock.ts';
import { DEAD_AFTER_MS, findLiveGateways } from './gateway-store.ts';
import { canCall, endTurn, isOpen, roomAt } from './provider-room.ts';
import { quarantinePurchases } from './quarantined-purchase-store.ts';
import { QueueWatermarks } from './queue-watermarks.ts';
import { type Resolver, resolvePurchase } from './resolve-purchase.ts';

/** Longer than any call lasts, so a lease expires only if its process is dead or stuck. */
export const LEASE_MS = 120_000;
export const IDLE_POLL_MS = 200;
const TROUBLE_PAUSE_MS = 1_000;
const CLAIM_MAX = 250;
/**
 * A provider at its limit gets more when a call ends, or after this time, because its rate limit
 * refills.
 */
const FULL_PAUSE_MS = 50;
/** So that calls that end together are followed by one claim. */
const GATHER_MS = 5;

export type WorkerOptions = Claimer &
  Attempter &
  Resolver & {
    readonly databaseClock: Pick<DatabaseClock, 'correct' | 'aheadMs'>;
    readonly gatewayId: string;
    /** Whether the provider gets no new purchases. Queries continue. */
    readonly isPaused: (provider: Provider) => boolean;
  };

/** A provider as the worker serves it. */
type Fed = {
  readonly provider: Provider;
  feeding: Promise<void> | undefined;
  /** Work arrived while it was being served. */
  again: boolean;
  /** Claimed and not yet resolved. */
  held: number;
  /** One call is in progress to test whether the provider has recovered. */
  isProbing: boolean;
  /** The merchant that was served last. */
  readonly after: { send: number; query: number };
};

export class PurchaseWorker implements AsyncDisposable {
  readonly #options: WorkerOptions;
  readonly #fed: Fed[] = [];
  readonly #names: string[] = [];
  readonly #bounds: QueueWatermarks;
  readonly #inHand = new InFlight();
  #stopping = false;
  #wake: (() => void) | undefined;
  #woken = false;
  #loop: Promise<void> | undefined;
  #round: Round = (work) => work();

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#bounds = new QueueWatermarks(options.database, this.#names);
    for (const provider of options.providers.values()) this.feed(provider);
  }

  feeds(provider: string): boolean {
    return this.#names.includes(provider);
  }

  /** Claims the purchases of one more provider. */
  feed(provider: Provider): void {
    const after = { send: -1, query: -1 };
    this.#fed.push({ provider, feeding: undefined, again: false, held: 0, isProbing: false, after });
    this.#names.push(provider.name);
  }

  get inHand(): number {
    return this.#inHand.count;
  }

  /** Each scan of the queue passes through `round`. */
  start(round: Round): void {
    this.#round = round;
    this.#loop ??= this.#run();
  }

  /** There is work, for this provider if one is named, so do not wait for the next poll. */
  wake(provider?: string): void {
    for (const fed of this.#fed) {
      if (provider !== undefined && fed.provider.name !== provider) continue;
      fed.again = true;
      if (fed.feeding === undefined) this.#woken = true;
    }
    if (this.#woken || this.#stopping) this.#wake?.();
  }

  /**
   * Claims purchases outside the providers' queues: those that have waited too long, and those of a
   * provider that no live process can call. The latter only if this process `declaresDead`, which
   * means that it can decide which processes are alive.
   */
  async sweep(declaresDead: boolean): Promise<void> {
    const { database, gatewayId, unsentMs, databaseClock, restoreLock } = this.#options;
    // After a restore it is unknown whether any of it was sent.
    if (restoreLock.isUp('live')) return;
    const aheadMs = databaseClock.aheadMs();
    const [asyncMs, syncMs] = [unsentMs.async + aheadMs, unsentMs.sync + aheadMs];
    const overdue = { asyncMs, syncMs, limit: CLAIM_MAX, leaseMs: LEASE_MS };
    await this.#sweepUp((tx) => claimOverduePurchases(tx, gatewayId, overdue));
    if (!declaresDead) return;
    const gateways = await findLiveGateways(database, DEAD_AFTER_MS);
    for (const provider of await findWaitingProviders(database)) {
      if (gateways.some(({ providers }) => canCall(providers, provider))) continue;
      for (const step of ['send', 'query'] as const) {
        const claim = { provider, step, limit: CLAIM_MAX, after: -1, leaseMs: LEASE_MS };
        await this.#sweepUp((tx) => claimLanePurchases(tx, gatewayId, claim));
      }
    }
  }

  /** Moves the watermarks of the queue. */
  moveBounds(): Promise<void> {
    return this.#bounds.move();
  }

  /** Stops claiming, and waits for the claimed purchases. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping = true;
    this.wake();
    await this.#loop;
    await Promise.all(this.#fed.map(({ feeding }) => feeding));
    await this.#inHand.over();
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      this.#woken = false;
      const idle = this.#fed.filter((fed) => fed.feeding === undefined && this.#hasRoom(fed));
      const due =
        idle.length === 0
          ? []
          : await this.#round(() => findDueProviders(this.#options.database, this.#lanesOf(idle)));
      for (const fed of idle) if (due?.includes(fed.provider.name)) this.#startFeeding(fed);
      if (this.#stopping) return;
      await this.#pause(due === undefined ? TROUBLE_PAUSE_MS : IDLE_POLL_MS);
    }
  }

  #lanesOf(feds: readonly Fed[]): LaneFrom[] {
    return feds.flatMap(({ provider }) =>
      (['send', 'query'] as const)
        .filter((step) => step === 'query' || !this.#options.isPaused(provider))
        .map((step) => ({
          provider: provider.name,
          step,
          dueFrom: this.#bounds.dueFrom(provider.name, step),
        })),
    );
  }

  #startFeeding(fed: Fed): void {
    fed.feeding = this.#feed(fed).finally(() => {
      fed.feeding = undefined;
      if (fed.again && isOpen(fed.provider)) this.wake(fed.provider.name);
    });
  }

  /** Works until nothing more is due, or its provider is held back. */
  async #feed(fed: Fed): Promise<void> {
    while (!this.#stopping && isOpen(fed.provider)) {
      if (!this.#hasRoom(fed)) {
        await (fed.provider.limiters?.orders.freed(FULL_PAUSE_MS) ?? sleep(FULL_PAUSE_MS));
        await sleep(GATHER_MS);
        continue;
      }
      fed.again = false;
      const took = await this.#round(() => this.#take(fed));
      if (took === undefined) return await sleep(TROUBLE_PAUSE_MS);
      // Picks up new arrivals now instead of at the next poll.
      if (took === 'all' && !fed.again) return;
    }
  }

  /** Purchases first, then queries, as many as the provider can take. */
  async #take(fed: Fed): Promise<'all' | 'some'> {
    const { gatewayId, isPaused } = this.#options;
    const { name } = fed.provider;
    let took: 'all' | 'some' = 'all';
    for (const step of ['send', 'query'] as const) {
      const limit = this.#roomOf(fed, step);
      if (limit === 0) {
        // Purchases of a paused provider are not claimed until it is resumed.
        if (step === 'query' || !isPaused(fed.provider)) took = 'some';
        continue;
      }
      const claim = {
        provider: name,
        step,
        limit,
        after: fed.after[step],
        leaseMs: LEASE_MS,
        dueFrom: this.#bounds.dueFrom(name, step),
      };
      const purchases = await takePurchases(
        this.#options,
        (tx) => claimLanePurchases(tx, gatewayId, claim),
        () => this.#stopping,
      );
      for (const taken of purchases) this.#inHand.add(this.#workInTurn(fed, taken));
      fed.after[step] = lastInTurn(purchases, fed.after[step]);
      if (purchases.length === limit) took = 'some';
    }
    return took;
  }

  async #workInTurn(fed: Fed, taken: TakenPurchase): Promise<void> {
    const turn = turnOf(taken);
    // A row whose provider differs from that of its attempt takes no slot here.
    if (taken.purchase.attempt.provider === fed.provider.name) fed.provider.limiters?.orders.reserve(turn);
    const isProbe = fed.provider.breakerState?.() === 'half_open';
    if (isProbe) fed.isProbing = true;
    fed.held += 1;
    await this.#work(taken, turn);
    endTurn(turn);
    fed.held -= 1;
    if (isProbe) fed.isProbing = false;
  }

  async #sweepUp(read: (tx: Tx) => Promise<ClaimedPurchase[]>): Promise<void> {
    const purchases = await takePurchases(this.#options, read, () => this.#stopping);
    await Promise.all(purchases.map((taken) => this.#work(taken, turnOf(taken))));
  }

  #hasRoom(fed: Fed): boolean {
    return this.#roomOf(fed, 'send') > 0 || this.#roomOf(fed, 'query') > 0;
  }

  /** Answers that wait to be stored take no slot at the provider, and are limited here. */
  #roomOf({ provider, held, isProbing }: Fed, step: Step): number {
    if (isProbing || (step === 'send' && this.#options.isPaused(provider))) return 0;
    return Math.max(0, Math.min(roomAt(provider, step), CLAIM_MAX, 4 * CLAIM_MAX - held));
  }

  /** Never rejects. */
  async #work({ purchase, step }: TakenPurchase, turn: Turn): Promise<void> {
    const options = this.#options;
    try {
      const answer =
        step === 'send'
          ? await attemptPurchase(options, purchase, turn)
          : await queryAttempt(options, purchase, turn);
      const { effect } = await resolvePurchase(
        options,
        purchase,
        step === 'send' ? 'purchase' : 'query',
        answer,
      );
      if (effect.kind === 'retry' && effect.dueMs === 0) this.wake(effect.provider);
    } catch (error) {
      options.log.error(
        { err: error, purchase: purchase.purchaseId },
        'a purchase could not be resolved by the worker',
      );
      // Otherwise its lease runs out, and it will be queried.
      if (isLasting(error)) await this.#quarantine(purchase);
    }
  }

  /**
   * The answer cannot be stored, because something is wrong with the purchase: a person must act.
   */
  async #quarantine({ merchantId, purchaseId }: PurchaseInHand): Promise<void> {
    const { database, log } = this.#options;
    const why = 'the answer of its provider cannot be stored; the log has the error, and the hold stays';
    try {
      await quarantinePurchases(database, [{ merchantId, purchaseId, why }]);
    } catch (error) {
      log.error(
        { err: error, purchase: purchaseId },
        'a purchase could not be quarantined: it is queried again',
      );
    }
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

function turnOf({ purchase, step }: TakenPurchase): Turn {
  return newTurn(step === 'send' ? 'queued' : 'query', purchase.merchantId);
}

/** The next merchant after `after`, wrapping around. */
function lastInTurn(purchases: readonly TakenPurchase[], after: number): number {
  const ids = purchases.map(({ purchase }) => purchase.merchantId);
  const around = ids.filter((id) => id <= after);
  return around.length > 0 ? Math.max(...around) : Math.max(after, ...ids);
}
