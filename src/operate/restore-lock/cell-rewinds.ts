/**
 * Detects cells on other servers that were rewound, and sets the restore lock of the installation.
 * A cell that does not answer is looked at again later.
 */
import { madeAtMs } from '../../core/ids.ts';
import type { Logger } from '../../core/log.ts';
import type { Database, Queries } from '../../db/database.ts';
import { LastAccepted } from './last-accepted.ts';
import { readSeen } from './rewind-record.ts';
import { findLost, findNewestBefore, isLockedSince, readIdentity } from './rewind-store.ts';
import { setRestoreLock } from './set-restore-lock.ts';

export class CellRewinds {
  readonly #coordinator: Database;
  readonly #cells: readonly Queries[];
  readonly #log: Logger;
  /** The last live purchases in each cell, by its number. */
  readonly accepted: readonly LastAccepted[];

  constructor(coordinator: Database, cells: readonly Queries[], log: Logger) {
    this.#coordinator = coordinator;
    this.#cells = cells;
    this.#log = log;
    this.accepted = cells.map(() => new LastAccepted());
  }

  /** Remembers what earlier processes recorded in the data folder. */
  async recall(dataDir: string): Promise<void> {
    if (this.#cells.length === 0) return;
    const identity = await readIdentity(this.#coordinator);
    if (identity === undefined) return;
    for (const { cells } of await readSeen(dataDir, identity)) {
      for (const [number, purchases] of cells.entries()) this.accepted[number]?.recall(purchases);
    }
  }

  async look(): Promise<void> {
    await Promise.all(this.#cells.map((cell, number) => this.#lookAt(number, cell)));
  }

  async #lookAt(number: number, cell: Queries): Promise<void> {
    const accepted = this.accepted[number];
    const purchases = accepted?.list() ?? [];
    if (accepted === undefined || purchases.length === 0) return;
    const lost = await findLoss(cell, purchases).catch(() => undefined);
    if (lost === undefined) return;
    const { id, lostFrom } = lost;
    await this.#coordinator.transaction(async (tx) => {
      // Another process, or one before this, has noticed it.
      if (await isLockedSince(tx, new Date(madeAtMs(id)), lostFrom)) return;
      this.#log.error({ cell: number }, 'the cell was rewound: live purchases are paused');
      const reason = `cell ${number} was rewound to an earlier state`;
      await setRestoreLock(
        tx,
        { cause: 'went_back', source: `went_back:purchase ${id}`, reason, lostFrom },
        'oja',
      );
    });
    accepted.forget(purchases);
  }
}

async function findLoss(
  cell: Queries,
  purchases: ReturnType<LastAccepted['list']>,
): Promise<{ readonly id: string; readonly lostFrom: Date } | undefined> {
  const id = await findLost(cell, purchases);
  if (id === undefined) return undefined;
  // The cell has no purchase between this time and the lost one.
  return { id, lostFrom: (await findNewestBefore(cell, id)) ?? new Date(0) };
}
