/** Pages of lists, as operations answer them. */
import { OperationError } from './errors.ts';

type Page<Row> = { readonly data: Row[]; readonly cursor: string | null };

/**
 * Makes a page of `limit + 1` rows, each as `answer` returns it: the extra row shows that the list
 * continues.
 */
export function pageOfRead<Row, Answer = Row>(
  read: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => string,
  answer: (row: Row) => Answer = (row) => row as never,
): Page<Answer> {
  const rows = read.slice(0, limit);
  const last = rows.at(-1);
  const cursor = read.length > limit && last !== undefined ? cursorOf(last) : null;
  return { data: rows.map((row) => answer(row)), cursor };
}

/**
 * Makes a page of a short list that was read completely. Throws OperationError `no_such_cursor` if
 * the cursor names no row.
 */
export function pageOfWhole<Row>(
  rows: readonly Row[],
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
  cursorOf: (row: Row) => string,
): Page<Row> {
  const before = cursor === undefined ? -1 : rows.findIndex((row) => cursorOf(row) === cursor);
  if (cursor !== undefined && before === -1) throw new OperationError({ code: 'no_such_cursor', cursor });
  return pageOfRead(rows.slice(before + 1, before + limit + 2), limit, cursorOf);
}
