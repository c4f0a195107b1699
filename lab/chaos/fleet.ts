/**
 * Three gateways and a worker, each with a separate connection to the database and an adjustable
 * clock. A killed process restarts at the same address. A process that ends by itself is recorded.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DatabaseProxy, openDatabaseProxy } from '../../test/crash/database-proxy.ts';
import { type RunningGateway, runGateway } from '../../test/support/gateway.ts';
import { freePort } from '../../test/support/processes.ts';

export type Member = {
  readonly name: string;
  readonly wire: DatabaseProxy;
  /** Resolves when it has ended. */
  kill(): Promise<void>;
  /** SIGTERM. Resolves when it has ended. */
  stop(): Promise<void>;
  /** Restarts it. Resolves when it is ready. */
  start(): Promise<void>;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  setClock(aheadMs: number): Promise<void>;
};

export type Fleet = {
  readonly gateways: readonly Member[];
  readonly worker: Member;
  /** All of them. */
  readonly members: readonly Member[];
  readonly ports: readonly number[];
  /** From now on new processes run this release. */
  upgrade(): void;
  /** Processes that ended by themselves, with their last output. */
  readonly died: readonly string[];
  /** All lines of output so far that contain this text. */
  linesWith(text: string): string[];
};

export type FleetOptions = {
  readonly connectionString: string;
  readonly dataDir: string;
  readonly simulatorUrl: string;
  /** The program during the first half. Absent: Oja's own. */
  readonly program: string | undefined;
};

const GATEWAYS = 3;
const preload = join(import.meta.dirname, 'jumping-clock.ts');

type Heard = { program: string | undefined; readonly died: string[]; readonly lines: string[] };

/** The first one sets the database up. */
export async function startFleet(stack: AsyncDisposableStack, options: FleetOptions): Promise<Fleet> {
  const heard: Heard = { program: options.program, died: [], lines: [] };
  const ports: number[] = [];
  const gateways: Member[] = [];
  for (let number = 1; number <= GATEWAYS; number += 1) {
    const port = await freePort();
    ports.push(port);
    gateways.push(
      await createMember(stack, options, heard, `gateway ${number}`, { OJA_ROLE: 'api', PORT: `${port}` }),
    );
  }
  const worker = await createMember(stack, options, heard, 'worker', { OJA_ROLE: 'worker' });
  const members = [...gateways, worker];
  await members[0]?.start();
  await Promise.all(members.slice(1).map((member) => member.start()));
  return {
    gateways,
    worker,
    members,
    ports,
    upgrade: () => {
      heard.program = undefined;
    },
    died: heard.died,
    linesWith: (text) => heard.lines.filter((line) => line.includes(text)),
  };
}

async function createMember(
  stack: AsyncDisposableStack,
  options: FleetOptions,
  heard: Heard,
  name: string,
  role: Readonly<Record<string, string>>,
): Promise<Member> {
  const wire = stack.use(await openDatabaseProxy(options.connectionString));
  const clock = join(options.dataDir, `clock-${name.replace(' ', '-')}`);
  const setClock = (aheadMs: number): Promise<void> => writeFile(clock, String(aheadMs));
  await setClock(0);
  const run = (): RunningGateway =>
    runGateway(
      {
        ...role,
        OJA_DATA_DIR: options.dataDir,
        DATABASE_URL: wire.connectionString,
        OJA_DATABASE_CONNECTIONS: '12',
        OJA_SIMULATOR_URL: options.simulatorUrl,
        OJA_NOT_FOUND_GRACE_S: '10',
        OJA_SYNC_DEADLINE_S: '15',
        OJA_LOG_LEVEL: 'warn',
        NODE_OPTIONS: `--import=${preload}`,
        OJA_CHAOS_CLOCK: clock,
      },
      heard.program,
    );
  let running: RunningGateway | undefined;
  let isMeant = false;
  const end = async (ending: (present: RunningGateway) => unknown): Promise<void> => {
    isMeant = true;
    const present = running;
    if (present === undefined) return;
    await ending(present);
    await present.exited;
  };
  // An orderly stop at the end of a run is not needed, because the database is removed.
  const kill = (): Promise<void> => end((present) => present.kill('SIGKILL'));
  stack.defer(kill);
  return {
    name,
    wire,
    kill,
    stop: () => end((present) => present.stop()),
    start: async () => {
      isMeant = false;
      const started = run();
      running = started;
      void started.exited.then(({ code, signal }) => {
        heard.lines.push(...started.output().split('\n').filter(isWorthKeeping));
        const how = `${name} ended by itself with ${signal ?? code}:\n${started.output().slice(-2_000)}`;
        if (!isMeant && running === started) heard.died.push(how);
      });
      await started.ready;
    },
    signal: (signal) => running?.kill(signal),
    setClock,
  };
}

/** The output of an hour would need too much memory. */
function isWorthKeeping(line: string): boolean {
  return /deadlock|"level":"(error|fatal)"/.test(line);
}
