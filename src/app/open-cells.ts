/**
 * The connections of each cell, where an installation has several: the same pools as for the whole
 * tables, with the schema of the cell.
 */
import type { Queries } from '../db/database.ts';
import { CellLookup, findCells } from '../db/find-cells.ts';
import type { CellContact, CellState } from './cell-contact.ts';
import type { Databases } from './open-databases.ts';

export type OpenCells = {
  /** In the order of their numbers. */
  readonly databases: readonly Databases[];
  /** The same if they are at workers, and else none. */
  readonly placed: readonly Databases[];
  /** The same if they are in the server of the whole tables, and else none. */
  readonly inOneServer: readonly Databases[];
  /** Returns the number of the merchant's cell. */
  readonly cellOf: (merchantId: number) => Promise<number>;
  /** Like `Databases.readsOf`, in the merchant's cell. */
  readonly readsOf: (merchantId: number) => Queries;
  /** `Databases.work` of the merchant's cell, if it is at a worker. */
  readonly workOf: (merchantId: number) => Queries;
  /** Sets what `states` reads. */
  readonly watchContact: (contact: CellContact) => void;
  /** Whether this process reaches each cell of another server; empty before it sells. */
  readonly states: () => readonly CellState[];
};

/** Returns undefined for an installation with one cell. `stack` closes the connections. */
export async function openCells(
  whole: Databases,
  stack: AsyncDisposableStack,
): Promise<OpenCells | undefined> {
  const cells = await findCells(whole.work, whole.connectionString);
  const arePlaced = cells[0]?.isPlaced === true;
  if (cells.length === 1 && !arePlaced) return undefined;
  const databases = cells.map((cell) => stack.use(whole.openCell(cell, cells.length)));
  if (arePlaced) whole.work.cells = databases.map(({ work }) => work);
  const lookup = new CellLookup(whole.work, arePlaced);
  const at =
    (pick: (on: Databases, merchantId: number) => Queries) =>
    (merchantId: number): Queries => {
      const find = async (): Promise<Queries> =>
        pick(databases[await lookup.find(merchantId)] ?? whole, merchantId);
      return {
        query: async (statement, values) => await (await find()).query(statement, values),
        transaction: async (work, options) => await (await find()).transaction(work, options),
      };
    };
  let contact: CellContact | undefined;
  return {
    watchContact: (opened) => {
      contact = opened;
    },
    states: () => contact?.states() ?? [],
    databases,
    placed: arePlaced ? databases : [],
    inOneServer: arePlaced ? [] : databases,
    cellOf: (merchantId) => lookup.find(merchantId),
    readsOf: at((on, merchantId) => on.readsOf(merchantId)),
    workOf: arePlaced ? at((on) => on.work) : () => whole.work,
  };
}
