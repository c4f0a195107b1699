/** Measures the disk space of a purchase by table, heap and indexes separately. */
import type { Sql } from '../../src/db/database.ts';
import type { Row } from './row.ts';
import { countAccepted, readTableSizes } from './ten-million-store.ts';

/** The share of the total above which a table has its own row. */
const SHARE_LEAST = 0.01;
/** The space of a purchase when the target was set. */
const BYTES_BEFORE = 1_378;

export async function measureDisk(sql: Sql): Promise<Row[]> {
  const purchases = Math.max(1, await countAccepted(sql));
  const sizes = await readTableSizes(sql);
  const bytes = (count: number): string => `${Math.round(count / purchases).toLocaleString('en')} bytes`;
  const heap = sizes.reduce((sum, size) => sum + size.heap, 0);
  const indexes = sizes.reduce((sum, size) => sum + size.indexes, 0);
  const row = (name: string, ofHeap: number, ofIndexes: number, goal = ''): Row => ({
    name: `disk of a purchase: ${name}`,
    figure: bytes(ofHeap + ofIndexes),
    range: `heap ${bytes(ofHeap)}, indexes ${bytes(ofIndexes)}`,
    goal,
    met: undefined,
    good: 1,
    errors: {},
  });
  const whole = row(`all tables, of ${purchases.toLocaleString('en')}`, heap, indexes);
  return [
    { ...whole, goal: `it was ${BYTES_BEFORE.toLocaleString('en')} bytes` },
    ...sizes
      .filter((size) => size.heap + size.indexes >= SHARE_LEAST * (heap + indexes))
      .map((size) => row(size.name, size.heap, size.indexes)),
  ];
}
