/**
 * A leased queue: a table of the domain whose rows are background work, with four columns for the
 * state of the work.
 * - `due_at`: when the item may be claimed. While a process has claimed it: when its lease ends.
 *   Null: there is no work.
 * - `lease_id`: a new one with each claim. Null: the item was not claimed since it was postponed or
 *   started again.
 * - `tries`: how often it was claimed.
 * - `alarmed_at`: when an alarm was raised about it. Work begins in the transaction of the domain
 *   that sets `due_at`. Claiming and settling are in queue-store.ts.
 */

type Column<Row> = keyof Row & string;

/** The new value of a column of the domain. */
export type Columns = Readonly<Record<string, string | number | null>>;

/** `Row` is the data of a claimed item. Names are those of tables and columns in the database. */
export type LeasedQueue<Row extends object, Key extends Column<Row>> = {
  readonly table: string;
  readonly key: readonly Key[];
  /** In addition to those of the key. */
  readonly columns: readonly Exclude<Column<Row>, Key>[];
  /**
   * The column of the lane. A claim names the lanes that it takes items of, so that a process
   * leaves items that it cannot handle.
   */
  readonly lane?: Column<Row>;
  /**
   * Whether doing the work twice is harmless. If so, the items of a dead process are claimed again.
   * If not, `findExpired` finds them, and they are settled as possibly done.
   */
  readonly repeatable: boolean;
  /** Whether the row of a finished item is deleted. */
  readonly deletes: boolean;
  /** Further columns that a claim sets. */
  readonly claimed?: Columns;
  /** A column that is the time of the last claim or settlement. */
  readonly changedAt?: string;
};

/** An item that this process has claimed. */
export type Claimed<Row extends object> = Row & {
  readonly lease_id: string;
  /** Including the current attempt. */
  readonly tries: number;
};

/** The identity of a claimed item: its key and its lease. */
export type Held<Row extends object, Key extends Column<Row>> = Pick<Row, Key> & {
  readonly lease_id: string;
};

const plainName = /^[a-z][a-z_]{0,50}$/;

/**
 * Throws for a name that is not a plain identifier, because names become part of SQL statements.
 */
export function defineQueue<Row extends object, Key extends Column<Row>>(
  queue: LeasedQueue<Row, Key>,
): LeasedQueue<Row, Key> {
  const { table, key, columns, lane = 'lane', claimed = {}, changedAt = 'changed_at' } = queue;
  for (const name of [table, ...key, ...columns, lane, ...Object.keys(claimed), changedAt]) checkName(name);
  return queue;
}

export function checkName(name: string): string {
  if (!plainName.test(name)) throw new Error(`${name} is not a valid name of a table or column`);
  return name;
}

/**
 * The first pause, doubled after each attempt up to the longest. The number of attempts is
 * unlimited.
 */
export function doublingPause(firstMs: number, longestMs: number): (tries: number) => number {
  return (tries) => Math.min(firstMs * 2 ** Math.max(Math.min(tries, 20) - 1, 0), longestMs);
}

/** The listed pauses in order. Undefined after the last one: the item is given up. */
export function listedPause(pausesMs: readonly number[]): (tries: number) => number | undefined {
  return (tries) => pausesMs[tries - 1];
}
