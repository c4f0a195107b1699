/** A database of its own on each node of a running Citus, dropped at the end. */
import { openBenchDatabase } from '../../bench/cluster.ts';
import type { Database } from '../../src/db/database.ts';

export type Node = { readonly url: string; readonly host: string; readonly port: number };

export type Nodes = AsyncDisposable & { readonly all: readonly Node[] };

export async function createNodeDatabases(urls: readonly string[], name: string): Promise<Nodes> {
  const all: Node[] = [];
  for (const url of urls) {
    await using server = openBenchDatabase(url, 1);
    await server.query(`drop database if exists ${name} with (force)`);
    await server.query(`create database ${name}`);
    const address = new URL(url);
    address.pathname = `/${name}`;
    all.push({ url: address.href, host: address.hostname, port: Number(address.port || 5432) });
  }
  return {
    all,
    [Symbol.asyncDispose]: async () => {
      for (const url of urls) {
        await using server = openBenchDatabase(url, 1);
        await server.query(`drop database if exists ${name} with (force)`);
      }
    },
  };
}

/** Makes the first node the coordinator of the others. Returns the versions. */
export async function connectNodes(coordinator: Database, nodes: readonly Node[]): Promise<string> {
  for (const { url } of nodes) {
    await using database = openBenchDatabase(url, 1);
    await database.query('create extension if not exists citus');
  }
  const [own, ...workers] = nodes;
  if (own !== undefined)
    await coordinator.query('select citus_set_coordinator_host($1, $2)', [own.host, own.port]);
  for (const { host, port } of workers)
    await coordinator.query('select citus_add_node($1, $2)', [host, port]);
  const [row] = await coordinator.query<{ versions: string }>(
    "select citus_version() || ', ' || current_setting('server_version') as versions",
  );
  return row?.versions ?? '';
}

/** The ids of merchants by their codes. */
export async function findMerchantIds(coordinator: Database): Promise<ReadonlyMap<string, number>> {
  const rows = await coordinator.query<{ code: string; id: number }>('select code, id from merchants');
  return new Map(rows.map(({ code, id }) => [code, id]));
}
