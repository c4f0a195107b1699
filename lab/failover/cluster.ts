/**
 * Three PostgreSQL servers under Patroni: one primary, and standbys that have every acknowledged
 * commit. All connections go through proxies that can be cut.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '../../src/db/database.ts';
import { isStandby } from '../../src/db/is-standby.ts';
import { freePort, isAlive, killNow, until } from '../../test/support/processes.ts';
import { giveToServer, postgresPrograms, type Started, startProgram, treeOf } from './programs.ts';
import { openWire, type Wire } from './wire.ts';

const START_MS = 240_000;

export type Member = {
  readonly name: string;
  /** Through the proxy, as for other programs. */
  readonly port: number;
  readonly restPort: number;
  /** Kills the process, even while it is disconnected. */
  readonly ownPort: number;
  readonly ownRestPort: number;
  /** Patroni and PostgreSQL at once, with all their processes. */
  kill(): void;
  start(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** From etcd, from the other servers and from the gateways. */
  cutOff(): void;
  mend(): void;
};

export type Cluster = AsyncDisposable & {
  readonly members: readonly Member[];
  /** The member that accepts writes, by its own report. Undefined if there is none. */
  findPrimary(except?: Member): Promise<Member | undefined>;
  /** Resolves when all members run, one leads, and another is in sync with it. */
  settled(): Promise<Member>;
};

export async function startCluster(folder: string): Promise<Cluster> {
  await using stack = new AsyncDisposableStack();
  const etcdPort = await startEtcd(folder, stack);
  const members: Member[] = [];
  for (const name of ['one', 'two', 'three']) {
    members.push(await createMember({ name, folder, etcdPort, stack }));
  }
  await Promise.all(members.map((member) => member.start()));
  const findPrimary: Cluster['findPrimary'] = async (except) => {
    const candidates = members.filter((member) => member !== except);
    const found = await Promise.all(candidates.map(takesWrites));
    return candidates.find((_, index) => found[index]);
  };
  const settled = () => until('the cluster is settled', START_MS, () => leaderOf(members));
  await settled();
  const owned = stack.move();
  return { members, findPrimary, settled, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function startEtcd(folder: string, stack: AsyncDisposableStack): Promise<number> {
  const [port, peerPort] = [await freePort(), await freePort()];
  const dataDir = join(folder, 'etcd');
  await mkdir(dataDir, { mode: 0o700 });
  await giveToServer(dataDir);
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const args = [
    ...['--name', 'etcd', '--data-dir', dataDir],
    ...['--listen-client-urls', client, '--advertise-client-urls', client],
    ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
    ...['--initial-cluster', `etcd=${peer}`],
  ];
  stack.use(await startProgram('etcd', args, join(folder, 'log', 'etcd.log')));
  await until('etcd answers', START_MS, () =>
    fetch(`${client}/health`).then(
      (answer) => answer.ok,
      () => false,
    ),
  );
  return port;
}

type MemberOptions = {
  readonly name: string;
  readonly folder: string;
  readonly etcdPort: number;
  readonly stack: AsyncDisposableStack;
};

async function createMember({ name, folder, etcdPort, stack }: MemberOptions): Promise<Member> {
  const [ownPort, ownRestPort] = [await freePort(), await freePort()];
  const wireTo = async (port: number): Promise<Wire> => stack.use(await openWire(port));
  const [wire, restWire, etcdWire] = [
    await wireTo(ownPort),
    await wireTo(ownRestPort),
    await wireTo(etcdPort),
  ];
  const wires = [wire, restWire, etcdWire];
  const home = join(folder, name);
  await mkdir(home, { mode: 0o700 });
  await giveToServer(home);
  const path = join(folder, `${name}.yml`);
  const ports = { ownPort, ownRestPort, port: wire.port, restPort: restWire.port, etcdPort: etcdWire.port };
  await writeFile(path, patroniSettings(name, home, ports));
  let patroni: Started | undefined;
  stack.defer(async () => patroni?.[Symbol.asyncDispose]());
  // PostgreSQL outlives Patroni, because it is not its child process.
  const processes = (): number[] => [...treeOf(patroni?.pid ?? 0), ...postmasterTree];
  let postmasterTree: number[] = [];
  const killServer = (): void => killNow(postmasterTree);
  process.once('exit', killServer);
  stack.defer(() => {
    process.off('exit', killServer);
    killServer();
  });
  const look = async (): Promise<void> => {
    const text = await readFile(join(home, 'data', 'postmaster.pid'), 'utf8').catch(() => '');
    const pid = Number(text.split('\n')[0]);
    postmasterTree = pid > 1 && isAlive(pid) ? treeOf(pid) : [];
  };
  const timer = setInterval(() => void look(), 200);
  stack.defer(() => clearInterval(timer));
  const signal = (pids: readonly number[], name: NodeJS.Signals): void => {
    for (const pid of pids.filter(isAlive)) process.kill(pid, name);
  };
  let frozen: number[] = [];
  return {
    name,
    port: wire.port,
    restPort: restWire.port,
    ownPort,
    ownRestPort,
    kill: () => killNow(processes()),
    start: async () => {
      patroni = await startProgram('patroni', [path], join(folder, 'log', `${name}.log`));
    },
    freeze: () => {
      frozen = processes();
      signal(frozen, 'SIGSTOP');
    },
    thaw: () => signal(frozen.reverse(), 'SIGCONT'),
    cutOff: () => {
      for (const one of wires) one.cut();
    },
    mend: () => {
      for (const one of wires) one.mend();
    },
  };
}

type Ports = Readonly<Record<'ownPort' | 'ownRestPort' | 'port' | 'restPort' | 'etcdPort', number>>;

/** JSON is YAML. */
function patroniSettings(name: string, home: string, ports: Ports): string {
  const at = (port: number): string => `127.0.0.1:${port}`;
  return JSON.stringify({
    scope: 'oja',
    name,
    restapi: { listen: at(ports.ownRestPort), connect_address: at(ports.restPort) },
    etcd3: { hosts: [at(ports.etcdPort)], use_proxies: true },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 3,
        retry_timeout: 5,
        maximum_lag_on_failover: 1_048_576,
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 150,
            wal_log_hints: 'on',
            synchronous_commit: 'on',
            // Until a standby follows the new primary, nothing is committed.
            wal_retrieve_retry_interval: '1s',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    },
    postgresql: {
      listen: at(ports.ownPort),
      connect_address: at(ports.port),
      data_dir: join(home, 'data'),
      bin_dir: postgresPrograms,
      pgpass: join(home, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'replicator' },
      },
      parameters: { unix_socket_directories: home, shared_buffers: '64MB' },
    },
  });
}

const takesWrites = async (member: Member): Promise<boolean> => (await roleOf(member)) === 'primary';

/** A standby that was rewound runs before it can be read, and cannot be promoted yet. */
const takesReads = async (member: Member): Promise<boolean> => (await roleOf(member)) !== undefined;

/** Undefined if the server does not answer. */
async function roleOf({ ownPort }: Member): Promise<'primary' | 'standby' | undefined> {
  await using database = openDatabase({
    connectionString: `postgresql://postgres@127.0.0.1:${ownPort}/postgres`,
    connectionsMax: 1,
    applicationName: 'oja failover',
    connectTimeoutMs: 1_000,
    onPoolError: () => undefined,
  });
  return await isStandby(database).then(
    (standby) => (standby ? 'standby' : 'primary'),
    () => undefined,
  );
}

type Seen = {
  readonly members: readonly { readonly name: string; readonly role: string; readonly state: string }[];
};

/** Undefined unless every member is up and has the role that Patroni reports for it. */
async function leaderOf(members: readonly Member[]): Promise<Member | undefined> {
  const answers = members.map(({ ownRestPort }) =>
    fetch(`http://127.0.0.1:${ownRestPort}/cluster`, { signal: AbortSignal.timeout(2_000) })
      .then((answer) => answer.json() as Promise<Seen>)
      .catch(() => undefined),
  );
  const [seen] = await Promise.all(answers);
  if (seen === undefined || seen.members.length !== members.length) return undefined;
  if (!seen.members.every(({ state }) => state === 'running' || state === 'streaming')) return undefined;
  if (!seen.members.some(({ role }) => role === 'sync_standby')) return undefined;
  const leaders = seen.members.filter(({ role }) => role === 'leader');
  if (!(await Promise.all(members.map(takesReads))).every(Boolean)) return undefined;
  const writers = (await Promise.all(members.map(takesWrites))).filter(Boolean);
  if (leaders.length !== 1 || writers.length !== 1) return undefined;
  return members.find(({ name }) => name === leaders[0]?.name);
}
