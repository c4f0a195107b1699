/**
 * `npm run ten-million`: the gateway with a long history of many merchants against the same gateway
 * with a short one.
 */
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { type Cluster, openCluster } from '../../bench/cluster.ts';
import { LoadGenerator } from '../../bench/load/generator.ts';
import { machineFacts } from '../../bench/machine.ts';
import { watchOtherLoad } from '../../bench/other-load.ts';
import { formatReport } from '../../bench/report.ts';
import { hasFailed } from '../../bench/results.ts';
import { type Folder, noteOtherLoad, printResults, runInFolder } from '../../bench/run-program.ts';
import { measureAccept } from './accept.ts';
import { catchUp } from './catch-up.ts';
import { measureDisk } from './disk.ts';
import { load } from './load.ts';
import { measureLookUps } from './look-ups.ts';
import { measureAudit, measureSearches } from './operators.ts';
import { type Options, parseOptions, usage } from './options.ts';
import type { Row } from './row.ts';
import { openStore, placeOf, type StoreName, setUp } from './store.ts';

const names: readonly StoreName[] = ['small', 'large'];

/** Data lost in a crash during loading is loaded again. */
const whileLoading = {
  shared_buffers: '2GB',
  max_wal_size: '16GB',
  checkpoint_timeout: '1h',
  full_page_writes: 'off',
  synchronous_commit: 'off',
};

await runInFolder({ name: 'ten-million', parseOptions, usage, run });

type Facts = Record<string, string>;

async function run(options: Options, folder: Folder): Promise<void> {
  const dir = options.dir ?? folder.dir;
  await mkdir(dir, { recursive: true });
  const given = process.env.DATABASE_URL;
  const shared = given === undefined ? undefined : folder.stack.use(await openCluster(given, dir));
  const on = async (isLoad: boolean, work: (cluster: Cluster) => Promise<void>): Promise<void> => {
    if (shared !== undefined) return await work(shared);
    const stack = folder.stack.use(new AsyncDisposableStack());
    const own = { prefix: 'oja_bench', ...(isLoad && { durable: false, settings: whileLoading }) };
    await work(stack.use(await openCluster(undefined, dir, own)));
    await stack.disposeAsync();
  };
  const facts: Facts = {};
  const rows: Row[] = [];
  await on(false, async (cluster) => {
    for (const name of names) await setUp(await placeOf(cluster, dir, name), options);
  });
  await on(true, async (cluster) => await loadBoth(options, folder, cluster, dir, facts));
  // The data was not flushed while it was loaded.
  await promisify(execFile)('sync');
  await on(false, async (cluster) => {
    Object.assign(facts, await machineFacts(cluster.maintenance, dir));
    rows.push(...(await measure(options, folder, cluster, dir, facts)));
  });
  printResults(options.json, facts, rows, formatReport(rows));
  if (hasFailed(rows)) process.exitCode = 1;
}

async function loadBoth(
  options: Options,
  { progress }: Folder,
  cluster: Cluster,
  dir: string,
  facts: Facts,
): Promise<void> {
  for (const name of names) {
    const { databaseUrl } = await placeOf(cluster, dir, name);
    const purchases = name === 'small' ? options.small : options.purchases;
    progress(
      `${name}: loading ${purchases.toLocaleString('en')} purchases of ${options.merchants} merchants`,
    );
    const seconds = await load({ databaseUrl, purchases, progress });
    facts[`loading ${purchases.toLocaleString('en')} purchases`] =
      `${seconds.toFixed(0)} s, ${Math.round(purchases / seconds).toLocaleString('en')} a second`;
  }
}

async function measure(
  { rounds, seconds, patience }: Options,
  { progress, stack: folderStack }: Folder,
  cluster: Cluster,
  dir: string,
  facts: Facts,
): Promise<Row[]> {
  const tell = (row: Row): void => progress(`${row.name}: ${row.figure} (${row.goal})`);
  const told = (row: Row): Row => {
    tell(row);
    return row;
  };
  const stack = folderStack.use(new AsyncDisposableStack());
  const [small, large] = [await placeOf(cluster, dir, 'small'), await placeOf(cluster, dir, 'large')];
  const otherLoad = await watchOtherLoad();
  await catchUp(small.databaseUrl, patience, () => undefined);
  const [caught, whole] = await Promise.all([
    catchUp(large.databaseUrl, patience, progress),
    measureAudit(large, 'beside the catching up'),
  ]);
  for (const { job, seconds: took } of caught) facts[`behind the purchases: ${job}`] = `${took.toFixed(1)} s`;
  noteOtherLoad(facts, 'catching up', await otherLoad());
  const rows: Row[] = [told(whole)];
  const stores = { small: stack.use(await openStore(small)), large: stack.use(await openStore(large)) };
  rows.push(...(await measureDisk(stores.large.database)));
  const generator = stack.use(new LoadGenerator());
  const scale = { rounds, seconds, lookupS: Math.min(1, seconds / 6) };
  rows.push(...(await measureLookUps(generator, stores, scale, tell)));
  rows.push(...(await measureSearches(stores, scale, tell)));
  noteOtherLoad(facts, 'look-ups', await otherLoad());
  rows.push(...(await measureAccept(generator, stores, scale, tell)));
  noteOtherLoad(facts, 'purchases', await otherLoad());
  await stack.disposeAsync();
  return rows;
}
