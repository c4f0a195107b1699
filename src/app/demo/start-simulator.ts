/**
 * The simulator of the demo, which replaces the providers and banks. The gateway starts it unless
 * the settings name one.
 */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeDataFolder } from '../../core/data-folder.ts';
import type { Logger } from '../../core/log.ts';
import type { Config, Variables } from '../config.ts';
import { publishSimulatorAddress } from './simulator-address.ts';

type Parts = { readonly config: Config; readonly variables: Variables; readonly log: Logger };

type OpenSimulator = AsyncDisposable & { readonly url: string };

/** Returns its address when it answers. `stack` ends it, also while it is still starting. */
export function startSimulator(parts: Parts, stack: AsyncDisposableStack): Promise<string> {
  const opening = open(parts);
  stack.defer(async () => {
    const opened = await opening.catch(() => undefined);
    await opened?.[Symbol.asyncDispose]();
  });
  const url = opening.then((opened) => opened.url);
  // The caller may fail before it awaits this.
  url.catch(() => undefined);
  return url;
}

async function open({ config, variables, log }: Parts): Promise<OpenSimulator> {
  await using stack = new AsyncDisposableStack();
  await makeDataFolder(config.dataDir);
  const start = (): ReturnType<typeof startSimulatorProcess> =>
    startSimulatorProcess({
      port: config.simulatorPort,
      dir: join(config.dataDir, 'simulator'),
      hooksUrl: config.port === 0 ? undefined : `http://127.0.0.1:${config.port}/hooks`,
      variables,
      onRestart: (why) => log.warn({ why }, 'the simulator stopped; starting it again'),
    });
  const url = config.simulatorUrl ?? stack.use(await start()).url;
  stack.use(await publishSimulatorAddress(config.dataDir, url));
  const owned = stack.move();
  return { url, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const entry = fileURLToPath(new URL('../../../simulator/main.ts', import.meta.url));
/** It starts while the database, which may be new, is starting. */
const START_MS = 60_000;
const STOP_MS = 5_000;

const RESTART_MS = 500;

type SimulatorProcess = AsyncDisposable & { readonly url: string };

type SimulatorOptions = {
  readonly port: number;
  readonly dir: string;
  /** The URL for callbacks of providers and banks, without their names. Absent: none are sent. */
  readonly hooksUrl: string | undefined;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** The process stopped unexpectedly and restarts. */
  readonly onRestart: (why: string) => void;
};

/**
 * Resolves when the simulator answers. Rejects with its own message when it cannot start. A
 * simulator that dies is restarted.
 */
/**
 * Runs the simulator for a demo gateway: a child process with its own books, which ends when the
 * gateway ends.
 */
async function startSimulatorProcess(options: SimulatorOptions): Promise<SimulatorProcess> {
  let child = start(options);
  const url = await readUrl(child);
  const port = Number(new URL(url).port);
  let stopping = false;
  const watch = (): void => {
    child.once('exit', (code, signal) => {
      if (stopping) return;
      options.onRestart(`exit ${signal ?? code}`);
      setTimeout(() => void restart(), RESTART_MS);
    });
  };
  const restart = async (): Promise<void> => {
    if (stopping) return;
    child = start({ ...options, port });
    const outcome = await readUrl(child).catch((error: unknown) => error);
    if (outcome instanceof Error) {
      options.onRestart(outcome.message);
      setTimeout(() => void restart(), RESTART_MS * 4);
    } else {
      watch();
    }
  };
  watch();
  return {
    url,
    async [Symbol.asyncDispose]() {
      stopping = true;
      await stop(child);
    },
  };
}

function start(options: SimulatorOptions): ChildProcess {
  return fork(entry, {
    env: {
      ...ownVariables(options.variables),
      OJA_SIMULATOR_PORT: String(options.port),
      OJA_SIMULATOR_DIR: options.variables.OJA_SIMULATOR_DIR ?? options.dir,
      ...(options.hooksUrl !== undefined && { OJA_SIMULATOR_HOOKS_URL: options.hooksUrl }),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

/** The variables that it, Node.js and the system need, without the gateway's secrets. */
export function ownVariables(variables: SimulatorOptions['variables']): SimulatorOptions['variables'] {
  const names = /^(?:OJA_SIMULATOR_\w+|NODE_\w+|PATH|HOME|TZ|LANG|LC_\w+|TMPDIR|TEMP|TMP|SYSTEMROOT)$/i;
  return Object.fromEntries(Object.entries(variables).filter(([name]) => names.test(name)));
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await gone;
  clearTimeout(timer);
}

function readUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const timer = setTimeout(() => fail('did not start in time'), START_MS);
    const fail = (why: string): void => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`the simulator ${why}: ${said.trim()}`));
    };
    child.once('error', (error) => fail(error.message));
    const stopped = (): void => fail('stopped at once');
    child.once('exit', stopped);
    child.stderr?.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8').slice(0, 2_000);
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8').slice(0, 2_000);
      const url = /listening on (http:\S+)/.exec(said)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      // Only the first line: more output follows, when others already listen.
      child.off('exit', stopped);
      resolve(url);
    });
  });
}
