/**
 * Keeps vends from being left behind, all the time and not only at start: says that this process
 * lives, takes over what dead processes had in hand, and makes due what a living one lost sight of.
 * Whatever it takes over is asked about, never sent again, so a process wrongly taken for dead
 * costs a question and nothing more.
 */
import type { Database } from '../../db/database.ts';
import type { Logger } from '../../kernel/log.ts';
import {
  findLiveGateways,
  type GatewayIdentity,
  makeForgottenDue,
  signOffGateway,
  takeOverFromDead,
  touchGateway,
} from './claim-store.ts';
import { type Lanes, shareLanes } from './lanes.ts';
import { DEAD_AFTER_MS, LEASE_MS } from './work-vends.ts';

export class VendRecovery {
  readonly #database: Database;
  readonly #gateway: GatewayIdentity;
  readonly #log: Logger;
  readonly #lanes: Lanes;
  readonly #onTakenOver: () => void;

  constructor(
    database: Database,
    gateway: GatewayIdentity,
    lanes: Lanes,
    log: Logger,
    onTakenOver: () => void,
  ) {
    this.#database = database;
    this.#gateway = gateway;
    this.#lanes = lanes;
    this.#log = log;
    this.#onTakenOver = onTakenOver;
  }

  /** Resolves once this process is known to the others: before that it must not accept anything. */
  async announce(): Promise<void> {
    await this.#touch();
  }

  /**
   * Says that this process lives, and takes over what the dead had. More often than a process is
   * taken for dead.
   */
  async beat(): Promise<void> {
    await this.#touch();
    this.#tell(
      await takeOverFromDead(this.#database, DEAD_AFTER_MS),
      'took over the vends of a dead gateway',
    );
  }

  async lookForForgotten(): Promise<void> {
    this.#tell(
      await makeForgottenDue(this.#database, LEASE_MS),
      'found vends that a gateway had lost sight of',
    );
  }

  /** Others take over at once what this process still has. */
  async signOff(): Promise<void> {
    await signOffGateway(this.#database, this.#gateway.id);
  }

  /** Says that it lives, and takes its share of each provider among those who do. */
  async #touch(): Promise<void> {
    await touchGateway(this.#database, this.#gateway);
    shareLanes(this.#lanes, await findLiveGateways(this.#database, DEAD_AFTER_MS));
  }

  #tell(vends: number, what: string): void {
    if (vends === 0) return;
    this.#log.warn({ vends }, what);
    this.#onTakenOver();
  }
}
