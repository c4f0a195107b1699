/** The routers between a gateway and its servers: HAProxy and PgBouncer. */
import { readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort, until } from '../../test/support/processes.ts';
import type { Member } from './cluster.ts';
import { type Started, startProgram } from './programs.ts';

const START_MS = 30_000;

export type Router = AsyncDisposable & { readonly port: number };

const page = join(import.meta.dirname, '..', '..', 'docs', 'operators', 'high-availability.md');

/** The settings of HAProxy from the documentation, for this port and these members. */
export async function haproxySettings(
  port: number,
  members: readonly Pick<Member, 'name' | 'port' | 'restPort'>[],
): Promise<string> {
  const block = /^```\n(listen oja\n[^`]*)```$/m.exec(await readFile(page, 'utf8'))?.[1];
  if (block === undefined) throw new Error(`no settings of HAProxy in ${page}`);
  const lines = block.split('\n').filter((line) => line.trim() !== '');
  const ofServers = /^ {2}server \S+ \S+ (.*) check port \d+$/;
  const options = lines.map((line) => ofServers.exec(line)?.[1]).find((found) => found !== undefined);
  return [
    ...lines
      .filter((line) => !ofServers.test(line))
      .map((line) => (line.startsWith('  bind ') ? `  bind 127.0.0.1:${port}` : line)),
    ...members.map(
      (member) => `  server ${member.name} 127.0.0.1:${member.port} ${options} check port ${member.restPort}`,
    ),
    '',
  ].join('\n');
}

/** To the member that Patroni reports as the primary. */
export async function startHaproxy(folder: string, members: readonly Member[]): Promise<Router> {
  const port = await freePort();
  const path = join(folder, 'haproxy.cfg');
  await writeFile(path, await haproxySettings(port, members));
  return await listening(port, await startProgram('haproxy', ['-db', '-f', path], logOf(folder, 'haproxy')));
}

export type PgbouncerTarget = {
  readonly mode: 'session' | 'transaction' | 'statement';
  /** A database in PgBouncer's settings, without its name. */
  readonly target: string;
  readonly settings?: Readonly<Record<string, string>>;
};

export async function startPgbouncer(
  folder: string,
  { mode, target, settings = {} }: PgbouncerTarget,
): Promise<Router> {
  const port = await freePort();
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: String(port),
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: mode,
    default_pool_size: '60',
    max_client_conn: '300',
    server_login_retry: '1',
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const path = join(folder, `pgbouncer-${mode}-${port}.ini`);
  await writeFile(path, `[databases]\n* = ${target}\n[pgbouncer]\n${lines.join('\n')}\n`);
  return await listening(port, await startProgram('pgbouncer', [path], logOf(folder, 'pgbouncer')));
}

function logOf(folder: string, name: string): string {
  return join(folder, 'log', `${name}.log`);
}

async function listening(port: number, started: Started): Promise<Router> {
  let ended = false;
  void started.exited.then(() => {
    ended = true;
  });
  await until('it listens', START_MS, () => {
    if (ended) throw new Error('it ended at once: see its log');
    return new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
      socket.on('connect', () => socket.destroy());
    });
  });
  return { port, [Symbol.asyncDispose]: () => started[Symbol.asyncDispose]() };
}
