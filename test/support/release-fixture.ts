/**
 * The fixture of a release in `test/fixtures/releases/<version>`: its database, its API's answers,
 * the books of the simulated providers, and the keys of its merchants.
 */
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';
import { cleanUpAfter } from './clean-up-after.ts';
import type { Answer, Credentials, Gateway } from './gateway.ts';
import type { Dump } from './release-dump.ts';

export type Told = {
  readonly as: 'test' | 'live';
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
};

export type ReleaseFixture = {
  readonly version: string;
  readonly dump: Dump;
  readonly told: readonly Told[];
  readonly credentials: Credentials;
  /** By name of the file. */
  readonly simulator: Readonly<Record<string, string>>;
};

/** Seals only fixtures. */
export const fixtureKey = '5a'.repeat(32);

const folder = join(import.meta.dirname, '..', 'fixtures', 'releases');
const fileName = 'release.json.gz';

export function listReleases(): string[] {
  return readdirSync(folder).sort();
}

export async function readRelease(version: string): Promise<ReleaseFixture> {
  const bytes = await readFile(join(folder, version, fileName));
  return JSON.parse(gunzipSync(bytes).toString('utf8')) as ReleaseFixture;
}

/** Returns the path and the size of the file. */
export async function writeRelease(fixture: ReleaseFixture): Promise<{ path: string; bytes: number }> {
  const path = join(folder, fixture.version, fileName);
  const bytes = gzipSync(JSON.stringify(fixture), { level: 9 });
  await mkdir(join(folder, fixture.version), { recursive: true });
  await writeFile(path, bytes);
  return { path, bytes: bytes.length };
}

/** The answers that a merchant can read, with the state of each purchase of `references`. */
export async function askEverything(
  call: (as: Told['as'], path: string) => Promise<Pick<Answer, 'status' | 'body'>>,
  references: Readonly<Record<Told['as'], readonly string[]>>,
): Promise<Told[]> {
  const told: Told[] = [];
  for (const as of ['live', 'test'] as const) {
    const statuses = references[as].map((one) => `/v1/transactions/status?request_ref=${one}`);
    for (const path of [...paths, ...statuses]) {
      const { status, body } = await call(as, path);
      told.push({ as, path, status, body });
    }
  }
  return told;
}

const paths = [
  '/v1/wallet/balance',
  '/v1/wallet/statement?limit=100',
  '/v1/wallet/funding-account',
  '/v1/transactions?limit=100',
  '/v1/transactions?limit=100&status=0',
  '/v1/transactions?limit=100&status=1',
  '/v1/transactions?limit=100&network=glo',
  '/v1/transactions?limit=100&msisdn=08030000005',
  '/v1/plans/mtn',
  '/v1/plans/bills/ELECTRICITY',
  '/v1/giftcards/catalog',
  '/v1/esim/catalog',
];

/** The references of a database's purchases, by environment. */
export async function referencesOf({
  database,
}: Pick<Gateway, 'database'>): Promise<Record<Told['as'], string[]>> {
  const rows = await database.query<{ environment: Told['as']; reference: string }>(
    'select environment, reference from purchases order by id',
  );
  const of = (environment: Told['as']): string[] =>
    rows.filter((row) => row.environment === environment).map(({ reference }) => reference);
  return { live: of('live'), test: of('test') };
}

/** A temporary folder with these files. */
export async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'oja-release-'));
  cleanUpAfter(path);
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return path;
}

/**
 * The simulated providers and banks in their recorded state. Notices go to a port of this machine.
 */
export async function openBooks(
  { simulator: files }: Pick<ReleaseFixture, 'simulator'>,
  port: number,
): Promise<AsyncDisposable & { readonly url: string }> {
  const simulator = await startSimulator(
    readSettings({
      OJA_SIMULATOR_PORT: '0',
      OJA_SIMULATOR_DIR: await folderOf(files),
      OJA_SIMULATOR_TIMEOUT_MS: '2000',
      OJA_SIMULATOR_HOOKS_URL: `http://127.0.0.1:${port}/hooks`,
    }),
  );
  return { url: simulator.url, [Symbol.asyncDispose]: () => simulator.close() };
}
