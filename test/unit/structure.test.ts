/** Holds the code to its layout: which way imports point, who may touch the driver, the environment and SQL. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const src = fileURLToPath(new URL('../../src', import.meta.url));

/** Imports point down: a folder may import its own rank and those below. */
const ranks: Readonly<Record<string, number>> = {
  db: 1,
  operators: 2,
  ledger: 2,
  providers: 2,
  banks: 2,
  catalog: 3,
  merchants: 3,
  products: 3,
  qrcode: 1,
  delivery: 4,
  vending: 4,
  vouchers: 4,
  wallet: 4,
  funding: 4,
  http: 5,
  cli: 5,
  demo: 5,
};
const TOP = 6;
/** Files of src itself that import folders; the others are below every folder. */
const fileRanks: Readonly<Record<string, number>> = {
  'main.ts': TOP,
  'context.ts': TOP,
  'upstreams.ts': TOP,
  'metrics.ts': TOP,
  'secrets.ts': 3,
};

type SourceFile = { readonly path: string; readonly text: string; readonly imports: readonly string[] };

function readSource(folder = src): SourceFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = join(folder, entry.name);
    if (entry.isDirectory()) return readSource(full);
    if (!entry.name.endsWith('.ts')) return [];
    const text = readFileSync(full, 'utf8');
    const imports = [
      ...text.matchAll(/^(?:import|export)\b[^;]*?\bfrom '([^']+)';|^import '([^']+)';/gms),
    ].map((match) => {
      const name = match[1] ?? match[2] ?? '';
      return name.startsWith('.') ? relative(src, join(dirname(full), name)) : name;
    });
    return [{ path: relative(src, full), text, imports }];
  });
}

function rankOf(path: string): number {
  // The entry of the commands, as main.ts is that of the gateway.
  if (path === 'cli/main.ts') return TOP;
  const [folder, rest] = path.split('/');
  if (rest === undefined) return fileRanks[path] ?? 0;
  const rank = ranks[folder ?? ''];
  assert.ok(
    rank !== undefined,
    `src/${folder} has no place in the direction of imports: give it one in this test`,
  );
  return rank;
}

/** `providers/vtpass` for a file of a connector, else undefined. */
function connectorOf(path: string): string | undefined {
  const [folder, name, file] = path.split('/');
  return folder === 'providers' && file !== undefined ? name : undefined;
}

function upward({ path, imports }: SourceFile): string[] {
  return imports
    .filter((target) => target.endsWith('.ts') && rankOf(target) > rankOf(path))
    .map((target) => `${path} imports ${target}`);
}

const files = readSource();

describe('the structure of src', () => {
  it('is read at all', () => {
    assert.ok(files.length > 50);
    assert.ok(files.some((file) => file.imports.some((name) => name.endsWith('.ts'))));
  });

  it('has imports that point down only', () => {
    assert.deepEqual(files.flatMap(upward), []);
  });

  it('would notice an import that points up', () => {
    const wrong = { path: 'ledger/accounts.ts', text: '', imports: ['vending/vend.ts', 'money.ts', 'pg'] };
    assert.deepEqual(upward(wrong), ['ledger/accounts.ts imports vending/vend.ts']);
  });

  it('has no provider that imports another', () => {
    const found = files.flatMap(({ path, imports }) =>
      imports
        .filter((target) => {
          const own = connectorOf(path);
          const other = connectorOf(target);
          return own !== undefined && other !== undefined && own !== other;
        })
        .map((target) => `${path} imports ${target}`),
    );
    assert.deepEqual(found, []);
  });

  it('keeps the driver in db, and providers and SQL out of http', () => {
    const driver = files.filter((file) => file.imports.includes('pg') && !file.path.startsWith('db/'));
    assert.deepEqual(
      driver.map((file) => file.path),
      [],
    );
    const edge = files.filter(
      (file) =>
        file.path.startsWith('http/') &&
        file.imports.some(
          (name) => name.startsWith('db/') || name.startsWith('providers/') || name.endsWith('-store.ts'),
        ),
    );
    assert.deepEqual(
      edge.map((file) => file.path),
      [],
    );
  });

  it('reads the environment in config alone', () => {
    // The entries hand it to config; a Windows program started without the system's own variables does not run.
    const mayNameIt = new Set(['main.ts', 'cli/main.ts', 'db/embedded/server-settings.ts']);
    const readers = files.filter((file) => /process\.env\b/.test(file.text)).map((file) => file.path);
    assert.deepEqual(
      readers.filter((path) => !mayNameIt.has(path)),
      [],
    );
  });

  it('has SQL in stores, in db and nowhere else', () => {
    const sql = /[`'"]\s*(?:select\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s)/;
    const found = files
      .filter((file) => sql.test(file.text))
      .map((file) => file.path)
      .filter((path) => !path.endsWith('-store.ts') && !path.startsWith('db/'));
    assert.deepEqual(found, []);
  });

  it('has files a reader can hold', () => {
    const long = files.filter((file) => file.text.split('\n').length > 400).map((file) => file.path);
    assert.deepEqual(long, []);
  });
});

describe('the simulator', () => {
  it('shares no code with the gateway', () => {
    const simulator = readSource(fileURLToPath(new URL('../../simulator', import.meta.url)));
    assert.ok(simulator.length > 30);
    const shared = simulator.flatMap(({ path, imports }) =>
      imports
        .filter((target) => target.endsWith('.ts') && !target.startsWith('../simulator/'))
        .map((target) => `${path} imports ${target}`),
    );
    assert.deepEqual(shared, []);
  });
});
