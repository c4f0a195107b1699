/**
 * Runs a layer of the tests: `node test/runner/main.ts test|drills|proof [file ...]`, or
 * `drills --since REVISION` for the drills that a change since then touches.
 *
 * Files share a few processes per core and the modules that those have loaded: a process for each
 * of 370 files would load them 370 times. Each file still has a database of its own. Node's runner
 * shares a process only among all files of a run, one after the other. So the processes are started
 * here, and each file is run by Node's runner in one of them (docs/maintainers/tests.md).
 *
 * A file that fails runs once more, alone, in a process of its own. If it passes then, it is
 * reported as flaky with both outputs, and the run passes.
 */
import { availableParallelism } from 'node:os';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { globalSetup, globalTeardown } from '../support/global-setup.ts';
import { describeFile, filesOf, isLayer, type Layer, root, type TestFile } from './layers.ts';
import { printResult, printSummary } from './report.ts';
import { runFiles } from './run-files.ts';
import { changedSince, touched } from './touched.ts';

/**
 * Files wait for gateways and databases about half of their time. More of them at once would keep
 * more gateways idle, each of which takes a twentieth of a core.
 */
const PROCESSES_PER_CORE = 2;

const { positionals, values } = parseArgs({ allowPositionals: true, options: { since: { type: 'string' } } });
const [layer, ...names] = positionals;
if (!isLayer(layer) || (values.since !== undefined && layer !== 'drills')) {
  throw new Error('usage: node test/runner/main.ts test|drills|proof [file ...], or drills --since REVISION');
}
process.exitCode = await runLayer(layer, chooseFiles(layer, names, values.since));

async function runLayer(wanted: Layer, files: readonly TestFile[]): Promise<number> {
  const startedMs = performance.now();
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
