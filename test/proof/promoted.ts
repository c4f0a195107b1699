/**
 * `node --expose-gc promoted.ts oja|driver URL`: prints how many MB that 10,000 statements allocate
 * reach the old generation of the heap, sent as Oja sends them or by the driver's own promises.
 */
import { type HeapProfiler, Session } from 'node:inspector/promises';
import pg from 'pg';
import { openDatabase } from '../../src/db/database.ts';

const TIMES = 10_000;
const statement = { name: 'echo', text: 'select $1::text as echo' };

const [, , kind, url = ''] = process.argv;
await using database = openDatabase({
  connectionString: url,
  connectionsMax: 2,
  applicationName: 'promoted',
  onPoolError: (error) => console.error(error),
  statementTimeoutMs: 60_000,
});
const client = new pg.Client({ connectionString: url, query_timeout: 60_000 });
await client.connect();

const filling = 'abcdefghij'.repeat(40);
async function send(times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    // Another text each time, of 2 kB.
    const values = [Array.from({ length: 20 }, (_, n) => filling.slice((time + n) % 300, 350)).join('')];
    if (kind === 'oja') await database.query(statement, values);
    else await client.query({ ...statement, values });
  }
}

function bytesOf({ selfSize, children }: HeapProfiler.SamplingHeapProfileNode): number {
  return children.reduce((all, child) => all + bytesOf(child), selfSize);
}

await send(1_000);
globalThis.gc?.();
const session = new Session();
session.connect();
// Young collections are not counted.
await session.post('HeapProfiler.startSampling', {
  samplingInterval: 8_192,
  includeObjectsCollectedByMajorGC: true,
});
await send(TIMES);
const { profile } = await session.post('HeapProfiler.stopSampling');
session.disconnect();
console.log(bytesOf(profile.head) / 1_000_000);
await client.end();
