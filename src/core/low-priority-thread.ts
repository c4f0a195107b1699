/**
 * Runs long work in a thread of low priority, so that purchases get the processor first. The first
 * call starts the thread, which runs one call at a time. When it dies, the waiting calls fail, and
 * the next call starts another thread.
 */
import { constants, setPriority } from 'node:os';
import { parentPort, Worker } from 'node:worker_threads';

type Call<Request> = { readonly id: number; readonly request: Request };
type Answer<Result> = { readonly id: number; readonly result?: Result; readonly error?: unknown };
type Waiting<Result> = {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

export class LowPriorityThread<Request, Result> implements AsyncDisposable {
  readonly #program: URL;
  readonly #waiting = new Map<number, Waiting<Result>>();
  #worker: Worker | undefined;
  #count = 0;

  /** `program`: the file that calls `serveCalls`. */
  constructor(program: URL) {
    this.#program = program;
  }

  run(request: Request): Promise<Result> {
    this.#count += 1;
    const call: Call<Request> = { id: this.#count, request };
    return new Promise((resolve, reject) => {
      this.#waiting.set(call.id, { resolve, reject });
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#worker.postMessage(call);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#program);
    worker.on('message', ({ id, result, error }: Answer<Result>) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      // It must not keep an otherwise idle process alive.
      if (this.#waiting.size === 0) worker.unref();
      if (error === undefined) waiting?.resolve(result as Result);
      else waiting?.reject(error);
    });
    const gone = (): void => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(new Error('the thread died'));
      this.#waiting.clear();
    };
    worker.on('error', gone);
    worker.on('exit', gone);
    return worker;
  }
}

/** Answers the calls of the thread that this program runs in. */
export function serveCalls<Request, Result>(work: (request: Request) => Result | Promise<Result>): void {
  // On Linux a thread has its own priority. Elsewhere this would slow the whole process.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  parentPort?.on('message', async ({ id, request }: Call<Request>) => {
    try {
      parentPort?.postMessage({ id, result: await work(request) });
    } catch (error) {
      parentPort?.postMessage({ id, error });
    }
  });
}
