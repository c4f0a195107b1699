/** The work of operators: searches in the console, and audits. */

import { ask } from '../../bench/console/ask.ts';
import { type Reading, readingsOf } from '../../bench/console/screen-data.ts';
import { ownRoot } from '../../bench/gateway.ts';
import { createOperator } from '../../bench/pressure/operator.ts';
import { formatMs, formatRatio, median, rangeOf } from '../../bench/results.ts';
import { ProcessorTime } from './processor-time.ts';
import type { Rounds, Row } from './row.ts';
import type { Store, StoreName } from './store.ts';

/** A screen's data must take less (docs/maintainers/benchmarks.md). */
const SCREEN_MS_MAX = 200;

/** Searches of the console's list of purchases. */
export async function measureSearches(
  stores: Readonly<Record<StoreName, Store>>,
  { rounds }: Rounds,
  tell: (row: Row) => void,
): Promise<Row[]> {
  const [small, large] = [searchesOf(stores.small), searchesOf(stores.large)];
  const rows: Row[] = [];
  for (const [place, reading] of large.entries()) {
    const time = await ProcessorTime.open(stores);
    const took = { small: [] as number[], large: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      for (const which of ['small', 'large'] as const) {
        const { consoleUrl, cookie } = stores[which];
        const asked = (which === 'small' ? small[place] : reading) ?? reading;
        // The first search of each kind fills caches.
        if (round === 0) await ask(consoleUrl, cookie, asked);
        const { ms } = await time.around(which, async () => ({
          ...(await ask(consoleUrl, cookie, asked)),
          sent: 1,
        }));
        took[which].push(ms);
      }
    }
    const [before, after] = [median(took.small), median(took.large)];
    const [ofSmall, ofLarge] = [time.ofAnswer('small'), time.ofAnswer('large')];
    const seen =
      ofSmall === undefined || ofLarge === undefined
        ? ''
        : `, processor time ${formatMs(ofLarge)} and ${formatMs(ofSmall)}`;
    const row = {
      name: `operators' search: ${reading.what ?? reading.operation}`,
      figure: formatMs(after),
      range: rangeOf(took.large, formatMs),
      goal: `under ${SCREEN_MS_MAX} ms; the small one's ${formatMs(before)}: ${formatRatio(after / before)}${seen}`,
      met: (ofLarge ?? after) < SCREEN_MS_MAX,
      good: took.large.length,
      errors: {},
    };
    rows.push(row);
    tell(row);
  }
  return rows;
}

function searchesOf({ hot, samples, days }: Store): readonly Reading[] {
  const sample = samples[Math.floor(samples.length / 2)];
  const known = {
    merchant: hot.merchant,
    provider: 'vtpass',
    purchase: sample?.id ?? '',
    merchantReference: sample?.reference ?? '',
    phone: sample?.msisdn ?? '',
    day: days.middle,
    from: days.from,
    to: days.to,
  };
  return readingsOf(known).filter(
    ({ operation }) => operation === 'purchase.list' || operation === 'purchase.show',
  );
}

type Audit = { readonly ok: boolean };

export async function measureAudit(
  { databaseUrl, dataDir }: Pick<Store, 'databaseUrl' | 'dataDir'>,
  what: string,
): Promise<Row> {
  const operator = createOperator(ownRoot, {
    ...process.env,
    OJA_PROFILE: 'demo',
    DATABASE_URL: databaseUrl,
    OJA_DATA_DIR: dataDir,
  });
  const startMs = performance.now();
  const { ok } = (await operator('audit')) as Audit;
  const seconds = (performance.now() - startMs) / 1_000;
  return {
    name: `oja audit, ${what}`,
    figure: `${seconds.toFixed(1)} s`,
    range: '',
    goal: 'nothing is wrong',
    met: ok,
    good: 1,
    errors: {},
  };
}
