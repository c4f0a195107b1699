/**
 * Finds the drills that a change can fail: those that reach a changed file by their imports or by
 * those of the programs that drills start. A file that all purchases use, or that no import
 * mentions, touches all of them.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, type TestFile } from './layers.ts';

/** These are started by their paths: the first ones by drills, the others for all tests. */
const programs = [
  'src/main.ts',
  'src/oja.ts',
  'simulator/main.ts',
  'demo/main.ts',
  'test/runner/main.ts',
  'test/runner/worker.ts',
  'test/runner/reporter.ts',
];

/** Every drill sells, so each change here runs all of them. */
const usedByAll = ['migrations/', 'src/db/', 'src/purchases/', 'src/wallet/'];

/** Files that no drill loads, except modules that a drill imports. */
const usedByNone = /^(?:bench|docs|lab|release|site)\/|^[^/]+\.md$|^src\/.*\.md$|\.test\.ts$/;

/** Tests of other layers, and files that only those use. */
const otherTests = /^test\/(?!browser\/|crash\/|drills\/|runner\/|support\/)/;

const importing = /\bfrom '(\.[^']+)'|\bimport\(?\s*'(\.[^']+)'/g;

/** The files that differ from a Git revision, including uncommitted ones. */
export function changedSince(revision: string): string[] {
  const git = (...words: string[]): string[] =>
    execFileSync('git', words, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  return [
    ...git('diff', '--name-only', '--no-renames', revision, '--'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
}

export function touched(files: readonly TestFile[], changed: readonly string[]): readonly TestFile[] {
  const importsOf = readImports();
  const started = reachedFrom(programs, importsOf);
  const reached = files.map((test) => {
    const all = reachedFrom([test.path], importsOf);
    // Chromium loads the console as a whole.
    const loads = (path: string): boolean =>
      all.has(path) ||
      started.has(path) ||
      (path.startsWith('console/') && test.path.startsWith('test/browser/'));
    return { test, loads };
  });
  const touchesAll = (path: string): boolean => {
    if (usedByAll.some((folder) => path.startsWith(folder))) return true;
    if (reached.some(({ loads }) => loads(path))) return false;
    return !(usedByNone.test(path) || otherTests.test(path) || path.startsWith('console/'));
  };
  if (changed.some(touchesAll)) return files;
  return reached.filter(({ loads }) => changed.some(loads)).map(({ test }) => test);
}

/** Paths of modules and of all that they import within the project, relative to its root. */
function reachedFrom(entries: readonly string[], importsOf: ImportsOf): Set<string> {
  const found = new Set(entries);
  for (const path of found) {
    for (const imported of importsOf(path)) found.add(imported);
  }
  return found;
}

type ImportsOf = (path: string) => readonly string[];

/** Reads each module once. */
function readImports(): ImportsOf {
  const known = new Map<string, readonly string[]>();
  return (path) => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const text = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';
    const imports = [...text.matchAll(importing)].map(([, from, call]) =>
      join(dirname(path), from ?? call ?? ''),
    );
    known.set(path, imports);
    return imports;
  };
}
