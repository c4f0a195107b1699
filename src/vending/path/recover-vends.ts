/**
 * Keeps vends from being left behind, all the time and not only at start: says that this process lives, takes over what dead processes had
 * in hand, and makes due what a living one lost sight of. Whatever it takes over is asked about, never sent again, so a process
 * wrongly taken for dead costs a question and nothing more.
 */
import type { Database } from '../../db/database.ts';
import type { Logger } from '../../kernel/log.ts';
import { hurryForgotten, signOffGateway, takeOverFromDead, touchGateway } from './claim-store.ts';
import { LEASE_MS } from './work-vends.ts';

const BEAT_MS = 1_000;
const DEAD_AFTER_MS = 5_000;
/** Every so many beats, the search for what was lost sight of. */
const FORGOTTEN_BEATS = 15;

export type GatewayIdentity = {
  readonly id: string;
  readonly role: string;
  readonly host: string;
  readonly pid: number;
};

export class VendRecovery implements AsyncDisposable {
  readonly #database: Database;
  readonly #gateway: GatewayIdentity;
  readonly #log: Logger;
  readonly #onTakenOver: () => void;
  #beats = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(database: Database, gateway: GatewayIdentity, log: Logger, onTakenOver: () => void) {
    this.#database = database;
    this.#gateway = gateway;
    this.#log = log;
    this.#onTakenOver = onTakenOver;
  }

  /** Resolves once this process is known to the others: before that it must not accept anything. */
  async start(): Promise<void> {
    await touchGateway(this.#database, this.#gateway);
    this.#schedule();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
    await signOffGateway(this.#database, this.#gateway.id);
  }

  #schedule(): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      this.#running = this.#beat().finally(() => this.#schedule());
    }, BEAT_MS);
  }

  async #beat(): Promise<void> {
    try {
      await touchGateway(this.#database, this.#gateway);
      const taken = await takeOverFromDead(this.#database, DEAD_AFTER_MS);
      this.#beats += 1;
      const forgotten =
        this.#beats % FORGOTTEN_BEATS === 0 ? await hurryForgotten(this.#database, LEASE_MS) : 0;
      if (taken + forgotten > 0) {
        this.#log.warn({ taken, forgotten }, 'took over vends that were left behind');
        this.#onTakenOver();
      }
    } catch (error) {
      this.#log.warn({ err: error }, 'cannot reach the database to keep watch over vends; trying again');
    }
  }
}
