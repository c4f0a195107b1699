/**
 * What a leased queue is: a table of the domain whose rows are background work, and four columns
 * that say how the work stands.
 *
 * - `due_at`: from when on it may be claimed. While a process has it: until when. Null: nothing is
 *   to be done.
 * - `lease_id`: made anew by each claim. Null: nobody has claimed it since it was put off or begun
 *   anew.
 * - `tries`: how often it was claimed.
 * - `alarmed_at`: when a person was told that it does not get on.
 *
 * Work begins in the transaction of the domain that sets `due_at`. Claiming and settling are in
 * queue-store.ts.
 */

type Column<Row> = keyof Row & string;

/** What a column of the domain is set to. */
export type Columns = Readonly<Record<string, string | number | null>>;

/** `Row` is what a claimed item brings. Names are those of tables and columns in the database. */
export type LeasedQueue<Row extends object, Key extends Column<Row>> = {
  readonly table: string;
  readonly key: readonly Key[];
  /** Beside those of the key. */
  readonly columns: readonly Exclude<Column<Row>, Key>[];
  /**
   * A claim names whose items it takes, by this column: a process leaves alone what it cannot do.
   */
  readonly lane?: Column<Row>;
  /**
   * Whether doing it twice is harmless. What a dead process had is claimed again then. Otherwise it
   * is not: `findExpired` finds it, for it to be settled as perhaps done.
   */
  readonly repeatable: boolean;
  /** Whether the row of an item that is done is deleted. */
  readonly deletes: boolean;
  /** What a claim sets besides. */
  readonly claimed?: Columns;
  /** A column that is the time of the last claim or settlement. */
  readonly changedAt?: string;
};

/** An item in the hands of this process. */
export type Claimed<Row extends object> = Row & {
  readonly lease_id: string;
  /** This one included. */
  readonly tries: number;
};

/** What tells an item that was claimed. */
export type Held<Row extends object, Key extends Column<Row>> = Pick<Row, Key> & {
  readonly lease_id: string;
};

const plainName = /^[a-z][a-z_]{0,50}$/;

/** Throws for a name that is no plain one: names become part of statements. */
export function defineQueue<Row extends object, Key extends Column<Row>>(
  queue: LeasedQueue<Row, Key>,
): LeasedQueue<Row, Key> {
  const { table, key, columns, lane = 'lane', claimed = {}, changedAt = 'changed_at' } = queue;
  for (const name of [table, ...key, ...columns, lane, ...Object.keys(claimed), changedAt]) checkName(name);
  return queue;
}

export function checkName(name: string): string {
  if (!plainName.test(name)) throw new Error(`${name} is no name of a table or column`);
  return name;
}
