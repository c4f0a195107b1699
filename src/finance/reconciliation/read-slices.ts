/** Reads rows in slices, in the order of a key, so that no statement holds a snapshot for long. */

const SLICE = 1_000;

/** Yields slices until one is not full. `read` returns the rows after a key, `SLICE` at most. */
export async function* readSlices<Row, Key>(
  first: Key,
  read: (after: Key, limit: number) => Promise<readonly Row[]>,
  keyOf: (row: Row) => Key,
): AsyncGenerator<readonly Row[]> {
  for (let after = first; ; ) {
    const rows = await read(after, SLICE);
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < SLICE) return;
    after = keyOf(last);
  }
}
