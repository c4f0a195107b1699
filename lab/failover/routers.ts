/** What may stand between a gateway and its servers: HAProxy, and PgBouncer. */
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { freePort, until } from '../../test/support/processes.ts';
import type { Member } from './cluster.ts';
import { type Started, startProgram } from './programs.ts';

const START_MS = 30_000;

export type Router = AsyncDisposable & { readonly port: number };

/** To whichever member Patroni says is the primary. */
export async function startHaproxy(folder: string, members: readonly Member[]): Promise<Router> {
  const port = await freePort();
  const servers = members.map(
    (member) => `  server ${member.name} 127.0.0.1:${member.port} maxconn 150 check port ${member.restPort}`,
  );
  const text = `
global
  maxconn 500
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
listen oja
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 3 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`;
  const path = join(folder, 'haproxy.cfg');
  await writeFile(path, text);
  return await listening(port, await startProgram('haproxy', ['-db', '-f', path], logOf(folder, 'haproxy')));
}

export type PgbouncerTarget = {
  readonly mode: 'session' | 'transaction' | 'statement';
  /** Of PgBouncer's own settings of a database, without its name. */
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
