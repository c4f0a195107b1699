/** One of the two databases: its address, its gateway, and the values to request. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Cluster, openBenchDatabase } from '../../bench/cluster.ts';
import { openSessions } from '../../bench/console/sessions.ts';
import { type Gateway, startGateway } from '../../bench/gateway.ts';
import type { Credential } from '../../bench/load/job.ts';
import { formatDay } from '../../src/core/clock.ts';
import { idsAt } from '../../src/core/ids.ts';
import { createSealer } from '../../src/core/sealing.ts';
import type { Database } from '../../src/db/database.ts';
import { createFeedCursors } from '../../src/notifications/events/feed-cursor.ts';
import { loadPepper, readKeyFile } from '../../src/operate/keys/secrets.ts';
import { beginRollUpAt } from '../../test/support/played-clock.ts';
import { freePort } from '../../test/support/processes.ts';
import { findSellers, openSellers, readCredentials } from './sellers.ts';
import {
  beginPlaying,
  findFeedEnd,
  insertProgress,
  readProgress,
  type Sample,
  samplePurchases,
  setTime,
} from './ten-million-store.ts';

export type StoreName = 'small' | 'large';
export type Place = { readonly databaseUrl: string; readonly dataDir: string };

const HOUR_MS = 3_600_000;
const SAMPLES = 500;
const EVENTS_AT_END = 10;

export async function placeOf(cluster: Cluster, dir: string, name: StoreName): Promise<Place> {
  const dataDir = join(dir, name);
  await mkdir(dataDir, { recursive: true });
  return { databaseUrl: await cluster.createDatabase(name), dataDir };
}

/** A gateway sets the database up and stops. Then merchants are created, and time is simulated. */
export async function setUp(
  { databaseUrl, dataDir }: Place,
  { merchants, days }: { readonly merchants: number; readonly days: number },
): Promise<void> {
  await using database = openBenchDatabase(databaseUrl, 1);
  if ((await readProgress(database)) !== undefined) return;
  await (await startGatewayOn({ databaseUrl, dataDir }))[Symbol.asyncDispose]();
  const end = new Date(Date.now() - HOUR_MS);
  const begin = new Date(end.getTime() - days * 24 * HOUR_MS);
  await beginPlaying(database);
  await setTime(database, new Date(begin.getTime() - HOUR_MS));
  await openSellers(database, dataDir, merchants);
  await beginRollUpAt(database, new Date(begin.getTime() - 24 * HOUR_MS));
  await insertProgress(database, begin, end);
}

async function startGatewayOn(
  { databaseUrl, dataDir }: Place,
  settings: Readonly<Record<string, string>> = {},
): Promise<Gateway> {
  return await startGateway({
    databaseUrl,
    dataDir,
    settings,
    role: 'all',
    variables: process.env,
    profileDir: undefined,
  });
}

export type Store = AsyncDisposable &
  Place & {
    readonly database: Database;
    readonly gateway: Gateway;
    /** The merchant with the most purchases, and all merchants. */
    readonly hot: Credential;
    readonly all: readonly Credential[];
    /** References of the hot merchant's successes, from all over its history. */
    readonly samples: readonly Sample[];
    /**
     * The position in the feed of the largest merchant's tests after which there are ten events.
     */
    readonly feedEnd: bigint;
    /** The days from its first one to today. */
    readonly days: { readonly from: string; readonly middle: string; readonly to: string };
    /** The feed of the hot merchant's tests, after a position. */
    cursorAfter(place: bigint): string;
    /** The console, and the cookie of a user who may query it. */
    readonly consoleUrl: string;
    readonly cookie: string;
  };

/** Of a database that is loaded. */
export async function openStore(place: Place): Promise<Store> {
  await using stack = new AsyncDisposableStack();
  const port = await freePort();
  const gateway = stack.use(await startGatewayOn(place, { OJA_CONSOLE_PORT: String(port) }));
  const database = stack.use(openBenchDatabase(place.databaseUrl, 2));
  const all = await readCredentials(place.dataDir);
  const [hot] = all;
  const [seller] = await findSellers(database);
  const loaded = await readProgress(database);
  if (hot === undefined || seller === undefined || loaded === undefined) throw new Error('nothing is loaded');
  const { begin, end } = loaded;
  const stepMs = (end.getTime() - begin.getTime()) / SAMPLES;
  const ids = Array.from({ length: SAMPLES }, (_, index) => idsAt(() => begin.getTime() + index * stepMs)());
  const samples = await samplePurchases(database, seller.merchantId, 'test', ids);
  const feedEnd = await findFeedEnd(database, seller.merchantId, 'test', EVENTS_AT_END);
  const cursors = createFeedCursors(
    await loadPepper(database, createSealer(await readKeyFile(place.dataDir))),
  );
  const [cookie = ''] = await openSessions(place.databaseUrl, 1);
  const owned = stack.move();
  return {
    ...place,
    database,
    gateway,
    hot,
    all,
    samples,
    feedEnd,
    cookie,
    days: {
      from: formatDay(begin),
      middle: formatDay(new Date((begin.getTime() + end.getTime()) / 2)),
      to: formatDay(new Date()),
    },
    cursorAfter: (at) => cursors.make({ merchantId: seller.merchantId, environment: 'test' }, at, new Date()),
    consoleUrl: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
