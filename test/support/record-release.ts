/**
 * `npm run record-release -- <version>`: plays a history on this code and keeps its database as a
 * fixture, from which tests of upgrades begin.
 */
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimulator } from '../../simulator/server.ts';
import { readSettings } from '../../simulator/settings.ts';
import { spawnOja } from '../cli/harness.ts';
import { cleanUpAfter } from './clean-up-after.ts';
import { createTestDatabase } from './database.ts';
import { startGateway } from './gateway.ts';
import { freePort } from './processes.ts';
import { type Dump, dumpDatabase } from './release-dump.ts';
import { askEverything, fixtureKey, referencesOf, writeRelease } from './release-fixture.ts';
import { playHistory } from './release-history.ts';

const version = process.argv[2];
if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
  throw new Error('which release? npm run record-release -- 1.0.0');
}
const folder = join(import.meta.dirname, '..', '..');

const books = await mkdtemp(join(tmpdir(), 'oja-record-'));
cleanUpAfter(books);
const port = await freePort();
const simulator = await startSimulator(
  readSettings({
    OJA_SIMULATOR_PORT: '0',
    OJA_SIMULATOR_DIR: books,
    OJA_SIMULATOR_TIMEOUT_MS: '2000',
    OJA_SIMULATOR_ASSIGN_MS: '500',
    OJA_SIMULATOR_HOOKS_URL: `http://127.0.0.1:${port}/hooks`,
  }),
);
await using clone = await createTestDatabase({ empty: true });
const dataDir = await mkdtemp(join(tmpdir(), 'oja-record-'));
cleanUpAfter(dataDir);
const settings = {
  OJA_ENCRYPTION_KEY: fixtureKey,
  OJA_DATA_DIR: dataDir,
  DATABASE_URL: clone.connectionString,
};
const last = await playHistory({
  port,
  simulatorUrl: simulator.url,
  start: (more) =>
    startGateway({
      entry: join(folder, 'src', 'main.ts'),
      databaseUrl: clone.connectionString,
      dataDir,
      simulatorUrl: simulator.url,
      settings: { ...settings, OJA_NOT_FOUND_GRACE_S: '10', ...more },
    }),
  oja: async (...args) => {
    const ran = await spawnOja(settings, [...args, '--json']);
    if (ran.code !== 0) throw new Error(`${args.join(' ')}: ${ran.err}`);
    const answer = JSON.parse(ran.out) as Record<string, unknown>;
    return (answer.data ?? answer) as Record<string, unknown>;
  },
});
const told = await askEverything((as, path) => last.call('GET', path, { as }), await referencesOf(last));
last.kill('SIGKILL');
await last.exited;
const dump = await dumpDatabase(clone.database, await filesOf(join(folder, 'migrations')));
await simulator.close();
const written = await writeRelease({
  version,
  dump,
  told,
  credentials: last.credentials,
  simulator: await filesIn(books),
});
process.stdout.write(`written to ${written.path}: ${written.bytes} bytes\n`);
process.exit();

async function filesOf(migrations: string): Promise<Dump['files']> {
  const read = async (...path: readonly string[]): Promise<Dump['files']> => {
    const names = (await readdir(join(migrations, ...path))).filter((name) => /^\w+\.sql$/.test(name)).sort();
    return await Promise.all(
      names.map(async (name) => ({ name, text: await readFile(join(migrations, ...path, name), 'utf8') })),
    );
  };
  return [...(await read()), ...(await read('functions'))];
}

async function filesIn(path: string): Promise<Record<string, string>> {
  const names = await readdir(path);
  const texts = await Promise.all(names.map((name) => readFile(join(path, name), 'utf8')));
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']));
}
