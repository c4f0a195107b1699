/**
 * The common part of the measuring programs: options, a folder, a database server and progress at
 * the start, the removal of all of it at the end, and the output.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, openCluster } from './cluster.ts';

export type Folder = {
  /** Disposed at the end, or at a signal. */
  readonly stack: AsyncDisposableStack;
  readonly dir: string;
  /** Prints the present step on standard error, with the seconds since the start. */
  readonly progress: (text: string) => void;
};

export type Ground = Folder & { readonly cluster: Cluster };

type Program<Options, On> = {
  /** Part of the folder's name. */
  readonly name: string;
  /** Throws if the arguments are invalid. */
  readonly parseOptions: (args: readonly string[]) => Options;
  readonly usage: string;
  readonly run: (options: Options, on: On) => Promise<void>;
};

/** Uses the database server of `DATABASE_URL`, or a separate one. */
export async function runProgram<Options>(program: Program<Options, Ground>): Promise<void> {
  await runInFolder<Options>({
    ...program,
    run: async (options, folder) => {
      const cluster = folder.stack.use(await openCluster(process.env.DATABASE_URL, folder.dir));
      await program.run(options, { ...folder, cluster });
    },
  });
}

/** Without a database server. */
export async function runInFolder<Options>(program: Program<Options, Folder>): Promise<void> {
  try {
    const options = readOptions(program);
    await using stack = new AsyncDisposableStack();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void stack.disposeAsync().finally(() => process.exit(1)));
    }
    await program.run(options, await openFolder(program.name, stack));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  }
}

function readOptions<Options>({
  parseOptions,
  usage,
}: Pick<Program<Options, never>, 'parseOptions' | 'usage'>): Options {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}

async function openFolder(name: string, stack: AsyncDisposableStack): Promise<Folder> {
  const startedAt = performance.now();
  const progress = (text: string): void => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4);
    process.stderr.write(`${seconds} s  ${text}\n`);
  };
  const dir = await mkdtemp(join(tmpdir(), `oja-${name}-`));
  stack.defer(() => rm(dir, { recursive: true, force: true }));
  // The database server may run as another user.
  await chmod(dir, 0o755);
  return { stack, dir, progress };
}

type Facts = Record<string, string>;

/** The fraction of the processors that other programs used during a part, if it can be read. */
export function noteOtherLoad(facts: Facts, part: string, share: number | undefined): void {
  if (share !== undefined) facts[`processors used by others, ${part}`] = `${(share * 100).toFixed(0)} %`;
}

/** Prints the results: as JSON, or the table under the facts of the machine. */
export function printResults(
  json: boolean,
  facts: Readonly<Facts>,
  rows: readonly object[],
  table: string,
): void {
  if (json) {
    process.stdout.write(`${JSON.stringify({ facts, rows })}\n`);
  } else {
    const machine = Object.entries(facts).map(([name, value]) => `${name}: ${value}`);
    process.stdout.write(`\n${machine.join('\n')}\n\n${table}\n`);
  }
}
