/**
 * A gateway as a user starts it, in the demo profile, on any free port, with a separate database,
 * data folder and simulator unless these are given. All of it is removed, however the test ends.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Agent, request } from 'undici';
import { startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { cleanUpAfter } from './clean-up-after.ts';
import { assertAsDocumented } from './contract.ts';
import { createTestDatabase } from './database.ts';

/** A bundle of `src/main.ts`, which starts sooner (global-setup.ts). */
const bundle = process.env.OJA_TEST_GATEWAY;
const entry = bundle ?? join(import.meta.dirname, '..', '..', 'src', 'main.ts');
/**
 * It lives for some seconds, and would spend many of them collecting a small young heap. Other
 * files use the other cores.
 */
const shortLife = ['--min-semi-space-size=32', '--single-threaded-gc'];
const START_MS = 120_000;
/** A shutdown that hangs is ended, and fails its test. */
const STOP_MS = 120_000;

export type KeyPair = { readonly key: string; readonly secret: string };
export type Credentials = { readonly merchant: string; readonly test: KeyPair; readonly live: KeyPair };

export type GatewayOptions = {
  /** The program. Absent: Oja's own. */
  readonly entry?: string;
  /** Of Node.js. Absent: those for a gateway that lives for some seconds. */
  readonly nodeOptions?: readonly string[];
  /** Settings by name, which override those of this file. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Absent: a separate database, dropped at the end. `embedded`: the gateway runs its own
   * PostgreSQL.
   */
  readonly databaseUrl?: string;
  /** Absent: a temporary folder, removed at the end. */
  readonly dataDir?: string;
  /** Absent: a simulator in this process, with separate books. */
  readonly simulatorUrl?: string;
};

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The body parsed as JSON; undefined if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer is looked into by path, and the assertions judge its shape
  readonly body: any;
};

export type CallOptions = {
  /** The credentials of the request; default `test`. */
  readonly as?: 'test' | 'live' | 'nobody' | KeyPair;
  /** The `test` and `live` credentials. Absent: the demo's. */
  readonly among?: Credentials;
  /** Text unchanged, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type Gateway = AsyncDisposable & {
  readonly url: string;
  readonly metricsUrl: string;
  /** Of the admin API, with its path. */
  readonly adminUrl: string;
  readonly simulatorUrl: string;
  readonly dataDir: string;
  readonly pid: number;
  readonly credentials: Credentials;
  /** A pool of the test itself on the gateway's database. Absent for an embedded one. */
  readonly database: Database;
  readonly databaseUrl: string;
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    options?: CallOptions,
  ): Promise<Answer>;
  /** The JSON lines logged so far. The log comes up to a second late. */
  log(): Record<string, unknown>[];
  /** All its output so far. */
  output(): string;
  readonly exited: Promise<Exit>;
  kill(signal: NodeJS.Signals): void;
  /** Sends SIGTERM, and returns how it ended. */
  stop(): Promise<Exit>;
};

/** Resolves when all its listeners listen. Rejects with its output when they do not. */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  await using stack = new AsyncDisposableStack();
  const dataDir = options.dataDir ?? (await temporaryFolder(stack));
  const simulatorUrl = options.simulatorUrl ?? (await ownSimulator(stack));
  const embedded = options.databaseUrl === 'embedded';
  const databaseUrl = options.databaseUrl ?? (await ownDatabase(stack, options));
  const settings = {
    OJA_DATA_DIR: dataDir,
    OJA_SIMULATOR_URL: simulatorUrl,
    ...(embedded ? {} : { DATABASE_URL: databaseUrl }),
    ...options.settings,
  };
  const running = runGateway(settings, options.entry, options.nodeOptions);
  stack.use(running);
  await running.ready;
  const credentials = JSON.parse(await readFile(join(dataDir, 'credentials.json'), 'utf8')) as Credentials;
  const agent = new Agent();
  stack.defer(() => agent.destroy());
  const pool = embedded ? undefined : stack.use(openPool(databaseUrl));
  const url = urlIn(running.output(), /listening on (http:\S+)/);
  const owned = stack.move();
  return {
    url,
    metricsUrl: urlIn(running.output(), /Metrics +(http:\S+)/),
    adminUrl: urlIn(running.output(), /admin API on (http:\S+)/),
    simulatorUrl,
    dataDir,
    databaseUrl,
    credentials,
    pid: running.pid,
    get database(): Database {
      if (pool === undefined) throw new Error('an embedded database is reached by the gateway alone');
      return pool;
    },
    call: async (method, path, call = {}) => {
      const answer = await send(agent, `${url}${path}`, method, call.among ?? credentials, call);
      // Another program, such as the previous release, has a different document.
      if (options.entry !== undefined) return answer;
      await assertAsDocumented({ ...answer, method, url: path, sent: call.body });
      return answer;
    },
    log: () => logLines(running.output()),
    output: () => running.output(),
    exited: running.exited,
    kill: (signal) => running.kill(signal),
    stop: () => running.stop(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The same gateway, for which `test` and `live` are the credentials of another merchant. */
export function withCredentials(gateway: Gateway, credentials: Credentials): Gateway {
  return {
    ...gateway,
    credentials,
    call: (method, path, options = {}) => gateway.call(method, path, { among: credentials, ...options }),
  };
}

export type RunningGateway = AsyncDisposable & {
  readonly pid: number;
  /**
   * Resolves when all its listeners listen, or its worker is ready. Rejects when it ends before.
   */
  readonly ready: Promise<void>;
  readonly exited: Promise<Exit>;
  output(): string;
  kill(signal: NodeJS.Signals): void;
  stop(): Promise<Exit>;
};

/** The bare process, with only these settings: for starts that may fail. */
export function runGateway(
  settings: Readonly<Record<string, string>>,
  program: string = entry,
  nodeOptions: readonly string[] = shortLife,
): RunningGateway {
  const child = spawn(process.execPath, [...nodeOptions, program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...machineEnvironment(), ...defaultSettings, ...settings },
  });
  const pid = child.pid ?? 0;
  const janitor = killAfterUs(pid);
  let said = '';
  const hear = (chunk: string): void => {
    said += chunk;
  };
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  const exited = once(child, 'close').then(([code, signal]) => {
    janitor.kill('SIGKILL');
    return { code, signal } as Exit;
  });
  const ready = readiness(child, exited, () => said);
  // A caller that does not wait for it must not get an unhandled rejection.
  ready.catch(() => undefined);
  const stop = async (): Promise<Exit> => {
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    const exit = await exited;
    clearTimeout(timer);
    return exit;
  };
  return {
    pid,
    ready,
    exited,
    output: () => said,
    kill: (signal) => void child.kill(signal),
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop();
    },
  };
}

const defaultSettings = {
  OJA_PROFILE: 'demo',
  OJA_DEMO_HISTORY: 'none',
  OJA_STOP_GRACE_S: '0',
  HOST: '127.0.0.1',
  PORT: '0',
  METRICS_PORT: '0',
  OJA_ADMIN_PORT: '0',
  OJA_CONSOLE_PORT: '0',
  OJA_PORTAL_PORT: '0',
  OJA_SIMULATOR_PORT: '0',
  OJA_RATE_LIMIT_PER_S: '0',
  OJA_DATABASE_CONNECTIONS: '6',
};

/** Without any setting of Oja from the developer's shell. */
function machineEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR', 'LANG', 'NODE_COMPILE_CACHE'];
  const kept = Object.fromEntries(
    names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  );
  // For a bundle, the compiled code is removed together with the bundle.
  return bundle === undefined ? kept : { ...kept, NODE_COMPILE_CACHE: join(dirname(bundle), 'compiled') };
}

/** Waits for the address of the admin API, the last line that a gateway prints at its start. */
async function readiness(child: ChildProcess, exited: Promise<Exit>, said: () => string): Promise<void> {
  const settled = new AbortController();
  const listening = new Promise<void>((resolve) => {
    const look = (): void => {
      if (/^oja (?:admin API on \S+|worker ready)\n/m.test(said())) resolve();
    };
    child.stdout?.on('data', look);
    settled.signal.addEventListener('abort', () => child.stdout?.off('data', look));
  });
  const failed = exited.then(({ code, signal }) => `ended with ${signal ?? code}`);
  const late = new Promise<string>((resolve) => {
    const timer = setTimeout(() => resolve('did not start in time'), START_MS);
    settled.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  const why = await Promise.race([listening, failed, late]).finally(() => settled.abort());
  if (why !== undefined) throw new Error(`the gateway ${why}:\n${said()}`);
}

/**
 * If this process is killed, the gateway ends too: the kernel closes the pipe, which ends the
 * `cat`.
 */
function killAfterUs(pid: number): ChildProcess {
  const script = 'cat > /dev/null; kill -9 "$1"';
  const janitor = spawn('/bin/sh', ['-c', script, 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  janitor.unref();
  return janitor;
}

async function temporaryFolder(stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-gateway-'));
  cleanUpAfter(folder);
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  // An embedded server runs as another user when the tests run as root.
  await chmod(folder, 0o755);
  return folder;
}

export async function ownSimulator(stack: AsyncDisposableStack): Promise<string> {
  const folder = await temporaryFolder(stack);
  const simulator = await startSimulator(
    readSettings({ OJA_SIMULATOR_PORT: '0', OJA_SIMULATOR_DIR: folder, OJA_SIMULATOR_TIMEOUT_MS: '2000' }),
  );
  stack.defer(() => simulator.close());
  return simulator.url;
}

/** A database that already contains Oja's demo, if the start needs it: most starts do. */
async function ownDatabase(
  stack: AsyncDisposableStack,
  { entry: program, settings }: GatewayOptions,
): Promise<string> {
  const demo = program === undefined && (settings?.OJA_PROFILE ?? 'demo') === 'demo';
  const clone = stack.use(await createTestDatabase({ demo }));
  return clone.connectionString;
}

function openPool(connectionString: string): Database {
  return openDatabase({
    connectionString,
    connectionsMax: 4,
    applicationName: 'oja test',
    onPoolError: () => undefined,
  });
}

async function send(
  agent: Agent,
  url: string,
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  credentials: Credentials,
  { as = 'test', body, headers = {} }: CallOptions,
): Promise<Answer> {
  const pair = as === 'nobody' ? undefined : typeof as === 'string' ? credentials[as] : as;
  const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await request(url, {
    method,
    dispatcher: agent,
    headers: {
      ...(pair ? { 'x-merchant-key': pair.key, 'x-merchant-secret': pair.secret } : {}),
      ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(payload === undefined ? {} : { body: payload }),
  });
  const text = await answer.body.text();
  return { status: answer.statusCode, headers: answer.headers, text, body: readJson(text) };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function logLines(output: string): Record<string, unknown>[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .flatMap((line) => {
      const read = readJson(line);
      return typeof read === 'object' && read !== null ? [read as Record<string, unknown>] : [];
    });
}

function urlIn(output: string, pattern: RegExp): string {
  const url = pattern.exec(output)?.[1];
  if (url === undefined) throw new Error(`the gateway did not say ${pattern}:\n${output}`);
  return url;
}
