/**
 * A gateway as a user starts it with `npm start`, in the demo profile. Its log is read and
 * discarded.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { residentBytes } from './machine.ts';

/** This checkout. */
export const ownRoot: string = join(import.meta.dirname, '..');
const START_MS = 60_000;
const STOP_MS = 5_000;

export type GatewayOptions = {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly role: 'api' | 'worker' | 'all';
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly profileDir: string | undefined;
  /** Settings by name, which override all others. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The checkout whose gateway runs. Absent: this one. */
  readonly root?: string;
};

export type Gateway = AsyncDisposable & {
  readonly pid: number;
  /** 0 for a worker, which does not listen. */
  readonly port: number;
  residentBytes(): Promise<number>;
};

/** Resolves when it is ready. Rejects with its output when it fails. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const profile =
    options.profileDir === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profileDir}`];
  const { root = ownRoot } = options;
  const { args, variables } = await readScript(root, 'start');
  const child = spawn(process.execPath, [...profile, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...variables,
      ...options.variables,
      OJA_PROFILE: 'demo',
      OJA_DEMO_HISTORY: 'none',
      OJA_ROLE: options.role,
      OJA_DATA_DIR: options.dataDir,
      DATABASE_URL: options.databaseUrl,
      HOST: '127.0.0.1',
      PORT: '0',
      METRICS_PORT: '0',
      OJA_ADMIN_PORT: '0',
      OJA_CONSOLE_PORT: '0',
      OJA_PORTAL_PORT: '0',
      OJA_RATE_LIMIT_PER_S: '0',
      // Test credentials are served in-process, so no simulator is needed.
      OJA_SIMULATOR_URL: 'http://127.0.0.1:9',
      ...options.settings,
    },
  });
  const port = await readPort(child);
  const pid = child.pid ?? 0;
  return {
    pid,
    port,
    residentBytes: () => residentBytes(pid),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      // A second signal ends a gateway whose purchases still wait for slow providers.
      const timer = setTimeout(() => child.kill('SIGTERM'), STOP_MS);
      await gone;
      clearTimeout(timer);
    },
  };
}

export type Script = {
  readonly args: readonly string[];
  /** Additions to the environment. */
  readonly variables: Readonly<Record<string, string>>;
};

/** The Node.js options of `npm start` or `npm run oja`, which affect the measurement. */
export async function readScript(root: string, name: 'start' | 'oja'): Promise<Script> {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  // `npm start` replaces its shell where possible: `exec env A=1 node … || node …`.
  const script = /^(?:exec )?(?:env ((?:\w+=\S+ )+))?node ([^|]+)/.exec(manifest.scripts[name] ?? '');
  const [, set = '', args] = script ?? [];
  if (args === undefined) throw new Error(`npm ${name} runs something else than node`);
  const pairs = set.split(' ').filter((pair) => pair !== '');
  return {
    args: args.trim().split(' '),
    variables: Object.fromEntries(pairs.map((pair) => pair.split('=', 2))),
  };
}

/** The credential that purchases are made with, as the gateway stored it in a file. */
export async function readTestCredential(
  dataDir: string,
): Promise<{ key: string; secret: string; merchant: string }> {
  const text = await readFile(join(dataDir, 'credentials.json'), 'utf8');
  const { merchant, test } = JSON.parse(text) as { merchant: string; test: { key: string; secret: string } };
  return { ...test, merchant };
}

/** The port that a gateway prints when it listens. Its later output is read and dropped. */
export async function readPort(child: ChildProcess): Promise<number> {
  let said = '';
  return await new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`the gateway ${why}:\n${said}`));
    };
    const timer = setTimeout(() => fail('did not start in time'), START_MS);
    child.once('error', (error) => fail(error.message));
    child.once('exit', () => fail('stopped'));
    child.stdout?.setEncoding('utf8').on('data', function read(text: string) {
      said += text;
      const ready = /listening on http:\/\/[^\s]*:([0-9]+)|oja worker ready/.exec(said);
      if (ready === null) return;
      clearTimeout(timer);
      child.removeAllListeners('exit');
      // From here on its log is read and discarded, as a supervisor would do.
      child.stdout?.off('data', read).resume();
      resolve(Number(ready[1] ?? 0));
    });
  });
}
