/** Checks everything that a gateway with these settings needs, and changes nothing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { healthPath } from '../../api/routes/healthz/route.ts';
import { adminRoot } from '../../backoffice/admin/server.ts';
import { faces } from '../../backoffice/users/tenant-scope.ts';
import { createSealer, type Sealer } from '../../core/sealing.ts';
import { SettingsReader } from '../../core/settings-reader.ts';
import { type Database, openDatabase, type Sql } from '../../db/database.ts';
import { findEmbeddedDatabase } from '../../db/embedded-server.ts';
import { findCells } from '../../db/find-cells.ts';
import { countCells } from '../../db/partition-tables.ts';
import { findLastBackup } from '../../operate/backup/backup-record-store.ts';
import { readBackupAge } from '../../operate/backup/backup-watch.ts';
import { checkBackups } from '../../operate/doctor/check-backups.ts';
import { checkCells } from '../../operate/doctor/check-cells.ts';
import { beforeMigration, checkDatabase } from '../../operate/doctor/check-database.ts';
import { checkKeys } from '../../operate/doctor/check-keys.ts';
import {
  checkDisk,
  checkFileModes,
  checkMemory,
  checkSeenRecord,
  checkSettings,
} from '../../operate/doctor/check-machine.ts';
import { checkPorts, checkSignIn, type Port, type SignInPlace } from '../../operate/doctor/check-ports.ts';
import {
  checkBanks,
  checkMail,
  checkProviders,
  warnOfTestAccount,
} from '../../operate/doctor/check-upstreams.ts';
import { type Finding, ok, orWrong, skipped, wrong } from '../../operate/doctor/finding.ts';
import { readKeyFile } from '../../operate/keys/secrets.ts';
import { type Config, readConfig, testBanks, type Variables } from '../config.ts';
import { findSimulatorAddress } from '../demo/simulator-address.ts';
import { builtApplication, isBuilt } from '../listen-for-people.ts';
import { openLiveProviders } from '../live-providers.ts';
import { connectionsOfProcess } from '../open-databases.ts';
import type { Registries } from '../registries.ts';
import { findUnknownSettings } from '../unknown-settings.ts';
import { chooseBanks, openBanks } from '../upstreams.ts';

const STATEMENT_MS = 15_000;

type Parts = {
  readonly config: Config;
  readonly variables: Variables;
  readonly registries: Registries;
};

export async function runDoctor(
  variables: Variables,
  registries: Registries,
  built: string = builtApplication,
): Promise<Finding[]> {
  const read = new SettingsReader(variables);
  const config = readConfig(read, registries);
  const parts = { config, variables, registries };
  const { dataDir } = config;
  await using stack = new AsyncDisposableStack();
  const { database, findings, bytes } = await lookAtDatabase(parts, stack);
  return [
    ...checkSettings(read.faults, findUnknownSettings(variables, registries), config),
    ...checkMemory(),
    ...(await orWrong('disk', () => checkDisk(dataDir, bytes))),
    ...(await orWrong('file modes', () => checkFileModes(dataDir))),
    ...(await checkSeenRecord(dataDir)),
    ...(config.role === 'worker' ? [] : checkSignIn(signInPlaces(config), isBuilt(built))),
    ...(await orWrong('ports', () => checkPorts(portsOf(config)))),
    ...findings,
    ...(database === undefined
      ? [skipped('encryption key', 'there is no database to check it with')]
      : await orWrong('encryption key', async () => checkKeys(database, await sealerOf(config)))),
    ...(database === undefined
      ? [skipped('backups', 'there is no database that contains them')]
      : await orWrong('backups', () => lookAtBackups(config, database))),
    ...(await orWrong('providers', () => lookAtProviders(parts, database, stack))),
    ...(await orWrong('banks', () => lookAtBanks(parts, database, stack))),
    ...(await orWrong('mail server', () => checkMail(config.smtp))),
  ];
}

function signInPlaces(config: Config): SignInPlace[] {
  return faces.map((face) => ({ face, ...config.faces[face] }));
}

async function lookAtBackups(
  { backupMaxAgeHours: maxAgeHours, profile }: Config,
  database: Sql,
): Promise<readonly Finding[]> {
  const age = await readBackupAge(database, { maxAgeHours, isExpected: profile === 'production' });
  return checkBackups(await findLastBackup(database), age, new Date());
}

type SeenDatabase = {
  /** Undefined if it cannot be read. */
  readonly database: Sql | undefined;
  readonly findings: readonly Finding[];
  readonly bytes: number | undefined;
};

async function lookAtDatabase(
  { config: { databaseUrl, dataDir, databaseConnections } }: Parts,
  stack: AsyncDisposableStack,
): Promise<SeenDatabase> {
  const connectionString = databaseUrl ?? (await findEmbeddedDatabase(dataDir));
  if (connectionString === undefined) {
    const why = existsSync(join(dataDir, 'postgres')) ? 'no gateway runs' : 'it does not exist yet';
    return {
      database: undefined,
      findings: [skipped('database', `${why} in ${dataDir}, and DATABASE_URL names none`)],
      bytes: undefined,
    };
  }
  const open = (address: string, schema?: string): Database =>
    stack.use(
      openDatabase({
        connectionString: address,
        schema,
        connectionsMax: 1,
        applicationName: 'oja-doctor',
        statementTimeoutMs: STATEMENT_MS,
        onPoolError: () => undefined,
      }),
    );
  const database = open(connectionString);
  try {
    const cells = (await countCells(database)) ?? 1;
    const connections = connectionsOfProcess(databaseConnections, cells);
    const options = { connections, databaseUrl, now: () => Date.now() };
    const { findings, bytes } = await checkDatabase(database, options);
    const placed = (await findCells(database, connectionString)).filter(({ isPlaced }) => isPlaced);
    return {
      database: beforeMigration(database),
      findings: [
        ok('database', 'it answers'),
        ...findings,
        ...(placed.length === 0
          ? []
          : await checkCells(placed.map((cell) => open(cell.connectionString, cell.schema)))),
      ],
      bytes,
    };
  } catch (error) {
    const seen = error instanceof Error ? error.message : String(error);
    const todo = 'check that it runs, and that DATABASE_URL names it with the right password';
    return { database: undefined, findings: [wrong('database', seen, todo)], bytes: undefined };
  }
}

async function sealerOf({ encryptionKey, oldEncryptionKeys, dataDir }: Config): Promise<Sealer | undefined> {
  const hasFile = existsSync(join(dataDir, 'encryption.key'));
  const present = encryptionKey ?? (hasFile ? await readKeyFile(dataDir) : undefined);
  return present && createSealer(present, oldEncryptionKeys);
}

async function lookAtProviders(
  { config, variables, registries }: Parts,
  database: Sql | undefined,
  stack: AsyncDisposableStack,
): Promise<readonly Finding[]> {
  const simulatorUrl = await simulatorOf(config);
  if (config.profile === 'demo' && simulatorUrl === undefined && config.providers.size === 0) {
    return [skipped('providers', 'the demo uses its simulator, which starts with the gateway')];
  }
  const found: Finding[] = [];
  const sealer = async (): Promise<Sealer> => {
    const opened = await sealerOf(config);
    if (opened === undefined) throw new Error('there is no encryption key');
    return opened;
  };
  // Undefined if it cannot be checked.
  const sql = database ?? { query: () => Promise.resolve([]) };
  const opened = stack.use(
    await openLiveProviders(
      { config, variables, registries, simulatorUrl, sql, sealer, pepper: undefined },
      {
        info: () => undefined,
        error: ({ provider, why }) =>
          found.push(
            wrong(`provider ${provider}`, `its stored credentials: ${why}`, './oja provider set-credentials'),
          ),
      },
    ),
  );
  const { nameOf } = opened.accounts();
  const named = [...opened.providers].map(([id, provider]) => ({ provider, name: nameOf(id) }));
  return [...found, ...(await checkProviders(named))];
}

async function lookAtBanks(
  { config, registries }: Parts,
  database: Sql | undefined,
  stack: AsyncDisposableStack,
): Promise<readonly Finding[]> {
  const sql = database ?? { query: () => Promise.resolve([]) };
  const banks = await openBanks(chooseBanks(config, registries, await simulatorOf(config)), sql, stack);
  return [...(await checkBanks(banks)), ...testBanks(config).map(warnOfTestAccount)];
}

async function simulatorOf({ profile, simulatorUrl, dataDir }: Config): Promise<string | undefined> {
  if (profile !== 'demo') return undefined;
  return simulatorUrl ?? (await findSimulatorAddress(dataDir));
}

function portsOf(config: Config): Port[] {
  const { host, port, metricsHost, metricsPort, adminHost, adminPort } = config;
  const answersHealth = (_status: number, body: string): boolean => body.includes('"uptime_s"');
  return [
    ...(config.role === 'worker'
      ? []
      : [
          {
            name: 'of the API',
            setting: 'PORT',
            host,
            port,
            path: healthPath,
            isOurs: answersHealth,
          },
          {
            name: 'of the admin API',
            setting: 'OJA_ADMIN_PORT',
            host: adminHost,
            port: adminPort,
            path: `${adminRoot}/openapi.json`,
            isOurs: (status: number) => status === 200 || status === 401,
          },
          ...faces.map((face) => ({
            name: `of the ${face}`,
            setting: `OJA_${face.toUpperCase()}_PORT`,
            host: config.faces[face].host,
            port: config.faces[face].port,
            path: '/api/session',
            isOurs: (_status: number, body: string) => body.includes('"signed_out"'),
          })),
        ]),
    {
      name: 'of the metrics',
      setting: 'METRICS_PORT',
      host: metricsHost,
      port: metricsPort,
      path: '/metrics',
      isOurs: (_status: number, body: string) => body.includes('oja_'),
    },
  ];
}
