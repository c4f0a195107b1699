/** Counts the rows of a CSV file while it streams. */

const QUOTE = 0x22;
const NEW_LINE = 0x0a;

/** Returns a counter that takes each chunk and returns the rows so far. */
export function countRows(): (piece: Uint8Array) => number {
  let rows = 0;
  let isQuoted = false;
  return (piece) => {
    for (const byte of piece) {
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === NEW_LINE && !isQuoted) rows += 1;
    }
    return rows;
  };
}
