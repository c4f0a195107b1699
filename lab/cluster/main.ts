/**
 * `npm run cluster -- --urls COORDINATOR,WORKER,WORKER`: purchases on a running Citus. Exits with 1
 * when the books of a wallet differ or an acknowledged purchase is not there.
 */
import { parseArgs } from 'node:util';
import { openBenchDatabase } from '../../bench/cluster.ts';
import type { Database } from '../../src/db/database.ts';
import { CellLookup, findCells } from '../../src/db/find-cells.ts';
import { migrate } from '../../src/db/migrate.ts';
import { initCluster } from '../../src/operate/cluster/init-cluster.ts';
import { createSeeded } from '../../test/support/seeded.ts';
import { jobs } from '../ten-million/catch-up.ts';
import { Buyer } from './buy.ts';
import { connectNodes, createNodeDatabases } from './cluster-store.ts';
import { playGateways } from './play-gateways.ts';
import { countPurchases, createSellers, endConnections, FUNDED, readBooks } from './shops-store.ts';

/** Each has a client of its own, and a webhook. */
const GATEWAY_MERCHANTS_MAX = 60;

const { values } = parseArgs({
  options: {
    urls: { type: 'string' },
    cells: { type: 'string', default: '4' },
    merchants: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '20' },
    rounds: { type: 'string', default: '3' },
    seed: { type: 'string', default: '1' },
    'gateway-seconds': { type: 'string', default: '30' },
    strike: { type: 'string' },
    control: { type: 'string' },
    spare: { type: 'string' },
  },
});

async function run(urls: readonly string[]): Promise<boolean> {
  await using stack = new AsyncDisposableStack();
  const nodes = stack.use(await createNodeDatabases(urls, 'oja_lab_cluster'));
  const plain = stack.use(await createNodeDatabases(urls.slice(0, 1), 'oja_lab_plain'));
  const open = (url: string, schema?: string): Database =>
    stack.use(openBenchDatabase(schema === undefined ? url : withSchema(url, schema), 2));
  const [coordinatorNode] = nodes.all;
  const [plainNode] = plain.all;
  if (coordinatorNode === undefined || plainNode === undefined) throw new Error('no address');
  const coordinator = open(coordinatorNode.url);
  const plainDatabase = open(plainNode.url);
  console.log(await connectNodes(coordinator, nodes.all));
  await migrate(plainDatabase);
  await migrate(coordinator);
  const distribution = await initCluster(coordinator, coordinatorNode.url, Number(values.cells));
  if (distribution === undefined) throw new Error('the tables were distributed before');
  const { distributed, references, dropped } = distribution;
  console.log(
    `${distributed.length} tables by merchant, ${references.length} reference tables: ${references.join(', ')}`,
  );
  console.log(`dropped foreign keys: ${dropped.join(', ') || 'none'}`);
  const cells = await findCells(coordinator, coordinatorNode.url);

  const sellers = await createSellers(coordinator, Number(values.merchants));
  const lookup = new CellLookup(coordinator, true);
  const cellsOf = new Map<number, number>();
  for (const { merchantId } of sellers) cellsOf.set(merchantId, await lookup.find(merchantId));
  const databases = cells.map(({ connectionString, schema }) => open(connectionString, schema));
  const buyers = cells.map((cell, at) => {
    const own = sellers.filter(({ merchantId }) => cellsOf.get(merchantId) === cell.number);
    console.log(`cell ${cell.number} at ${new URL(cell.connectionString).host}: ${own.length} merchants`);
    return new Buyer(databases[at] as Database, own, createSeeded(Number(values.seed) + cell.number));
  });
  const plainSellers = await createSellers(plainDatabase, Number(values.merchants));
  const plainBuyers = buyers.map(
    (_, at) =>
      new Buyer(
        plainDatabase,
        plainSellers.filter((_seller, index) => index % cells.length === at),
        createSeeded(Number(values.seed) + at),
      ),
  );

  const first = cells[0];
  if (first === undefined) throw new Error('there is no cell');
  const struck = open(first.connectionString);
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    const onPlain = await sell('plain PostgreSQL', plainBuyers);
    const striking = setTimeout(
      () => void endConnections(struck).then((count) => console.log(`    ended ${count} connections`)),
      (Number(values.seconds) * 1_000) / 2,
    );
    const onCells = await sell(`${cells.length} cells`, buyers);
    clearTimeout(striking);
    console.log(`round ${round}: ${(onCells / onPlain).toFixed(2)} times the purchases of plain PostgreSQL`);
  }
  const repeated = buyers.reduce((sum, buyer) => sum + buyer.repeated, 0);
  console.log(`batches repeated after a lost answer: ${repeated}`);
  await runJobs(databases);
  return await check(coordinator, databases, buyers);
}

/** Returns the purchases a second of all buyers together. */
async function sell(place: string, buyers: readonly Buyer[]): Promise<number> {
  const seconds = Number(values.seconds);
  const endMs = performance.now() + seconds * 1_000;
  const counts = await Promise.all(
    buyers.map(async (buyer) => {
      let count = 0;
      while (performance.now() < endMs) count += await buyer.buy();
      return count;
    }),
  );
  const perS = counts.reduce((sum, count) => sum + count, 0) / seconds;
  console.log(`  ${place}: ${Math.round(perS).toLocaleString('en')} a second`);
  return perS;
}

/** The background jobs that gateways run at each cell. Rejects if one fails. */
async function runJobs(databases: readonly Database[]): Promise<void> {
  for (const [job, work] of jobs) {
    // They are collected at the coordinator.
    if (job === 'balances of the house') continue;
    await Promise.all(databases.map((database) => work(database)));
    console.log(`  ${job}: done`);
  }
}

async function check(
  coordinator: Database,
  databases: readonly Database[],
  buyers: readonly Buyer[],
): Promise<boolean> {
  const wrong: string[] = [];
  let stored = 0;
  for (const [at, database] of databases.entries()) {
    for (const books of await readBooks(database)) {
      stored += books.stored;
      const acknowledged = buyers[at]?.acknowledged.get(books.walletId) ?? 0;
      if (books.posted !== FUNDED - books.spent) wrong.push(`wallet ${books.walletId}: posted`);
      if (books.held !== books.pending) wrong.push(`wallet ${books.walletId}: held`);
      if (books.stored !== acknowledged) {
        wrong.push(`wallet ${books.walletId}: ${books.stored} stored, ${acknowledged} acknowledged`);
      }
    }
  }
  const seen = await countPurchases(coordinator);
  if (seen !== stored) wrong.push(`the coordinator sees ${seen} purchases, the cells ${stored}`);
  console.log(`${stored.toLocaleString('en')} purchases stored; wrong: ${wrong.length}`);
  for (const line of wrong.slice(0, 20)) console.log(`  ${line}`);
  return wrong.length === 0;
}

async function play(urls: readonly string[]): Promise<boolean> {
  await using stack = new AsyncDisposableStack();
  const nodes = stack.use(await createNodeDatabases(urls, 'oja_lab_cluster'));
  const [first] = nodes.all;
  if (first === undefined) throw new Error('no address');
  const coordinator = stack.use(openBenchDatabase(first.url, 2));
  console.log(await connectNodes(coordinator, nodes.all));
  const spares =
    values.spare === undefined
      ? undefined
      : stack.use(await createNodeDatabases([values.spare], 'oja_lab_cluster'));
  for (const { url } of spares?.all ?? []) {
    await using spare = openBenchDatabase(url, 1);
    await spare.query('create extension citus');
  }
  const wrong = await playGateways(stack, {
    coordinator,
    url: first.url,
    workers: nodes.all.slice(1),
    openCell: (url, schema) => openBenchDatabase(withSchema(url, schema), 1),
    cells: Number(values.cells),
    merchants: Math.min(Number(values.merchants), GATEWAY_MERCHANTS_MAX),
    seconds: Number(values['gateway-seconds']),
    seed: Number(values.seed),
    strike: values.strike,
    control: values.control,
    spare: spares?.all[0],
  });
  console.log(`gateways: ${wrong.length} differences`);
  for (const line of wrong.slice(0, 20)) console.log(`  ${line}`);
  return wrong.length === 0;
}

function withSchema(url: string, schema: string): string {
  const address = new URL(url);
  address.searchParams.set('options', `-c search_path=${schema},public`);
  return address.href;
}

if (!values.urls) {
  console.log('skipped: no addresses of a running Citus (--urls coordinator,worker,worker)');
} else {
  const urls = values.urls.split(',');
  // The disposal of a stopped server's connections fails too, and would hide the first error.
  process.on('uncaughtException', (error) => {
    console.error(error instanceof SuppressedError ? error.suppressed : error);
    process.exit(1);
  });
  const wasRight = [
    ...(Number(values.rounds) > 0 ? [await run(urls)] : []),
    ...(Number(values['gateway-seconds']) > 0 ? [await play(urls)] : []),
  ];
  if (wasRight.includes(false)) process.exitCode = 1;
}
