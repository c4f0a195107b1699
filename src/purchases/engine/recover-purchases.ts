/**
 * Keeps purchases from being left behind, all the time and not only at start: says that this
 * process lives, takes over what dead processes had in hand, and makes due what a living one lost
 * sight of. Whatever it takes over is asked about, never sent again, so a process wrongly taken for
 * dead costs a question and nothing more.
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
 * Who was longer without a heartbeat of its own, in milliseconds, cannot tell who is dead: the
 * database may have stood still for all of them. The others need a second to say that they live.
 */
const STEADY_GAP_MS = 3_000;
/** Taken over at once: what is made due is asked about, and providers have their limits. */
const TAKEN_AT_ONCE = 1_000;

export type RecoveryOptions = {
  /**
   * The heartbeat has a connection of its own: a process that cannot say that it lives looks dead.
   */
  readonly databases: { readonly heartbeat: Sql; readonly work: Sql };
  readonly gateway: GatewayIdentity;
  /** Told who lives, this process among them, and divides what providers take. */
  readonly share: (gateways: readonly LiveGateway[]) => void;
  readonly log: Logger;
  readonly clock: Pick<Clock, 'elapsedMs'>;
  readonly databaseClock: DatabaseClock;
  readonly onTakenOver: () => void;
};

export class PurchaseRecovery {
  readonly #options: RecoveryOptions;
  #lastBeatMs = Number.NEGATIVE_INFINITY;
  /** Since when its heartbeats have come one after the other. */
  #steadySinceMs = Number.POSITIVE_INFINITY;
  #hasWoken = false;
  /** How long they had not come before that. */
  #stoodStillMs = 0;

  constructor(options: RecoveryOptions) {
    this.#options = options;
  }

  /** Resolves once this process is known to the others: before that it must not accept anything. */
  async announce(): Promise<void> {
    await this.beat();
  }

  /**
   * Says that this process lives, and takes its share of each provider among those who do. More
   * often than a process is taken for dead.
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
    // After a stall nobody else may have said yet that it lives. It keeps its share meanwhile.
    const unseenMs = this.declaresDead() ? 0 : this.#stoodStillMs;
    // Nor after its clock was set.
    if (!this.#options.databaseClock.wasSetWithin(DEAD_AFTER_MS)) {
      const gateways = await findLiveGateways(heartbeat, DEAD_AFTER_MS + unseenMs);
      this.#options.share(gateways);
    }
    await this.#onClockSet(setMs);
  }

  /**
   * Whether this process can tell who is dead: its own heartbeats come through, and have for as
   * long as it takes to be dead. The living have said so since.
   */
  declaresDead(): boolean {
    const nowMs = this.#options.clock.elapsedMs();
    return (
      nowMs - this.#lastBeatMs <= STEADY_GAP_MS &&
      nowMs - this.#steadySinceMs >= DEAD_AFTER_MS &&
      !this.#options.databaseClock.wasSetWithin(DEAD_AFTER_MS)
    );
  }

  /** Takes over what the dead had, some at a time. Only while it can tell who is dead. */
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
      // The clock of the database may have been set back while nobody looked.
      await this.#repairStuckWork();
      this.#hasWoken = true;
    }
    this.#tell(
      await makeForgottenDue(this.#options.databases.work, LEASE_MS + this.#options.databaseClock.aheadMs()),
      'found purchases that a gateway had lost sight of',
    );
  }

  /**
   * Others take over at once what this process still has. Where the database cannot be told, they
   * do so after its silence: no reason to stop in another way.
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
