/**
 * Creates a database with many purchases on ten days, with the gateway's own functions and a
 * simulated clock, for the screens to read.
 */

import { formatDay } from '../../src/core/clock.ts';
import { playDay } from '../../test/support/played-day.ts';
import { openBenchDatabase } from '../cluster.ts';
import type { Known } from './screen-data.ts';

const DAYS = 10;
const DAY_MS = 86_400_000;

/** Fills a database that a gateway has set up. Returns the values to request. */
export async function fill(
  connectionString: string,
  purchases: number,
  progress: (text: string) => void,
): Promise<Known> {
  await using database = openBenchDatabase(connectionString, 4);
  const nowMs = Date.now();
  const days = Array.from({ length: DAYS }, (_, index) =>
    formatDay(new Date(nowMs - (DAYS - index) * DAY_MS)),
  );
  const [first = ''] = days;
  for (const [index, day] of days.entries()) {
    progress(`playing ${day}`);
    await playDay(database, { day, purchases: Math.ceil(purchases / DAYS), seed: index, shops: `D${index}` });
  }
  const day = days[DAYS / 2] ?? first;
  const [sold] = await database.query<{ id: string; reference: string; msisdn: string }>(
    `select v.id, v.reference, v.msisdn
     from purchases v
     join merchants m on m.id = v.merchant_id
     where m.code = $1
     limit 1`,
    [`D${DAYS / 2}-1`],
  );
  if (sold === undefined) throw new Error('the first merchant of a day sells most of it');
  return {
    merchant: `D${DAYS / 2}-1`,
    provider: 'vtpass',
    purchase: sold.id,
    merchantReference: sold.reference,
    phone: sold.msisdn,
    day,
    from: first,
    to: formatDay(new Date(nowMs)),
  };
}
