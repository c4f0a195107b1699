/**
 * The running server: started until it answers, restarted whenever it dies, stopped cleanly.
 *
 * Guarantees: signals meant for the program (Ctrl-C in a terminal) do not reach the server, because
 * it must outlive the program's last statement. The server does not outlive the program. A server
 * that died restarts on the same socket, so connection pools recover by themselves.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Command } from './death-signal.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { stopLeftoverServer } from './leftover-server.ts';
import { lastComplaint, rotateLog } from './server-log.ts';
import { serverEnvironment } from './server-settings.ts';
import type { ServerUser } from './server-user.ts';

const run = promisify(execFile);

export type ServerLog = { info(message: string): void; warn(message: string): void };

export type ServerPlan = {
  readonly command: Command;
  readonly user: ServerUser | undefined;
  readonly binDir: string;
  readonly clusterDir: string;
  readonly logPath: string;
  readonly log: ServerLog;
};

const startPatienceMs = 10_000;
const retryMs = 200;
const readyPollMs = 10;
const stillStartingMs = 5_000;
const backoffMinMs = 100;
const backoffMaxMs = 5_000;
const stopPatienceMs = 30_000;

/**
 * The server did not start. The cause may be temporary, for example memory of the previous server
 * that is not freed yet.
 */
class StartError extends EmbeddedPostgresError {
  readonly isPassing: boolean;

  constructor(reason: string, logPath: string) {
    super('start_failed', `PostgreSQL did not start: ${reason} (see ${logPath})`);
    this.isPassing = /lock file|shared memory|socket|address|signal/i.test(reason);
  }
}

export class ServerProcess {
  readonly #plan: ServerPlan;
  readonly #stop = new AbortController();
  readonly #exited = Promise.withResolvers<void>();
  #child: ChildProcess | undefined;
  #revival: Promise<void> = Promise.resolve();

  constructor(plan: ServerPlan) {
    this.#plan = plan;
  }

  /**
   * The server's current process id. It changes when the server is restarted. Undefined while it is
   * down.
   */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Settles when the server was stopped permanently. */
  get exited(): Promise<void> {
    return this.#exited.promise;
  }

  /** Resolves when the server accepts connections. */
  async start(): Promise<void> {
    const deadline = performance.now() + startPatienceMs;
    process.on('exit', this.#onExit);
    for (;;) {
      try {
        return await this.#launch();
      } catch (error) {
        if (!(error instanceof StartError && error.isPassing) || performance.now() > deadline) {
          process.off('exit', this.#onExit);
          throw error;
        }
        await sleep(retryMs);
      }
    }
  }

  /** Closes all connections, writes all data to disk, and resolves when the server has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#shutDown();
    await this.#revival;
    process.off('exit', this.#onExit);
    this.#exited.resolve();
  }

  readonly #onExit = (): void => {
    this.#child?.kill('SIGINT');
  };

  async #launch(): Promise<void> {
    const { command, user, clusterDir, logPath } = this.#plan;
    await stopLeftoverServer(clusterDir);
    const logFrom = await rotateLog(logPath);
    await using logFile = await open(logPath, 'a', 0o600);
    const child = spawn(command.program, command.args, {
      ...user,
      cwd: clusterDir,
      env: serverEnvironment(),
      detached: process.platform !== 'win32',
      windowsHide: true,
      stdio: ['ignore', logFile.fd, logFile.fd],
    });
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) =>
        resolve(signal ? `ended by signal ${signal}` : `exit code ${code}`),
      );
    });
    this.#child = child;
    const early = await Promise.race([ended, this.#untilReady(child)]);
    if (early !== undefined) {
      this.#child = undefined;
      throw new StartError(
        early.startsWith('exit code') ? await lastComplaint(logPath, logFrom) : early,
        logPath,
      );
    }
    // The program's own work keeps it alive; its database does not.
    child.unref();
    void ended.then((reason) => this.#onEnd(child, reason));
  }

  /**
   * The server writes to its pid file when it is ready. After a crash that can take as long as its
   * recovery.
   */
  async #untilReady(child: ChildProcess): Promise<undefined> {
    const pidFile = join(this.#plan.clusterDir, 'postmaster.pid');
    let announceAt = performance.now() + stillStartingMs;
    while (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      const lines = (await readFile(pidFile, 'utf8').catch(() => '')).split('\n');
      if (lines[0] === String(child.pid) && lines[7]?.trim() === 'ready') {
        return undefined;
      }
      if (performance.now() > announceAt) {
        announceAt += stillStartingMs;
        this.#plan.log.info('PostgreSQL is recovering from an unclean stop');
      }
      await sleep(readyPollMs);
    }
    return await new Promise<never>(() => undefined);
  }

  #onEnd(child: ChildProcess, reason: string): void {
    if (this.#child === child) {
      this.#child = undefined;
      if (!this.#stop.signal.aborted) {
        this.#plan.log.warn(`PostgreSQL died (${reason}); starting it again`);
        this.#revival = this.#revive();
      }
    }
  }

  async #revive(): Promise<void> {
    let backoffMs = backoffMinMs;
    while (!this.#stop.signal.aborted) {
      try {
        await this.#launch();
        this.#plan.log.info('PostgreSQL is up again');
        break;
      } catch (error) {
        this.#plan.log.warn(error instanceof Error ? error.message : String(error));
      }
      await sleep(backoffMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
      backoffMs = Math.min(backoffMs * 2, backoffMaxMs);
    }
    if (this.#stop.signal.aborted) {
      await this.#shutDown();
    }
  }

  async #shutDown(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
      return;
    }
    child.ref();
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const impatience = setTimeout(() => child.kill('SIGQUIT'), stopPatienceMs);
    await this.#askToStop(child);
    await ended;
    clearTimeout(impatience);
  }

  async #askToStop(child: ChildProcess): Promise<void> {
    if (process.platform === 'win32') {
      // Windows has no SIGINT: sending it would kill the process.
      const { binDir, clusterDir } = this.#plan;
      await run(join(binDir, 'pg_ctl'), ['stop', '-D', clusterDir, '-m', 'fast']).catch(() => child.kill());
    } else {
      child.kill('SIGINT');
    }
  }
}

/** Where a server that keeps its data under `clusterDir` writes its log. */
export function serverLogPath(clusterDir: string): string {
  return join(dirname(clusterDir), 'server.log');
}
