/**
 * Deletes old states of wallets in the background: a wallet's balance is only its newest state.
 *
 * Guarantees: the newest states of each wallet stay; one run deletes a bounded number; several
 * processes may run at once. A run begins where the previous one ended, so deleted rows are not
 * read again while a snapshot is open.
 */
import type { Database } from '../../db/database.ts';
import { pruneWalletStates } from './wallet-state-store.ts';

const WALLETS_PER_RUN = 500;
const STATES_PER_WALLET_MAX = 5_000;
/** Recent states stay for diagnosis. */
const STATES_KEPT = 100;

export class WalletPruning {
  readonly #walletsPerRun: number;
  readonly #kept: number;
  #after = 0n;
  #pruned = new Map<bigint, bigint>();
  /** The wallets of this round; a deleted wallet is forgotten with its round. */
  #next = new Map<bigint, bigint>();

  constructor(walletsPerRun = WALLETS_PER_RUN, kept = STATES_KEPT) {
    this.#walletsPerRun = walletsPerRun;
    this.#kept = kept;
  }

  /** Prunes one slice of the wallets. Returns whether the round continues. */
  async run(database: Database): Promise<{ readonly more: boolean }> {
    const rows = await pruneWalletStates(database, {
      after: this.#after,
      walletsMax: this.#walletsPerRun,
      pruned: this.#prunedAfter(this.#after),
      kept: this.#kept,
      statesMax: STATES_PER_WALLET_MAX,
    });
    for (const { walletId, upTo } of rows) this.#next.set(walletId, upTo);
    const more = rows.length === this.#walletsPerRun;
    this.#after = more ? (rows.at(-1)?.walletId ?? 0n) : 0n;
    if (!more) {
      this.#pruned = this.#next;
      this.#next = new Map();
    }
    return { more };
  }

  /** The wallets of the next slice. */
  #prunedAfter(after: bigint): Map<bigint, bigint> {
    const known = new Map<bigint, bigint>();
    // In the order of their ids, as they were read.
    for (const [walletId, upTo] of this.#pruned) {
      if (known.size === this.#walletsPerRun) break;
      if (walletId > after) known.set(walletId, upTo);
    }
    return known;
  }
}
