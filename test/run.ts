/**
 * Runs all tests, as `npm test` does. One file, or some: `node --test` with them (CONTRIBUTING.md).
 *
 * Node would run the files by name. Then all crash tests come together, which wait for most of
 * their time, and the processors wait with them. Here they are spread among the others.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { globalSetup, globalTeardown } from './support/global-setup.ts';

const root = join(import.meta.dirname, '..');

/** The files, with those of test/crash at equal distances among the others. */
function inOrder(files: readonly string[]): readonly string[] {
  const waiting = files.filter((file) => file.startsWith('test/crash/'));
  const working = files.filter((file) => !file.startsWith('test/crash/'));
  // Those that wait begin early: the last one must not end alone.
  const distance = Math.floor((working.length * 0.8) / Math.max(1, waiting.length));
  return working.flatMap((file, index) => {
    const next = index % Math.max(1, distance) === 0 ? waiting.shift() : undefined;
    return next === undefined ? [file] : [next, file];
  });
}

const found = globSync(['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'], {
  cwd: root,
  exclude: ['**/node_modules/**'],
});
const files = inOrder(found.toSorted()).map((file) => join(root, file));

await globalSetup();
const results = run({
  files,
  cwd: root,
  concurrency: 3,
  timeout: 300_000,
  execArgv: [`--import=${join(root, 'test/support/bound-file.ts')}`],
});
results.on('test:fail', () => {
  process.exitCode = 1;
});
await pipeline(results, new spec(), process.stdout, { end: false });
await globalTeardown();
