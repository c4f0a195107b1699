/**
 * Holds the code to its layout: which way imports point, who may touch the driver, the environment
 * and SQL.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { productNames } from '../src/core/products/product.ts';
import { builtInBanks } from '../src/funding/banks/registry.ts';
import { builtInProviders } from '../src/providers/registry.ts';

const src = fileURLToPath(new URL('../src', import.meta.url));
const packages = fileURLToPath(new URL('../packages', import.meta.url));

/**
 * The rooms of src, from the lowest up. An import points down: a room may use those of the lines
 * above its own. Rooms of one line never use each other.
 */
const rooms: readonly (readonly string[])[] = [
  ['core'],
  ['db'],
  ['oversight'],
  ['providers'],
  ['merchants'],
  ['catalog', 'wallet'],
  ['notifications'],
  ['purchases', 'funding'],
  ['finance'],
  ['operate'],
  ['audit'],
  ['api'],
  ['backoffice'],
  ['cli'],
  ['app'],
];

/** The rooms within the larger rooms, from the lowest up, by the same rule. */
const innerRooms: Readonly<Record<string, readonly string[]>> = {
  purchases: [
    'state',
    'evidence',
    'history',
    'search',
    'engine',
    'health',
    'goods',
    'test-clock',
    'unresolved',
    'refunds',
    'rechecks',
    'idempotency',
    'create',
    'orders',
    'batches',
    'receipts',
  ],
};

/**
 * Classifies a file of `api` as a target of imports: routes use shared files, and areas never use
 * each other.
 */
function placeInApi(path: string): { readonly kind: 'shared' | 'area' | 'top'; readonly area: string } {
  const [, folder, area, rest] = path.split('/');
  if (folder === 'plumbing' || folder === 'edge' || path === 'api/dependencies.ts')
    return { kind: 'shared', area: '' };
  return folder === 'routes' && area !== undefined && rest !== undefined
    ? { kind: 'area', area }
    : { kind: 'top', area: '' };
}

function crossesApi(path: string, target: string): boolean {
  const [from, to] = [placeInApi(path), placeInApi(target)];
  if (from.kind === 'top' || to.kind === 'shared') return false;
  return from.kind === 'shared' || to.kind === 'top' || from.area !== to.area;
}

type SourceFile = { readonly path: string; readonly text: string; readonly imports: readonly string[] };

function readSource(folder = src): SourceFile[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : readSource(full);
    if (!entry.name.endsWith('.ts')) return [];
    const text = readFileSync(full, 'utf8');
    const imports = [
      ...text.matchAll(
        /^(?:import|export)\b[^;]*?\bfrom '([^']+)';|^import '([^']+)';|\bimport\('([^']+)'\)/gms,
      ),
    ].map((match) => {
      const name = match[1] ?? match[2] ?? match[3] ?? '';
      return name.startsWith('.') ? relative(src, join(dirname(full), name)) : name;
    });
    return [{ path: relative(src, full), text, imports }];
  });
}

type Place = { readonly room: string; readonly rank: number };

/** The entries are files of src itself, above every room. */
function placeOf(path: string): Place {
  const [room, rest] = path.split('/');
  if (room === undefined || rest === undefined) return { room: path, rank: rooms.length };
  const rank = rooms.findIndex((line) => line.includes(room));
  assert.ok(rank !== -1, `src/${room} has no place in the direction of imports: give it one in this test`);
  return { room, rank };
}

/** A file of the room itself combines its inner rooms, and is above all of them. */
function placeWithin(room: string, path: string): Place {
  const inner = innerRooms[room] ?? [];
  const [, name, rest] = path.split('/');
  if (name === undefined || rest === undefined) return { room: path, rank: inner.length };
  const rank = inner.indexOf(name);
  assert.ok(rank !== -1, `src/${room}/${name} has no place in the direction of imports`);
  return { room: name, rank };
}

const wireWord =
  /\/v1\/|\b(?:request_ref|request_id|client_request_id|response_code|response_message|plan_code|plan_id|service_id|msisdn|customer_msisdn|merchant_code|internal_reference|face_value|send_via|date_of_birth|Transaction (?:successful|failed|pending)|Insufficient wallet)\b/g;

/** The words of the API in a file's texts. Names of properties and comments do not count. */
function wireWordsIn(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, '');
  const texts = code.match(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [];
  return texts.flatMap((quoted) => quoted.match(wireWord) ?? []);
}

/**
 * `providers/vtpass` for a file of a connector, `funding/banks/monnify` for one of a bank, else
 * undefined.
 */
function connectorOf(path: string): string | undefined {
  const [, place, name] = path.match(/^(providers|funding\/banks)\/([^/]+)\/./) ?? [];
  return place === undefined || name === undefined || sharedFolders.has(name)
    ? undefined
    : `${place}/${name}`;
}

/** The folders beside the connectors that hold no connector. */
const sharedFolders = new Set(['http', 'statements']);

const registries = new Set(['providers/registry.ts', 'funding/banks/registry.ts']);

/**
 * The names of connectors that a file may not name. Examples in the help of commands may: a
 * placeholder teaches less.
 */
function namesOfConnectors({ path, text }: SourceFile): string[] {
  if (registries.has(path)) return [];
  const own = connectorOf(path)?.split('/').at(-1);
  // A connector to one service of a company may name the company.
  const names = [...builtInProviders, ...builtInBanks]
    .map(({ name }) => name)
    .filter((name) => name !== own && !own?.startsWith(`${name}-`));
  const judged = path.startsWith('cli/') ? text.replace(/(?:\bexamples|'\w+\.\w+'): \[[^\]]*\]/g, '') : text;
  return [...new Set(names)]
    .filter((name) => new RegExp(`(?<![a-z])${name}(?![a-z])`, 'i').test(judged))
    .map((name) => `${path} names ${name}`);
}

function pointsUp(from: Place, to: Place): boolean {
  return from.room !== to.room && to.rank >= from.rank;
}

function upward({ path, imports }: SourceFile): string[] {
  return imports
    .filter((target) => target.endsWith('.ts'))
    .filter((target) => {
      const [from, to] = [placeOf(path), placeOf(target)];
      if (from.room !== to.room) return pointsUp(from, to);
      return from.room in innerRooms && pointsUp(placeWithin(from.room, path), placeWithin(to.room, target));
    })
    .map((target) => `${path} imports ${target}`);
}

/**
 * Imports of a package's file that lead out of its package, by path. Paths are as seen from src.
 */
function outward({ path, imports }: SourceFile): string[] {
  const root = path.split('/').slice(0, 3).join('/');
  return imports
    .filter((target) => target.endsWith('.ts') && !target.startsWith(`${root}/`))
    .map((target) => `${path} imports ${target}`);
}

/** Words with other meanings count only if a product is compared with them. */
function namesProduct(text: string): boolean {
  return productNames.some((name) =>
    name === name.toUpperCase()
      ? new RegExp(`\\b${name}\\b`).test(text)
      : new RegExp(`\\bproduct\\w*\\b[^\\n]{0,12}=[^\\n]{0,3}'${name}'`).test(text),
  );
}

/** Whether a path of src is the record of one product. */
function isRecord(path: string): boolean {
  const names = productNames.map((name) => name.toLowerCase());
  return path.startsWith('core/products/') && names.includes(basename(path, '.ts').replace('-', ''));
}

const files = readSource();

describe('the structure of src', () => {
  it('reads every file', () => {
    assert.ok(files.length > 50);
    assert.ok(files.some((file) => file.imports.some((name) => name.endsWith('.ts'))));
  });

  it('has imports that point down only', () => {
    assert.deepEqual(files.flatMap(upward), []);
  });

  it('detects an import that points up, or to a room on the same level', () => {
    const found = (path: string, target: string): number =>
      upward({ path, text: '', imports: ['core/money.ts', 'pg', target] }).length;
    assert.equal(found('wallet/ledger/transfer-store.ts', 'purchases/state/purchase.ts'), 1);
    assert.equal(found('catalog/catalog.ts', 'wallet/balance.ts'), 1);
    assert.equal(found('purchases/engine/accept-purchase.ts', 'purchases/orders/order.ts'), 1);
    assert.equal(found('purchases/state/purchase.ts', 'purchases/purchases.ts'), 1);
    assert.equal(found('purchases/orders/order.ts', 'purchases/state/purchase.ts'), 0);
    assert.equal(found('purchases/purchases.ts', 'purchases/orders/order.ts'), 0);
  });

  it('has a README of at most 15 lines in each room, which names files that exist', () => {
    for (const room of rooms.flat()) {
      const text = readFileSync(join(src, room, 'README.md'), 'utf8');
      assert.ok(text.trimEnd().split('\n').length <= 15, room);
      const named = [...text.matchAll(/^- (`[^:]+`):/gm)].flatMap(([, list = '']) => [
        ...list.matchAll(/`([^`]+)`/g),
      ]);
      assert.ok(named.length >= 2, `${room} names its most important files`);
      const gone = named.map(([, name = '']) => name).filter((name) => !existsSync(join(src, room, name)));
      assert.deepEqual(gone, []);
    }
  });

  it('has a room for every name of its list', () => {
    const there = new Set(files.map(({ path }) => path.split('/')[0]));
    assert.deepEqual(
      rooms.flat().filter((room) => !there.has(room)),
      [],
    );
  });

  it('has no provider and no bank that imports another', () => {
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

  it('registers every folder of a provider and of a bank', () => {
    const folders = (room: string): string[] =>
      readdirSync(join(src, room), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !sharedFolders.has(entry.name))
        .map(({ name }) => name);
    const sorted = (definitions: readonly { readonly name: string }[]): string[] =>
      definitions.map(({ name }) => name).sort();
    assert.deepEqual(sorted(builtInProviders), folders('providers').sort());
    assert.deepEqual(sorted(builtInBanks), folders('funding/banks').sort());
  });

  it('names no provider and no bank outside its folder and the registry', () => {
    assert.deepEqual(files.flatMap(namesOfConnectors), []);
  });

  it('detects such a name in code, in a text and in a comment', () => {
    const found = (path: string, text: string): number =>
      namesOfConnectors({ path, text, imports: [] }).length;
    assert.equal(found('app/context.ts', "if (name === 'vtpass') return;"), 1);
    assert.equal(found('app/config.ts', "read.raw('OJA_MONNIFY_API_KEY')"), 1);
    assert.equal(found('api/server.ts', '// As Nomba does.'), 1);
    assert.equal(found('cli/commands/route.ts', "text: 'vtpass'"), 1);
    assert.equal(found('providers/nomba/index.ts', "import { x } from '../vtpass/x.ts';"), 1);
    assert.equal(found('cli/commands/route.ts', "examples: ['route set live data MTN vtpass'],"), 0);
    assert.equal(found('cli/commands/route.ts', "'route.set': ['route set live data MTN vtpass'],"), 0);
    assert.equal(found('providers/vtpass/index.ts', "name: 'vtpass'"), 0);
    assert.equal(found('providers/registry.ts', "from './vtpass/index.ts';"), 0);
  });

  it('keeps the driver in db, and providers and SQL out of api', () => {
    const driver = files.filter((file) => file.imports.includes('pg') && !file.path.startsWith('db/'));
    assert.deepEqual(
      driver.map((file) => file.path),
      [],
    );
    const edge = files.filter(
      (file) =>
        file.path.startsWith('api/') &&
        file.imports.some(
          (name) => name.startsWith('db/') || name.startsWith('providers/') || name.endsWith('-store.ts'),
        ),
    );
    assert.deepEqual(
      edge.map((file) => file.path),
      [],
    );
  });

  it('has only one file that runs its own server', () => {
    const found = files.filter((file) =>
      file.imports.some((name) => name.startsWith('@oja/embedded-postgres')),
    );
    assert.deepEqual(
      found.map((file) => file.path),
      ['db/embedded-server.ts'],
    );
  });

  it('has areas of routes that share through plumbing only', () => {
    const found = files
      .filter(({ path }) => path.startsWith('api/'))
      .flatMap(({ path, imports }) =>
        imports
          .filter((target) => target.startsWith('api/') && crossesApi(path, target))
          .map((target) => `${path} imports ${target}`),
      );
    assert.deepEqual(found, []);
    assert.ok(crossesApi('api/routes/plans/data/route.ts', 'api/routes/esim/esim.ts'));
    assert.ok(crossesApi('api/plumbing/errors.ts', 'api/routes/esim/esim.ts'));
  });

  it('has only route files in the folder of a route', () => {
    const alone = files
      .map(({ path }) => path)
      .filter((path) => /^api\/routes\/[^/]+\/[^/]+\//.test(path))
      .map((path) => path.replace(/[^/]+$/, 'route.ts'))
      .filter((route) => !files.some(({ path }) => path === route));
    assert.deepEqual(alone, []);
  });

  it('reads the environment in config only', () => {
    // The entries hand it to config.
    const mayNameIt = new Set(['main.ts', 'oja.ts']);
    const readers = files.filter((file) => /process\.env\b/.test(file.text)).map((file) => file.path);
    assert.deepEqual(
      readers.filter((path) => !mayNameIt.has(path)),
      [],
    );
  });

  it('has SQL only in stores and in db', () => {
    const sql = /[`'"]\s*(?:select\s|insert\s+into\s|update\s+\w+\s+set\s|delete\s+from\s|with\s+\w+\s+as\s)/;
    const found = files
      .filter((file) => sql.test(file.text))
      .map((file) => file.path)
      .filter((path) => !path.endsWith('-store.ts') && !path.startsWith('db/'));
    assert.deepEqual(found, []);
  });

  it('names products in src/core/products, in connectors and in a few other places', () => {
    // Each with its reason; a folder ends with a slash.
    const mayNameThem: readonly string[] = [
      // The records and rows of one product's plans.
      'catalog/records/',
      'catalog/catalog-store.ts',
      // Routes of one product.
      'api/routes/esim/',
      'api/routes/giftcards/',
      // Only lists of data plans state costs.
      'catalog/operations/price-rules.ts',
      'catalog/find-new-plans.ts',
      // The bounds of airtime are a format of the schemas.
      'api/plumbing/formats.ts',
      // A plan of a gift card and one of an eSIM are priced differently.
      'purchases/orders/',
      'finance/reconciliation/order-terms.ts',
      // Each folder of the demo's files is of one product.
      'app/demo/read-demo-catalog.ts',
      // Examples of requests, answers and commands.
      'api/plumbing/order-answer.ts',
      'api/routes/transactions/create/describe-routes.ts',
      'api/routes/plans/bills/schema.ts',
      'api/routes/transactions/create/schema.ts',
      'api/routes/transactions/verify/schema.ts',
      'cli/commands/catalog.ts',
    ];
    const found = files
      .filter(({ path }) => !path.startsWith('core/products/') && connectorOf(path) === undefined)
      .filter(({ text, imports }) => namesProduct(text) || imports.some((path) => isRecord(path)))
      .map(({ path }) => path);
    const allows = (path: string) => (place: string) =>
      place.endsWith('/') ? path.startsWith(place) : path === place;
    assert.deepEqual(
      found.filter((path) => !mayNameThem.some(allows(path))),
      [],
    );
    assert.deepEqual(
      mayNameThem.filter((place) => !found.some((path) => allows(path)(place))),
      [],
    );
  });

  it('names no product in SQL', () => {
    const folder = fileURLToPath(new URL('../migrations/functions', import.meta.url));
    const sql = [
      ...files.filter(({ path }) => path.endsWith('-store.ts')),
      ...readdirSync(folder).map((name) => ({ path: name, text: readFileSync(join(folder, name), 'utf8') })),
    ];
    assert.deepEqual(
      sql.filter(({ text }) => namesProduct(text)).map(({ path }) => path),
      [],
    );
    assert.ok(namesProduct("where v.network in ('GIFTCARD')") && namesProduct("product === 'data'"));
    assert.ok(!namesProduct("kind === 'data'"));
  });

  it('uses the names of the wire only in api', () => {
    // Each with its reason; a folder ends with a slash.
    const mayHaveThem: readonly string[] = [
      'api/',
      // The welcome shows a first request. The printed commands are a separate document.
      'app/demo/welcome.ts',
      // The address of a collector, by the protocol of OpenTelemetry.
      'app/tracing.ts',
      // The columns of the catalog's own files and of its history.
      'catalog/records/',
      'catalog/diff-catalog.ts',
      // A client of the API, for developers.
      'cli/forward-events.ts',
      // The columns of operations, by the names of their output.
      'cli/commands/finance.ts',
      // The names that identities are stored under.
      'funding/sealed-identity.ts',
      // The columns of a document that HTTP and the command line both return.
      'wallet/statement-csv.ts',
    ];
    const found = files
      .filter(({ path }) => !path.endsWith('-store.ts') && connectorOf(path) === undefined)
      .filter(({ text }) => wireWordsIn(text).length > 0)
      .map(({ path, text }) => `${path}: ${wireWordsIn(text).join(', ')}`);
    const allows = (line: string) => (place: string) => line.startsWith(place);
    assert.deepEqual(
      found.filter((line) => !mayHaveThem.some(allows(line))),
      [],
    );
    for (const place of mayHaveThem)
      assert.ok(
        found.some((line) => line.startsWith(place)),
        place,
      );
    assert.deepEqual(wireWordsIn("throw refuse('plan_code is wrong'); // 'msisdn'"), ['plan_code']);
    assert.deepEqual(wireWordsIn('`GET /v1/plans` + row.plan_code'), ['/v1/']);
    assert.deepEqual(wireWordsIn("const { merchant_code: code } = row; call('x')"), []);
  });

  it('has files of a readable length', () => {
    const long = files.filter((file) => file.text.split('\n').length > 400).map((file) => file.path);
    assert.deepEqual(long, []);
  });
});

describe('the simulator', () => {
  it('shares no code with the gateway', () => {
    const simulator = readSource(fileURLToPath(new URL('../simulator', import.meta.url)));
    assert.ok(simulator.length > 30);
    const shared = simulator.flatMap(({ path, imports }) =>
      imports
        .filter((target) => target.endsWith('.ts') && !target.startsWith('../simulator/'))
        .map((target) => `${path} imports ${target}`),
    );
    assert.deepEqual(shared, []);
  });
});

describe('the structure of packages', () => {
  const own = readSource(packages);

  it('reads every file', () => {
    assert.ok(own.length > 10);
  });

  it('keeps imports of packages inside their folders', () => {
    assert.deepEqual(own.flatMap(outward), []);
  });

  it('detects an import of the gateway', () => {
    const path = '../packages/embedded-postgres/src/a.ts';
    const imports = [
      '../packages/embedded-postgres/src/b.ts',
      'db/database.ts',
      '../test/support/database.ts',
    ];
    assert.deepEqual(outward({ path, text: '', imports }), [
      `${path} imports db/database.ts`,
      `${path} imports ../test/support/database.ts`,
    ]);
  });

  it('has packages without terms of vending', () => {
    // `@oja` is the scope of its name.
    const words = /(?<!@)\boja\b|\bvend|merchant|wallet|gateway|airtime/i;
    const found = own.filter((file) => words.test(file.text));
    assert.deepEqual(
      found.map((file) => file.path),
      [],
    );
  });

  it('has files of a readable length', () => {
    const long = own.filter((file) => file.text.split('\n').length > 400).map((file) => file.path);
    assert.deepEqual(long, []);
  });
});

/** The rooms of the console, from the lowest up: an import points down, or stays in its room. */
const consoleRooms = ['design', 'api', 'screens.ts', 'widgets', 'screens', 'app'];

describe('the structure of the console', () => {
  const application = join(src, '..', 'console', 'src');
  const imports = readdirSync(application, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
    .flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const lines = readFileSync(path, 'utf8').matchAll(
        /(?:import (type )?[^;]*?|export \{[^}]*\} )from '(\.[^']+)'/g,
      );
      return [...lines].map(([, type, target = '']) => ({
        from: relative(application, path),
        to: relative(application, join(dirname(path), target)),
        isType: type !== undefined,
      }));
    });

  it('reads every file', () => {
    assert.ok(imports.length > 100);
  });

  it('takes types from the server in one place, and one pure file in another', () => {
    const outside = imports.filter(({ to }) => to.startsWith('..'));
    assert.deepEqual(
      outside.map(({ from, isType }) => ({ from, isType })),
      [
        { from: join('api', 'operations.ts'), isType: true },
        { from: join('api', 'typed-number.ts'), isType: false },
      ],
    );
  });

  it('has imports that point down only', () => {
    const rank = (path: string) => consoleRooms.indexOf(path.split('/')[0] ?? '');
    const up = imports.filter(
      ({ from, to, isType }) => !to.startsWith('..') && !isType && rank(to) > rank(from),
    );
    assert.deepEqual(up, []);
  });
});

describe('the structure of the client', () => {
  const client = readSource(fileURLToPath(new URL('../sdk/src', import.meta.url)));

  it('imports only itself: it runs in Node.js, Deno and Bun', () => {
    assert.ok(client.length > 20);
    const outside = client.flatMap(({ path, imports }) =>
      imports
        .filter((target) => !target.startsWith('../sdk/src/'))
        .map((target) => `${path} imports ${target}`),
    );
    assert.deepEqual(outside, []);
  });

  it('has files of a readable length, except generated ones', () => {
    const long = client.filter(
      ({ path, text }) => text.split('\n').length > 400 && !path.includes('/generated/'),
    );
    assert.deepEqual(
      long.map(({ path }) => path),
      [],
    );
  });
});
