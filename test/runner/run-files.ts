/** Runs test files in a few processes. Each takes the next file when it has finished one. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root, type TestFile } from './layers.ts';
import type { FileReport } from './reporter.ts';
import type { FileOrder } from './worker.ts';

/** The result of one file: its report, or none when its process ended before it had one. */
export type FileResult = {
  readonly test: TestFile;
  /** Its path, with the cells where it has several. */
  readonly file: string;
  readonly failed: boolean;
  readonly report: FileReport | undefined;
  readonly ms: number;
  /** The output of the process while the file ran. */
  readonly output: string;
};

export type RunOptions = {
  /** How many files run at once. */
  readonly processes: number;
  /** Called when a file has ended. */
  onResult(result: FileResult): void;
};

/**
 * Longer than any file takes on a slow machine. A file that hangs is ended and counts as failed.
 */
const LONGEST_FILE_MS = 10 * 60_000;
/**
 * A worker that uses more memory is replaced, because modules and caches of many files accumulate.
 */
const LARGEST_WORKER_BYTES = 900 * 2 ** 20;

/** Also the timeout of a whole file, which Node's runner treats as a test. */
const TEST_TIMEOUT_MS = LONGEST_FILE_MS;
const workerOptions = [
  `--import=${join(import.meta.dirname, 'without-async-hooks.ts')}`,
  // It loads hundreds of modules, and would collect a small young heap repeatedly.
  '--min-semi-space-size=16',
  `--test-timeout=${TEST_TIMEOUT_MS}`,
  `--test-reporter=${join(import.meta.dirname, 'reporter.ts')}`,
];

type Worker = { readonly child: ChildProcess; output: string };

/** Resolves with a result for each file, in the order in which they ended. */
export async function runFiles(files: readonly TestFile[], options: RunOptions): Promise<FileResult[]> {
  const queue = [...files];
  const results: FileResult[] = [];
  const takeAll = async (): Promise<void> => {
    let worker: Worker | undefined;
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      if (next.ownProcess) stop(worker);
      worker = next.ownProcess ? startWorker(next) : (worker ?? startWorker(next));
      const result = await runInWorker(worker, next);
      results.push(result);
      options.onResult(result);
      const large = (result.report?.residentBytes ?? Number.POSITIVE_INFINITY) > LARGEST_WORKER_BYTES;
      // After a failure, leftovers of the file could fail the next one.
      if (next.ownProcess || large || result.failed) {
        stop(worker);
        worker = undefined;
      }
    }
    stop(worker);
  };
  await Promise.all(Array.from({ length: options.processes }, takeAll));
  return results;
}

function startWorker({ cells }: TestFile): Worker {
  const child = spawn(process.execPath, [...workerOptions, join(import.meta.dirname, 'worker.ts')], {
    cwd: root,
    env: { ...process.env, OJA_TEST_CELLS: String(cells) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const worker: Worker = { child, output: '' };
  const collect = (text: string): void => {
    worker.output += text;
  };
  child.stdout?.setEncoding('utf8').on('data', collect);
  child.stderr?.setEncoding('utf8').on('data', collect);
  return worker;
}

/** A released worker ends itself, so that Node.js can write its coverage. */
function stop(worker: Worker | undefined): void {
  if (worker?.child.connected) worker.child.disconnect();
}

async function runInWorker(worker: Worker, test: TestFile): Promise<FileResult> {
  const startedMs = performance.now();
  worker.output = '';
  const ended = new AbortController();
  const { signal } = ended;
  const reported = once(worker.child, 'message', { signal }).then(([report]) => report as FileReport);
  const exited = once(worker.child, 'exit', { signal }).then(() => undefined);
  const hanging = setTimeout(() => worker.child.kill('SIGKILL'), LONGEST_FILE_MS);
  const order: FileOrder = { path: join(root, test.path), sharesGateway: test.sharesGateway };
  worker.child.send(order);
  const report = await Promise.race([reported, exited]).finally(() => {
    clearTimeout(hanging);
    ended.abort();
  });
  for (const pending of [reported, exited]) pending.catch(() => undefined);
  return {
    test,
    file: test.cells === 1 ? test.path : `${test.path} (${test.cells} cells)`,
    failed: report === undefined || report.failures.length > 0,
    report,
    ms: performance.now() - startedMs,
    output: worker.output,
  };
}
