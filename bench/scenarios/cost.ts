/**
 * The cost of one sync airtime purchase: processor time, bytes on disk, bytes of PostgreSQL's log,
 * rows and commits. docs/scale.md uses these figures. Background work for the purchases, such as
 * the roll-up of balances, is included.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { type Growth, readGrowth } from '../bench-store.ts';
import { parentOf, processorSeconds } from '../processes.ts';
import { countAnswers, formatRate, type ResultRow, ratePerS } from '../results.ts';
import { openShop, type Shop } from '../shop.ts';
import { CONNECTIONS } from './throughput.ts';

/** The share of the total above which a table has its own row. */
const TABLE_SHARE_MIN = 0.05;
const MICROSECONDS = 1_000_000;

type Spent = Growth & {
  readonly gatewayS: number | undefined;
  readonly databaseS: number | undefined;
  readonly clientS: number | undefined;
};

export async function cost(bench: Bench): Promise<ResultRow[]> {
  const { scale, progress } = bench;
  const shop = await openShop(bench, 'cost', 'all');
  await using gateway = shop.gateway;
  const order = { mode: 'sync', credentials: [shop.hot], connections: CONNECTIONS } as const;
  await shop.purchase(gateway, { ...order, pace: { kind: 'closed', seconds: scale.warmUpS } });
  await sleep(scale.settleS * 1_000);
  const before = await readSpent(shop, bench.load.pid);
  const pace = { kind: 'closed', count: scale.costed, seconds: 0 } as const;
  const result = await shop.purchase(gateway, { ...order, pace });
  await sleep(scale.settleS * 1_000);
  const after = await readSpent(shop, bench.load.pid);
  progress(`${result.good.toLocaleString('en')} purchases at ${formatRate(ratePerS(result))}`);
  const row = (name: string, figure: string): ResultRow => ({
    scenario: 'cost',
    name,
    figure,
    range: '',
    goal: '',
    met: undefined,
    ...countAnswers([result]),
  });
  return costsOf(before, after, result.sent).map(([name, figure]) => row(name, figure));
}

async function readSpent(shop: Shop, clientPid: number): Promise<Spent> {
  const growth = await readGrowth(shop.database);
  const server = await parentOf(growth.backendPid);
  return {
    ...growth,
    gatewayS: await processorSeconds(shop.gateway.pid),
    clientS: await processorSeconds(clientPid),
    databaseS: server === undefined ? undefined : await processorSeconds(server),
  };
}

/** Each by name, per purchase of `count`. */
function costsOf(before: Spent, after: Spent, count: number): [string, string][] {
  const each = (from: number, to: number): number => (to - from) / count;
  const tables = Object.entries(after.tables)
    .map(([name, bytes]): [string, number] => [name, each(before.tables[name] ?? 0, bytes)])
    .toSorted(([, one], [, other]) => other - one);
  const bytes = tables.reduce((sum, [, one]) => sum + one, 0);
  const times = ([name, from, to]: [string, number | undefined, number | undefined]): [string, string][] =>
    from === undefined || to === undefined
      ? []
      : [[`a purchase: processor time of ${name}`, `${Math.round(each(from, to) * MICROSECONDS)} µs`]];
  return [
    ...times(['the gateway', before.gatewayS, after.gatewayS]),
    ...times(['PostgreSQL', before.databaseS, after.databaseS]),
    ...times(['the load generator', before.clientS, after.clientS]),
    ['a purchase: on disk, tables and indexes', formatBytes(bytes)],
    ...tables
      .filter(([, one]) => one >= bytes * TABLE_SHARE_MIN)
      .map(([name, one]): [string, string] => [`a purchase: on disk, ${name}`, formatBytes(one)]),
    ['a purchase: log written by PostgreSQL', formatBytes(each(before.walBytes, after.walBytes))],
    ['a purchase: rows inserted', each(before.inserted, after.inserted).toFixed(2)],
    ['a purchase: rows deleted', each(before.deleted, after.deleted).toFixed(2)],
    ['a purchase: commits', each(before.commits, after.commits).toFixed(3)],
  ];
}

function formatBytes(bytes: number): string {
  return `${Math.round(bytes).toLocaleString('en')} bytes`;
}
