/**
 * Detects cells on other servers that were rewound while this process ran, and sets the restore
 * lock of the installation. A cell that does not answer is looked at again later.
 */
import type { Logger } from '../../core/log.ts';
import type { Database, Queries } from '../../db/database.ts';
import { LastAccepted } from './last-accepted.ts';
import { findLack, findNewestBefore } from './rewind-store.ts';
import { setRestoreLock } from './set-restore-lock.ts';

type Lost = { readonly lost: string | undefined; readonly lostFrom: Date | undefined };

const nothing: Lost = { lost: undefined, lostFrom: undefined };

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

  async look(): Promise<void> {
    for (const [number, cell] of this.#cells.entries()) await this.#lookAt(number, cell);
  }

  async #lookAt(number: number, cell: Queries): Promise<void> {
    const accepted = this.accepted[number];
    const purchases = accepted?.list() ?? [];
    if (accepted === undefined || purchases.length === 0) return;
    const { lost, lostFrom } = await findLost(cell, purchases).catch(() => nothing);
    if (lost === undefined) return;
    this.#log.error({ cell: number }, 'the cell was rewound: live purchases are paused');
    await this.#coordinator.transaction((tx) =>
      setRestoreLock(
        tx,
        {
          cause: 'went_back',
          source: `went_back:${lost}`,
          reason: `cell ${number} was rewound to an earlier state`,
          lostFrom: lostFrom ?? new Date(0),
        },
        'oja',
      ),
    );
    accepted.forget(purchases);
  }
}

async function findLost(cell: Queries, purchases: ReturnType<LastAccepted['list']>): Promise<Lost> {
  const lost = await findLack(cell, { beat: undefined, purchases });
  const [first] = purchases;
  if (lost === undefined || first === undefined) return nothing;
  // The lost ones may be older than those that are remembered, but newer than what is left.
  return { lost, lostFrom: await findNewestBefore(cell, first.purchaseId) };
}
