/**
 * Runs a layer of the tests: `node test/runner/main.ts test|drills|proof [file ...]`, or
 * `drills --since REVISION` for the drills that a change since then touches. `--check` runs
 * `npm run check` beside the files, at a lower priority: it takes the time in which they wait.
 *
 * Files share a few processes per core and the modules that those have loaded: a process for each
 * of 370 files would load them 370 times. Each file still has a database of its own. Node's runner
 * shares a process only among all files of a run, one after the other. So the processes are started
 * here, and each file is run by Node's runner in one of them (docs/maintainers/tests.md).
 *
 * A file that fails runs once more, alone, in a process of its own. If it passes then, it is
 * reported as flaky with both outputs, and the run passes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism, constants, getPriority, setPriority } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { globalSetup, globalTeardown } from '../support/global-setup.ts';
import { keepTemporaryFilesInMemory } from '../support/memory-folder.ts';
import { describeFile, filesOf, isLayer, type Layer, root, type TestFile } from './layers.ts';
import { printResult, printSummary } from './report.ts';
import { runFiles } from './run-files.ts';
import { changedSince, touched } from './touched.ts';

/**
 * Files wait for gateways and databases about half of their time. More of them at once would keep
 * more gateways idle, each of which takes a twentieth of a core.
 */
const PROCESSES_PER_CORE = 2;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { since: { type: 'string' }, check: { type: 'boolean' } },
});
const [layer, ...names] = positionals;
if (!isLayer(layer) || (values.since !== undefined && layer !== 'drills')) {
  throw new Error(
    'usage: node test/runner/main.ts test|drills|proof [--check] [file ...], or drills --since REVISION',
  );
}
const [checked, ran] = await Promise.all([
  values.check ? runCheck() : 0,
  runLayer(layer, chooseFiles(layer, names, values.since)),
]);
process.exitCode = Math.max(checked, ran);

async function runLayer(wanted: Layer, files: readonly TestFile[]): Promise<number> {
  const startedMs = performance.now();
  if (wanted === 'test') await keepTemporaryFilesInMemory();
  await globalSetup(undefined, [...new Set(files.map(({ cells }) => cells))]);
  try {
    const processes = PROCESSES_PER_CORE * availableParallelism();
    const results = await runFiles(files, { processes, onResult: printResult });
    const again = results.filter(({ failed }) => failed).map(({ test }) => ({ ...test, ownProcess: true }));
    const alone = await runFiles(again, { processes: 1, onResult: printResult });
    return printSummary({ layer: wanted, results, alone, ms: performance.now() - startedMs });
  } finally {
    await globalTeardown();
  }
}

/** Prints what the check says when it has ended, and returns its exit code. */
async function runCheck(): Promise<number> {
  const startedMs = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'check.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const below = Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL);
  if (child.pid !== undefined) setPriority(child.pid, below);
  const said = child.stdout.setEncoding('utf8').toArray();
  const [code] = (await once(child, 'close')) as [number | null];
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  console.log(`${(await said).join('')}check: ${code === 0 ? 'passed' : 'failed'} in ${seconds} s`);
  return code ?? 1;
}

function chooseFiles(
  wanted: Layer,
  paths: readonly string[],
  since: string | undefined,
): readonly TestFile[] {
  if (paths.length > 0) return paths.map((path) => describeFile(relative(root, resolve(path)), wanted));
  const all = filesOf(wanted);
  if (since === undefined) return all;
  const chosen = touched(all, changedSince(since));
  console.log(`${chosen.length} of ${all.length} drills are touched by the changes since ${since}`);
  return chosen;
}
