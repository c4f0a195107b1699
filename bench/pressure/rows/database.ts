/** Pressure on the database: a locked wallet, deep lists, an open snapshot. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadResult } from '../../load/job.ts';
import { formatMs, formatRate, ratePerS } from '../../results.ts';
import { countErrors, errorWords, saidIn } from '../client.ts';
import { deepIds, multiplyPurchase, whileSnapshotHeld, whileWalletLocked } from '../pressure-store.ts';
import type { Row } from '../row.ts';
import type { Site } from '../site.ts';

const LOCKED_OTHERS_MAX_MS = 1_000;

export const locked: Row = {
  what: 'one row lock held on wallet A for 12 s, purchases of A and of B',
  bar: 'purchases of B under 1 s',
  before: 'purchases of B took 12 s',
  play: async ({ quick, openSite }) => {
    const site = await openSite();
    const [a, b] = [site.demo, await site.openMerchant('OTHER')];
    const seconds = quick ? 4 : 12;
    const ofB = { credential: b.test, mode: 'sync' } as const;
    await site.buy({ ...ofB, pace: { kind: 'closed', count: 60, seconds: 0 } });
    const pace = { kind: 'open', perSecond: 10, seconds } as const;
    const isLocked = Promise.withResolvers<void>();
    const [, waited, other] = await Promise.all([
      whileWalletLocked(site.database, a.code, async () => {
        isLocked.resolve();
        await sleep(seconds * 1_000);
      }),
      isLocked.promise.then(() => site.buy({ credential: a.test, mode: 'sync', pace, connections: 200 })),
      isLocked.promise.then(() => site.buy({ ...ofB, pace: { ...pace, perSecond: 50 } })),
    ]);
    return {
      measured:
        `B: ${other.good} purchases, the longest ${formatMs(other.latencyMs.max)}${errorWords(other.errors)}; ` +
        `A: ${waited.good} of ${waited.sent} were served${errorWords(waited.errors)}`,
      passed: countErrors(other.errors) === 0 && other.latencyMs.max < LOCKED_OTHERS_MAX_MS,
    };
  },
};

const LISTERS = 24;
/** Between two lists of a client. All together they stay below the rate limit of one credential. */
const PAUSE_MS = 50;
const PAGE = 2_000;
const PAGE_SIZE = 10;
const LISTED_P99_MAX_MS = 100;

export const pages: Row = {
  what: '24 callers list page=2000 of 300,000 purchases, then as deep by cursor; purchases beside them',
  bar: 'p99 of the purchases under 100 ms',
  before: 'p99 7 to 12 s',
  play: async ({ quick, openSite, progress }) => {
    const site = await openSite();
    const [lister, buyer] = [site.demo, await site.openMerchant('BUYER')];
    await site.buy({ credential: lister.test, mode: 'sync', pace: { kind: 'closed', count: 1, seconds: 0 } });
    await multiplyPurchase(site.database, lister.code, quick ? 30_000 : 300_000);
    progress('the history is there');
    const seconds = quick ? 3 : 15;
    const buy = (): Promise<LoadResult> => {
      const pace = { kind: 'open', perSecond: 50, seconds } as const;
      return site.buy({ credential: buyer.test, mode: 'sync', pace });
    };
    const list = (paths: readonly string[]): Promise<LoadResult> =>
      site.load({
        connections: LISTERS,
        credentials: [lister.test],
        requests: { kind: 'lookups', paths },
        pace: { kind: 'closed', seconds: seconds + 1, pauseMs: PAUSE_MS },
        expect: '"items":[{',
      });
    await buy();
    const calm = await buy();
    const [pagesListed, besidePages] = await Promise.all([
      list([`/v1/transactions?page=${PAGE}&limit=${PAGE_SIZE}`]),
      buy(),
    ]);
    progress(`by page: ${loadWords(besidePages)}`);
    const cursors = await deepCursors(site);
    const byCursor = cursors && (await Promise.all([list(cursors), buy()]));
    const results = [besidePages, ...(byCursor === undefined ? [] : [byCursor[1]])];
    return {
      measured: [
        `calm ${loadWords(calm)}`,
        `beside pages ${loadWords(besidePages)} (${listWords(pagesListed)})`,
        byCursor === undefined
          ? 'there is no cursor'
          : `beside cursors ${loadWords(byCursor[1])} (${listWords(byCursor[0])})`,
      ].join('; '),
      passed: results.every(
        ({ errors, latencyMs }) => countErrors(errors) === 0 && latencyMs.p99 < LISTED_P99_MAX_MS,
      ),
    };
  },
};

/** Undefined for a gateway whose lists have no cursor. */
async function deepCursors(site: Site): Promise<string[] | undefined> {
  const first = await site.client.call(site.gateway, site.demo.test, 'GET', '/v1/transactions');
  if (typeof saidIn(first, 'result', 'page_info', 'next_cursor') !== 'string') return undefined;
  const ids = await deepIds(site.database, site.demo.code, PAGE * PAGE_SIZE, 100);
  return ids.map((id) => `/v1/transactions?cursor=${id}&limit=${PAGE_SIZE}`);
}

function loadWords({ latencyMs, errors }: LoadResult): string {
  return `p99 ${formatMs(latencyMs.p99)}${errorWords(errors)}`;
}

function listWords({ good, sent }: LoadResult): string {
  return `${good} of ${sent} lists were given`;
}

const SNAPSHOT_MIN_SHARE = 0.7;
const ROUNDS = 6;
/** For the last rounds, whose rates are the result. */
const ROUNDS_COUNTED = 2;

export const snapshot: Row = {
  what: 'a snapshot held while one wallet buys at full speed for a minute, in turns with another database',
  bar: 'at its end at least 0.7 of the rate on the database where none is held',
  before: '0.45 of the rate, on the way to 0.2',
  play: async ({ quick, openSite, progress }) => {
    // A snapshot keeps dead rows only in its own database.
    const [site, other] = [await openSite(), await openSite()];
    const roundS = quick ? 2 : 10;
    const [held, free]: [number[], number[]] = [[], []];
    // A gateway and its database are slower in their first seconds.
    for (const one of [site, other]) await buyFor(one, roundS);
    await whileSnapshotHeld(site.database, async () => {
      for (let round = 1; round <= ROUNDS; round += 1) {
        held.push(await buyFor(site, roundS));
        free.push(await buyFor(other, roundS));
        progress(`held ${formatRate(held.at(-1) ?? 0)}, free ${formatRate(free.at(-1) ?? 0)}`);
      }
    });
    const share = sumOfLast(held) / sumOfLast(free);
    return {
      measured: `${share.toFixed(2)} of the rate (held ${held.map(formatRate).join(' ')}; free ${free.map(formatRate).join(' ')})`,
      passed: share >= SNAPSHOT_MIN_SHARE,
    };
  },
};

/** The rate of one wallet's sync purchases. */
async function buyFor(site: Site, seconds: number): Promise<number> {
  const pace = { kind: 'closed', seconds } as const;
  const result = await site.buy({ credential: site.demo.test, mode: 'sync', pace });
  if (countErrors(result.errors) > 0) throw new Error(errorWords(result.errors));
  return ratePerS(result);
}

function sumOfLast(rates: readonly number[]): number {
  return rates.slice(-ROUNDS_COUNTED).reduce((sum, rate) => sum + rate, 0);
}
