/**
 * Raises an alarm when no process has worked on a cell of another server for a minute: its server
 * does not answer, or no worker reaches it. The alarm ends when the cell is worked on again. After
 * some seconds, a move of the cell that its command did not end is finished.
 */
import type { Queries, Sql } from '../../db/database.ts';
import { countWorkersOfCell, endIdleCell, raiseIdleCell } from './watch-cells-store.ts';

const IDLE_MS = 60_000;
const INTERRUPTED_MS = 5_000;

export type IdleCell = { readonly number: number; readonly why: string };

/** Returns the cells that have no worker now. */
export async function findIdleCells(cells: readonly Queries[]): Promise<readonly IdleCell[]> {
  const found = await Promise.all(
    cells.map(async (cell, number) => {
      const why = await countWorkersOfCell(cell).then(
        (count) => (count === 0 ? 'no worker works on it' : undefined),
        () => 'its server does not answer',
      );
      return why === undefined ? [] : [{ number, why }];
    }),
  );
  return found.flat();
}

export class CellWatch {
  readonly #cells: readonly Queries[];
  readonly #finishMove: (number: number) => Promise<void>;
  /** Since when a cell has been idle, by `elapsedMs`. */
  readonly #since = new Map<number, number>();

  constructor(cells: readonly Queries[], finishMove: (number: number) => Promise<void>) {
    this.#cells = cells;
    this.#finishMove = finishMove;
  }

  /** `nowMs` never goes back. */
  async run(coordinator: Sql, nowMs: number): Promise<void> {
    const idle = await findIdleCells(this.#cells);
    for (const number of this.#cells.keys()) {
      const found = idle.find((cell) => cell.number === number);
      if (found === undefined) {
        this.#since.delete(number);
        await endIdleCell(coordinator, number);
        continue;
      }
      const since = this.#since.get(number) ?? nowMs;
      this.#since.set(number, since);
      // Fails if its server is away, or a command is moving it. The next run tries again.
      if (nowMs - since >= INTERRUPTED_MS) await this.#finishMove(number).catch(() => undefined);
      if (nowMs - since >= IDLE_MS) await raiseIdleCell(coordinator, found);
    }
  }
}
