/**
 * Two gateways on one distributed installation. Merchants are created at the coordinator and buy
 * over HTTP at both gateways, with a webhook each. One gateway is killed and restarted, and then
 * `strike` runs, which may end a worker. Later a cell is moved, and they buy again. Each time the
 * records of the buyers, of the provider and of the cells must agree.
 */
import { exec } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openBenchDatabase } from '../../bench/cluster.ts';
import { openWallets } from '../../bench/wallets.ts';
import { prepareDatabase } from '../../src/app/open-storage.ts';
import { auditPurchases } from '../../src/audit/audit-purchases.ts';
import { formatDay, systemClock } from '../../src/core/clock.ts';
import type { Database } from '../../src/db/database.ts';
import { atNode, CellLookup, findCells, findPlacements } from '../../src/db/find-cells.ts';
import { showReportOperation } from '../../src/finance/reports/operations/show-report.ts';
import { ClusterError } from '../../src/operate/cluster/cluster-error.ts';
import { addNode } from '../../src/operate/cluster/cluster-store.ts';
import { initCluster, removeWorker } from '../../src/operate/cluster/init-cluster.ts';
import { moveCell } from '../../src/operate/cluster/move-cell.ts';
import { hasSchema, leftSchema } from '../../src/operate/cluster/move-cell-store.ts';
import { builtInProviders } from '../../src/providers/registry.ts';
import { compareBooks, readBooks, readLivePurchases, type StoredPurchase } from '../../test/support/books.ts';
import { runGateway } from '../../test/support/gateway.ts';
import { brokenPromises, fetchPlans, type Purchase, startLoad, tally } from '../../test/support/load.ts';
import { freePort, spawnSimulator } from '../../test/support/processes.ts';
import { startWebhookReceiver } from '../../test/support/webhook-receiver.ts';
import { Answers } from './answers.ts';
import { findMerchantIds, type Node } from './cluster-store.ts';
import { runKilled } from './killed.ts';
import { compareMoney, readMoney } from './money-store.ts';
import { upgradeUnderKills } from './upgrade.ts';

const run = promisify(exec);
const SETTLE_MS = 120_000;
const DAY_MS = 86_400_000;
const KILLED_MOVES = 10;
const KILL_MS = 3_000;
const KILL_STEP_MS = 250;
/** Until the servers have noticed that a command died. */
const AFTER_KILL_MS = 2_000;

type Options = {
  readonly coordinator: Database;
  /** Of the coordinator. */
  readonly url: string;
  readonly workers: readonly Node[];
  readonly openCell: (url: string, schema: string) => Database;
  readonly cells: number;
  readonly merchants: number;
  readonly seconds: number;
  readonly seed: number;
  /** A shell command, run after two thirds of the time. */
  readonly strike: string | undefined;
  /** A server that is added and removed while merchants buy. */
  readonly spare: Node | undefined;
  /** A program that is called with `kill` or `start`, and the port of a server. */
  readonly control: string | undefined;
};

/** Returns what differs, one line each. */
export async function playGateways(stack: AsyncDisposableStack, options: Options): Promise<string[]> {
  const { coordinator, url, workers, openCell, cells, merchants, seconds, seed, strike, spare, control } =
    options;
  await prepareDatabase(coordinator, builtInProviders);
  await initCluster(coordinator, url, cells);
  const dir = await mkdtemp(join(tmpdir(), 'oja-cluster-'));
  stack.defer(() => rm(dir, { recursive: true, force: true }));
  await chmod(dir, 0o755);
  const simulator = stack.use(await spawnSimulator({ port: await freePort(), dir: join(dir, 'books') }));
  const ports = [await freePort(), await freePort()];
  const start = async (port: number) => {
    const gateway = stack.use(
      runGateway({
        DATABASE_URL: url,
        OJA_DATA_DIR: dir,
        OJA_SIMULATOR_URL: simulator.url,
        OJA_NOT_FOUND_GRACE_S: '10',
        OJA_LOG_LEVEL: 'warn',
        PORT: String(port),
      }),
    );
    await gateway.ready;
    return gateway;
  };
  const gateways = [await start(ports[0] ?? 0), await start(ports[1] ?? 0)];
  const wallets = await openWallets(coordinator, dir, { count: merchants, environment: 'live' });
  const receiver = stack.use(await startWebhookReceiver());
  const addresses = ports.map((port) => `http://127.0.0.1:${port}`);
  const plans = await fetchPlans(addresses[0] ?? '', wallets[0]?.key ?? '', wallets[0]?.secret ?? '');
  for (const { key, secret } of wallets) await subscribe(addresses[0] ?? '', { key, secret }, receiver.url);
  console.log(`  ${wallets.length} merchants with a webhook each, in ${cells} cells`);
  const sent: Purchase[] = [];
  const lookup = new CellLookup(coordinator, true);
  const ids = await findMerchantIds(coordinator);
  const cellsOf = await Promise.all(wallets.map(({ merchant }) => lookup.find(ids.get(merchant) ?? 0)));
  /** All merchants buy while `during` runs. */
  const buy = async (
    part: number,
    gatewaysUsed: number,
    during: (answers: Answers) => Promise<void>,
  ): Promise<void> => {
    const answers = new Answers();
    const loads = wallets.map((wallet, index) =>
      startLoad({
        ...wallet,
        url: () => addresses[index % gatewaysUsed] ?? '',
        onSend: () => answers.start(cellsOf[index] ?? 0),
        plans: plans.filter(({ price }) => Number(price) <= 1_000),
        clients: 1,
        pauseMs: 100,
        hangUpShare: 0.01,
        seed: seed + 1_000_000 * index + 1_000 * part,
      }),
    );
    for (const load of loads) stack.use(load);
    await during(answers);
    await Promise.all(loads.map((load) => load.stop()));
    await Promise.all(loads.map((load) => load.resolveUnknown()));
    sent.push(...loads.flatMap((load) => load.purchases));
  };
  const check = async (): Promise<string[]> => {
    await using opened = new AsyncDisposableStack();
    const databases = (await findCells(coordinator, url)).map(({ connectionString, schema }) =>
      opened.use(openCell(connectionString, schema)),
    );
    let money = await readMoney(coordinator, databases);
    for (const endMs = performance.now() + SETTLE_MS; performance.now() < endMs; await sleep(500)) {
      money = await readMoney(coordinator, databases);
      if (money.isSettled) break;
    }
    const stored = await inEach(databases, readLivePurchases);
    const finals = stored.filter(({ status }) => status !== 'pending');
    for (const endMs = performance.now() + SETTLE_MS; performance.now() < endMs; await sleep(500)) {
      if (missing(finals, receiver.received).length === 0) break;
    }
    console.log(`  ${stored.length} purchases stored: ${tally(sent)}`);
    return [
      ...(money.isSettled ? [] : ['purchases were still pending, or sums were not collected']),
      ...brokenPromises(sent, stored),
      ...compareBooks(await readBooks(simulator.url), stored),
      ...compareMoney(money),
      ...(await readAsOperator(coordinator, databases, stored)),
      ...missing(finals, receiver.received).map((id) => `purchase ${id}: no webhook`),
    ];
  };

  const pause = (): Promise<void> => sleep((seconds / 3) * 1_000);
  await buy(0, 2, async () => {
    await pause();
    console.log('  kill -9 of a gateway');
    gateways[1]?.kill('SIGKILL');
    await gateways[1]?.exited;
    await sleep(2_000);
    gateways[1] = await start(ports[1] ?? 0);
    await pause();
    if (strike !== undefined) {
      console.log(`  ${strike}`);
      await run(strike);
    }
    await pause();
  });
  const wrong = await check();
  for (const line of failuresIn(gateways.map((gateway) => gateway.output()))) console.log(`    ${line}`);

  const [cell] = await findPlacements(coordinator);
  const to = workers.find(({ port, host }) => port !== cell?.port || host !== cell.host);
  if (cell === undefined || to === undefined) return wrong;
  await buy(1, 2, async (answers) => {
    await pause();
    answers.begin();
    const waitedMs = await move(coordinator, url, cell.number, to);
    await sleep(500);
    console.log(`  moved cell ${cell.number}: writes waited ${Math.round(waitedMs)} ms`);
    answers.print(({ number }) => number === cell.number, 'the moved cell');
    if (spare !== undefined) {
      answers.begin();
      await coordinator.session((sql) => addNode(sql, spare));
      await move(coordinator, url, cell.number, spare);
      await move(coordinator, url, cell.number, to);
      await removeWorker(coordinator, url, spare);
      console.log(`  added ${spare.port}, moved the cell there and back, and removed it`);
      answers.print(({ number }) => number === cell.number, 'the moved cell');
    }
    await pause();
  });
  wrong.push(...(await check()));
  await buy(5, 2, async (answers) => {
    answers.begin();
    console.log(`  ${await moveUnderKills(coordinator, url, cell.number, workers)}`);
    answers.print(({ number }) => number === cell.number, 'the moved cell');
  });
  wrong.push(...(await check()));
  if (control !== undefined) {
    const act = async (what: 'kill' | 'start', port: number): Promise<void> => {
      console.log(`  ${what} ${port}`);
      await run(`${control} ${what} ${port}`);
    };
    const isThere = ({ number }: { readonly number: number }): boolean => cellsAt.has(number);
    const cellsAt = new Set(
      (await findPlacements(coordinator)).filter(({ port }) => port === to.port).map(({ number }) => number),
    );
    await buy(2, 2, async (answers) => {
      await act('kill', to.port);
      await gateways[1]?.stop();
      gateways[1] = await start(ports[1] ?? 0);
      console.log('  a gateway started without that worker');
      answers.begin();
      await pause();
      answers.print(isThere, 'cells of that worker');
      await act('start', to.port);
      await sleep(3_000);
      answers.begin();
      await pause();
      answers.print(isThere, 'the same later');
    });
    wrong.push(...(await check()));
    await buy(3, 2, async (answers) => {
      await pause();
      await act('kill', Number(new URL(url).port));
      answers.begin();
      await pause();
      answers.print(() => true, 'without the coordinator');
      await act('start', Number(new URL(url).port));
      await sleep(3_000);
      answers.begin();
      await pause();
      answers.print(() => true, 'after its return');
    });
    wrong.push(...(await check()));
  }
  for (const line of failuresIn(gateways.map((gateway) => gateway.output()))) console.log(`    ${line}`);
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  wrong.push(...(await upgradeUnderKills(coordinator, url)));
  for (const [at, port] of ports.entries()) gateways[at] = await start(port);
  await buy(4, 2, pause);
  wrong.push(...(await check()));
  for (const line of failuresIn(gateways.map((gateway) => gateway.output()))) console.log(`    ${line}`);
  await Promise.all(gateways.map((gateway) => gateway.stop()));
  return wrong;
}

/** Moves a cell by processes that are killed, and never repeats one: gateways finish the moves. */
async function moveUnderKills(
  coordinator: Database,
  url: string,
  number: number,
  workers: readonly Node[],
): Promise<string> {
  const counts = { done: 0, killed: 0, busy: 0 };
  let [moves, finished] = [0, 0];
  for (let round = 0; round < KILLED_MOVES; round += 1) {
    const from = (await findPlacements(coordinator)).find((cell) => cell.number === number);
    const to = workers.find(({ host, port }) => host !== from?.host || port !== from.port);
    if (from === undefined || to === undefined) throw new Error('there is one worker only');
    await using source = openBenchDatabase(atNode(url, from), 1);
    const ending = new AbortController();
    // In every second round, while the cell is neither here nor there.
    const strike =
      round % 2 === 0 ? sleep(KILL_MS + round * KILL_STEP_MS) : untilLeft(source, number, ending);
    const outcome = await runKilled(['move', url, String(number), to.host, String(to.port)], strike);
    ending.abort();
    await strike;
    counts[outcome] += 1;
    await sleep(AFTER_KILL_MS);
    const startedMs = performance.now();
    while (!(await answers(coordinator, url, number))) await sleep(500);
    if (performance.now() - startedMs > 500) finished += 1;
    const now = (await findPlacements(coordinator)).find((cell) => cell.number === number);
    if (now?.port === to.port) moves += 1;
  }
  return (
    `moves of cell ${number}: ${counts.killed} killed, ${counts.busy} undone, ${counts.done} ended; ` +
    `${moves} took place, ${finished} were finished by gateways`
  );
}

/** Returns when the cell has left its server, or the command has ended. */
async function untilLeft(source: Database, number: number, { signal }: AbortController): Promise<void> {
  while (!signal.aborted && !(await hasSchema(source, leftSchema(number)))) await sleep(1);
}

/** Whether the cell is where the catalogue says, and its statements are not refused. */
async function answers(coordinator: Database, url: string, number: number): Promise<boolean> {
  const cell = (await findCells(coordinator, url)).find((one) => one.number === number);
  if (cell === undefined) throw new Error(`there is no cell ${number}`);
  await using database = openBenchDatabase(cell.connectionString, 1);
  return await database.query(`select from ${cell.schema}.purchases limit 1`).then(
    () => true,
    () => false,
  );
}

/** Repeats a move that was undone, because merchants would have waited too long. */
async function move(
  coordinator: Database,
  url: string,
  number: number,
  to: Pick<Node, 'host' | 'port'>,
): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await moveCell(coordinator, url, number, to);
    } catch (error) {
      if (!(error instanceof ClusterError) || error.code !== 'cluster_busy' || tries === 5) throw error;
      console.log('  a move was undone');
    }
  }
}

/** The audit and the report of operators, on the books that were compared above. */
async function readAsOperator(
  coordinator: Database,
  cells: readonly Database[],
  stored: readonly StoredPurchase[],
): Promise<string[]> {
  coordinator.cells = cells;
  const startedMs = performance.now();
  const { checks } = await auditPurchases(coordinator);
  console.log(
    `  ${checks.length} checks of the audit in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`,
  );
  const failed = checks
    .filter(({ ok }) => !ok)
    .map(({ name, count }) => `audit: ${name}, ${count} differences`);
  const asking = { sql: coordinator, database: coordinator, clock: systemClock } as Parameters<
    typeof showReportOperation.run
  >[0];
  // A run may begin on the day before.
  const from = formatDay(new Date(Date.now() - DAY_MS));
  const report = await showReportOperation.run(asking, { environment: 'live', from, limit: 1_000 });
  delete coordinator.cells;
  const reported = report.totals.reduce((sum, { successes }) => sum + Number(successes), 0);
  const successes = stored.filter(({ status }) => status === 'success').length;
  return [
    ...failed,
    ...(report.agrees ? [] : ['the report does not agree with the ledger']),
    ...(reported === successes ? [] : [`the report has ${reported} successes, and ${successes} are stored`]),
  ];
}

async function subscribe(
  url: string,
  { key, secret }: { readonly key: string; readonly secret: string },
  receiver: string,
): Promise<void> {
  const answer = await fetch(`${url}/v1/webhooks/endpoints`, {
    method: 'POST',
    headers: {
      'x-merchant-key': key,
      'x-merchant-secret': secret,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      url: `${receiver}/hooks`,
      events: ['transaction.success', 'transaction.failed'],
    }),
  });
  if (!answer.ok) throw new Error(`an endpoint was refused: ${await answer.text()}`);
}

async function inEach(
  databases: readonly Database[],
  read: (database: Database) => Promise<StoredPurchase[]>,
): Promise<StoredPurchase[]> {
  return (await Promise.all(databases.map(read))).flat();
}

function missing(
  finals: readonly StoredPurchase[],
  received: readonly { readonly event: { readonly data: { readonly payload?: unknown } } }[],
): string[] {
  const texts = new Set(
    received.map(({ event }) =>
      String((event.data.payload as { internal_reference?: string } | undefined)?.internal_reference),
    ),
  );
  return finals.filter(({ id }) => !texts.has(id)).map(({ id }) => id);
}

/** Each kind of failure once, with its number. */
function failuresIn(outputs: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of outputs.flatMap((output) => output.split('\n'))) {
    if (!line.startsWith('{')) continue;
    const { msg, err } = JSON.parse(line) as { msg: string; err?: { message?: string } };
    const name = `${msg}: ${err?.message ?? ''}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => `${count} times: ${name}`);
}
