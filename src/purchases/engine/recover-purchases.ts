/**
 * Keeps purchases from being left behind, during the whole run and not only at start: records that
 * this process lives, takes over the claims of dead processes, and makes purchases due that a live
 * one lost track of. Purchases that are taken over are queried, never sent again, so wrongly
 * declaring a process dead costs only a query.
 */

import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/log.ts';
import type { Sql } from '../../db/database.ts';
import type { DatabaseClock } from './database-clock.ts';
import {
  DEAD_AFTER_MS,
  findLiveGateways,
  type GatewayIdentity,
  type LiveGateway,
  makeForgottenDue,
  readDatabaseMs,
  signOffGateway,
  takeOverFromDead,
  touchGateway,
} from './gateway-store.ts';
import { repairStuckWork } from './stuck-work-store.ts';
import { LEASE_MS } from './work-purchases.ts';

/**
 * A process that missed its own heartbeats for this long, in milliseconds, cannot decide which
 * others are dead, because the database may have stalled for all of them. The others need a second
 * to record that they are alive.
 */
const STEADY_GAP_MS = 3_000;
/**
 * The number that is taken over at once. They become due for queries, and providers have limits.
 */
const TAKEN_AT_ONCE = 1_000;

export type RecoveryOptions = {
  /** The heartbeat has a separate connection, because a process without a heartbeat looks dead. */
  readonly databases: { readonly heartbeat: Sql; readonly work: Sql };
  readonly gateway: GatewayIdentity;
  /** Called with the live processes, including this one, to divide the capacity of providers. */
  readonly share: (gateways: readonly LiveGateway[]) => void;
  readonly log: Logger;
  readonly clock: Pick<Clock, 'elapsedMs'>;
  readonly databaseClock: DatabaseClock;
  readonly onTakenOver: () => void;
};

export class PurchaseRecovery {
  readonly #options: RecoveryOptions;
  #lastBeatMs = Number.NEGATIVE_INFINITY;
  /** Since when its heartbeats have been regular. */
  #steadySinceMs = Number.POSITIVE_INFINITY;
  #hasWoken = false;
  /** How long they had been missing before that. */
  #stoodStillMs = 0;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /** Resolves once this process is known to the others. Until then it must not accept purchases. */
  async announce(): Promise<void> {
    await this.beat();
  }

  /**
   * Stores a heartbeat, and updates this process's share of each provider. It runs more often than
   * the time after which a process counts as dead.
   */
  async beat(): Promise<void> {
    const { heartbeat } = this.#options.databases;
    const setMs = await this.#options.databaseClock.look(() =>
      touchGateway(heartbeat, this.#options.gateway),
    );
    const nowMs = this.#options.clock.elapsedMs();
    if (nowMs - this.#lastBeatMs > STEADY_GAP_MS) {
      this.#stoodStillMs = Number.isFinite(this.#lastBeatMs) ? nowMs - this.#lastBeatMs : 0;
      this.#steadySinceMs = nowMs;
    }
    this.#lastBeatMs = nowMs;
    // After a stall the others may not have recorded yet that they are alive. The share stays
    // unchanged meanwhile.
    const unseenMs = this.declaresDead() ? 0 : this.#stoodStillMs;
    // The same applies after the clock was set.
    if (!this.#options.databaseClock.wasSetWithin(DEAD_AFTER_MS)) {
      const gateways = await findLiveGateways(heartbeat, DEAD_AFTER_MS + unseenMs);
      this.#options.share(gateways);
    }
    await this.#onClockSet(setMs);
  }

  /**
   * Whether this process can decide which others are dead: its own heartbeats have succeeded for as
   * long as it takes to declare a process dead. Live processes have recorded themselves in that
   * time.
   */
  declaresDead(): boolean {
    const nowMs = this.#options.clock.elapsedMs();
    return (
      nowMs - this.#lastBeatMs <= STEADY_GAP_MS &&
      nowMs - this.#steadySinceMs >= DEAD_AFTER_MS &&
      !this.#options.databaseClock.wasSetWithin(DEAD_AFTER_MS)
    );
  }

  /**
   * Takes over the purchases of dead processes, some at a time, if it can decide which are dead.
   */
  async takeOver(): Promise<void> {
    const { work } = this.#options.databases;
    await this.#onClockSet(await this.#options.databaseClock.look(() => readDatabaseMs(work)));
    if (!this.declaresDead()) return;
    this.#tell(
      await takeOverFromDead(work, DEAD_AFTER_MS, TAKEN_AT_ONCE),
      'took over the purchases of a dead gateway',
    );
  }

  async lookForForgotten(): Promise<void> {
    if (!this.#hasWoken) {
      // The database's clock may have been set back while no process ran.
      await this.#repairStuckWork();
      this.#hasWoken = true;
    }
    this.#tell(
      await makeForgottenDue(this.#options.databases.work, LEASE_MS + this.#options.databaseClock.aheadMs()),
      'found purchases that a gateway had lost sight of',
    );
  }

  /**
   * Lets other processes take over the claims of this one at once. If the database cannot be
   * reached, they take over once its heartbeats are missing, so the shutdown need not wait.
   */
  async signOff(): Promise<void> {
    const { databases, gateway, log } = this.#options;
    try {
      await signOffGateway(databases.work, gateway.id);
    } catch (error) {
      log.warn({ err: error }, 'it is not signed off: others take over after its silence');
    }
  }

  async #onClockSet(setMs: number): Promise<void> {
    if (setMs === 0) return;
    this.#options.log.warn({ setMs }, 'the clock of the database was set');
    if (setMs < 0) await this.#repairStuckWork();
  }

  async #repairStuckWork(): Promise<void> {
    this.#tell(
      await repairStuckWork(this.#options.databases.work),
      'woke purchases that were due absurdly late',
    );
  }

  #tell(purchases: number, what: string): void {
    if (purchases === 0) return;
    this.#options.log.warn({ purchases }, what);
    this.#options.onTakenOver();
  }
}
