/**
 * Processes as a crash affects them: which run in a data folder, which are children of others, and
 * a way to kill all of them at once. Also the upstream simulator as a separate process, which
 * survives its gateway. Linux only, by `/proc`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The pauses between two polls. They grow: a state that takes long is polled less often. */
const POLL_MS = { first: 25, most: 200, growth: 1.2 };

/**
 * Polls until `look` returns something other than undefined and false. Rejects with its name when
 * it takes longer. For programs with promised limits; tests use `until.ts`.
 */
export async function until<T>(
  what: string,
  withinMs: number,
  look: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (let pauseMs = POLL_MS.first; ; pauseMs = Math.min(pauseMs * POLL_MS.growth, POLL_MS.most)) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) throw new Error(`never within ${withinMs} ms: ${what}`);
    await sleep(pauseMs);
  }
}

export function isAlive(pid: number): boolean {
  const state = statOf(pid)?.state;
  return state !== undefined && state !== 'Z' && state !== 'X';
}

/**
 * The process id of the PostgreSQL that a gateway runs in its data folder; undefined when none
 * does.
 */
export function postmasterOf(dataDir: string): number | undefined {
  try {
    const text = readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8');
    const pid = Number(text.split('\n')[0]);
    return isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}

export function childrenOf(parent: number): number[] {
  return everyPid().filter((pid) => statOf(pid)?.parent === parent && isAlive(pid));
}

/**
 * Processes that work in a folder or were started on it: those that a gateway on that data folder
 * can leave behind.
 */
export function processesIn(folder: string): number[] {
  return everyPid().filter((pid) => {
    if (pid === process.pid || !isAlive(pid)) return false;
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(folder) || environment.includes(`=${folder}`);
    } catch {
      return false;
    }
  });
}

/** Sends SIGKILL to all of them at once. */
export function killNow(pids: readonly (number | undefined)[]): void {
  signalAll(pids, 'SIGKILL');
}

/** Stops a process and its children (SIGSTOP) until it is disposed of. */
export function freezeTree(parent: number): Disposable {
  signalAll([parent], 'SIGSTOP');
  // A paused parent starts no more of them. Some may end at this moment.
  const children = childrenOf(parent);
  signalAll(children, 'SIGSTOP');
  return { [Symbol.dispose]: () => signalAll([...children, parent], 'SIGCONT') };
}

/** Skips processes that have already ended. */
function signalAll(pids: readonly (number | undefined)[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      if (pid !== undefined && pid > 1) process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

function everyPid(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 1);
}

/** Hundredths of a second on every Linux that Node.js runs on. */
const TICKS_PER_S = 100;

/** Processor seconds of a process and all its children, including ended ones. */
export function processorSecondsOf(pid: number): number {
  const children = Map.groupBy(everyPid(), (each) => statOf(each)?.parent);
  const secondsOf = (each: number): number =>
    (children.get(each) ?? []).reduce(
      (sum, child) => sum + secondsOf(child),
      (statOf(each)?.ticks ?? 0) / TICKS_PER_S,
    );
  return secondsOf(pid);
}

function statOf(pid: number): { state: string; parent: number; ticks: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // "pid (name) state parent …": the name may contain anything.
    const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Its own, and that of its ended children.
    const ticks = rest.slice(9, 13).reduce((sum, one) => sum + Number(one), 0);
    return state === undefined ? undefined : { state, parent: Number(parent), ticks };
  } catch {
    return undefined;
  }
}

/**
 * Ports of this process, below the range that the system assigns (Linux starts at 32768): a
 * separate block, whose first port is open as long as the process lives. Test files run side by
 * side, and a process that finds a block taken uses the next one. First ports are never returned,
 * so 10080, which `fetch` blocks, is not either.
 */
const PORTS_EACH = 20;
const BLOCKS = 1_100;
let block: Promise<number> | undefined;
let portsGiven = 0;

async function takeBlock(): Promise<number> {
  for (let tries = 0; tries < BLOCKS; tries += 1) {
    const first = 10_000 + ((process.pid + tries) % BLOCKS) * PORTS_EACH;
    const claim = await listenOn(first);
    claim?.unref();
    if (claim !== undefined) return first;
  }
  throw new Error('every block of ports is taken');
}

async function listenOn(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  return await once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}

/**
 * A port for a process that must restart on the same one. It is not assigned to others meanwhile,
 * as could happen to one that the system chose.
 */
export async function freePort(): Promise<number> {
  block ??= takeBlock();
  const first = await block;
  for (let tries = 0; tries < PORTS_EACH; tries += 1) {
    const port = first + 1 + (portsGiven++ % (PORTS_EACH - 1));
    const server = await listenOn(port);
    if (server === undefined) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new Error(`none of the ports from ${first} is free`);
}

export type SimulatorOptions = {
  readonly port: number;
  /** The folder of its books. */
  readonly dir: string;
  readonly settings?: Readonly<Record<string, string>>;
};

export type SimulatorProcess = AsyncDisposable & {
  readonly url: string;
  /** Sends SIGKILL. Resolves when it has ended. */
  kill(): Promise<void>;
  /** Restarts it on the same port and books. */
  start(): Promise<void>;
  /** Replaces the rules of misbehaviour; they are forgotten when it is killed. */
  misbehave(seed: number, rules: readonly Readonly<Record<string, unknown>>[]): Promise<void>;
  /** How many calls have met a rule since. */
  strikes(): Promise<number>;
};

const simulatorEntry = join(import.meta.dirname, '..', '..', 'simulator', 'main.ts');

/** Resolves when it listens. It ends when this process ends. */
export async function spawnSimulator(options: SimulatorOptions): Promise<SimulatorProcess> {
  let child = await runSimulator(options);
  const url = `http://127.0.0.1:${options.port}`;
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return {
    url,
    kill,
    start: async () => {
      child = await runSimulator(options);
    },
    misbehave: async (seed, rules) => {
      const answer = await fetch(`${url}/faults`, { method: 'PUT', body: JSON.stringify({ seed, rules }) });
      if (!answer.ok) throw new Error(`the simulator refuses the rules: ${await answer.text()}`);
    },
    strikes: async () => {
      const { rules } = (await (await fetch(`${url}/faults`)).json()) as { rules: { hits: number }[] };
      return rules.reduce((total, rule) => total + rule.hits, 0);
    },
    [Symbol.asyncDispose]: kill,
  };
}

async function runSimulator({ port, dir, settings }: SimulatorOptions): Promise<ReturnType<typeof spawn>> {
  const child = spawn(process.execPath, [simulatorEntry], {
    // With a channel to this process it stops when this process ends.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...settings,
      OJA_SIMULATOR_PORT: String(port),
      OJA_SIMULATOR_DIR: dir,
    },
  });
  let said = '';
  const hear = (chunk: Buffer): void => {
    said += chunk.toString('utf8');
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  await until('the simulator listens', 60_000, () => {
    if (child.exitCode !== null) throw new Error(`the simulator stopped at once: ${said}`);
    return said.includes('listening on');
  });
  return child;
}
