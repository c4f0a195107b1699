/**
 * The benchmark's interface to the load generator, which is a separate process, so that neither
 * disturbs the other's timing.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadJob, LoadResult } from './job.ts';

const entry = fileURLToPath(new URL('./main.ts', import.meta.url));

export class LoadGenerator implements AsyncDisposable {
  readonly #child: ChildProcess;

  constructor() {
    this.#child = fork(entry, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Rejects when it cannot connect at all; every other failure is counted in the result. */
  run(job: LoadJob): Promise<LoadResult> {
    return new Promise((resolve, reject) => {
      const onExit = (): void => reject(new Error('the load generator died'));
      this.#child.once('exit', onExit);
      this.#child.once('message', (reply: { result: LoadResult } | { failure: string }) => {
        this.#child.off('exit', onExit);
        if ('result' in reply) resolve(reply.result);
        else reject(new Error(`the load generator failed: ${reply.failure}`));
      });
      this.#child.send(job);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.disconnect();
    await gone;
  }
}
