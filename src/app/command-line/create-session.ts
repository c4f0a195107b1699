/** Creates the dependencies of a command from the settings. */
import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { tryOverApi } from '../../api/try-over-api.ts';
import type { Operator } from '../../backoffice/operations/run-operation.ts';
import type { Services } from '../../backoffice/operations/services.ts';
import { loadCatalog } from '../../catalog/catalog.ts';
import { loadGuards } from '../../catalog/margins/guards.ts';
import { loadRoutes } from '../../catalog/routes/routes.ts';
import { asCommandError, CommandError } from '../../cli/command-error.ts';
import type { Session } from '../../cli/run.ts';
import type { Actor } from '../../core/actor.ts';
import { systemClock } from '../../core/clock.ts';
import { noFailpoints } from '../../core/failpoints.ts';
import { newId } from '../../core/ids.ts';
import { createLog } from '../../core/log.ts';
import { roles } from '../../core/operation.ts';
import type { OnProgress } from '../../core/progress.ts';
import { createSealer, type Sealer, type SealingKey } from '../../core/sealing.ts';
import type { Database } from '../../db/database.ts';
import { createFunding } from '../../funding/funding.ts';
import { createAuthenticator } from '../../merchants/authenticate.ts';
import { loadPepper, readKeyFile } from '../../operate/keys/secrets.ts';
import { priceRequest } from '../../purchases/create/price-request.ts';
import type { PurchaseRequest } from '../../purchases/state/purchase.ts';
import { createHouseAccounts } from '../../wallet/ledger/house-accounts.ts';
import { createPersonalUpload } from '../batches.ts';
import type { Config, Variables } from '../config.ts';
import { liveChannels, signInServices, webhookRules } from '../gateway-services.ts';
import type { Registries } from '../registries.ts';
import { liveBank, openOwnBanks, openOwnProviders } from '../upstreams.ts';

export function createSession(
  config: Config,
  registries: Registries,
  database: Database,
  variables: Variables,
  options: {
    /** The actor of `--actor`. */
    readonly stated: string | undefined;
    readonly token: Operator | undefined;
    readonly onProgress: OnProgress;
  },
): Session {
  const sealer = async (): Promise<Sealer> =>
    createSealer(config.encryptionKey ?? (await gatewayKey(config.dataDir)), config.oldEncryptionKeys);
  const services: Services = {
    database,
    reads: database,
    clock: systemClock,
    sealer,
    pepper: async () => {
      return await loadPepper(database, await sealer()).catch((error: unknown) => {
        throw asCommandError(error);
      });
    },
    ...registries,
    openProviders: () =>
      openOwnProviders({ config, variables, registries, sql: database, sealer, pepper: services.pepper }),
    openBanks: () => openOwnBanks(config, registries, database),
    openFile: readChunks,
    onProgress: options.onProgress,
    approvalLimits: { correction: config.correctionLimit },
    signIn: signInServices(config),
    liveChannels: liveChannels(config),
    webhookRules: webhookRules(config),
    openFunding: async (registrant, registration) => {
      await using open = await openOwnBanks(config, registries, database);
      const funding = createFunding({
        database,
        clock: systemClock,
        newId,
        failpoints: noFailpoints,
        log: createLog('silent'),
        sealer: await sealer(),
        pepper: await services.pepper(),
        providers: open.banks,
        liveProvider: liveBank(config, open.banks),
        payIns: new Map(),
        houseAccounts: createHouseAccounts(database),
      });
      return await funding.openAccount(registrant, registration);
    },
    uploadBatch: async (credentialId, file, actor) => {
      await using open = await services.openProviders();
      await using authenticator = createAuthenticator({ database, pepper: await services.pepper() });
      const catalog = await loadCatalog(database);
      const [routes, guards] = [await loadRoutes(database), await loadGuards(database)];
      const judge = { catalog, routes, guards, providers: open.providers, clock: systemClock };
      const purchases = {
        priceOf: (request: PurchaseRequest) => priceRequest(judge, request, 'async').charge,
      };
      const upload = createPersonalUpload({
        workOf: () => database,
        catalog,
        purchases,
        authenticator,
        newId,
      });
      return await upload(credentialId, file, actor);
    },
    ...tryOverApi(
      `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`,
      config.syncDeadlineMs,
    ),
  };
  // A user who can open the gateway's database can do everything anyway.
  const operator = options.token ?? { ...actorOfMachine(options.stated), roles };
  return { services, operator, dataDir: config.dataDir };
}

/** Opened at the first read, which reports errors. */
async function* readChunks(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path) as AsyncIterable<Uint8Array>;
}

async function gatewayKey(dataDir: string): Promise<SealingKey> {
  // Only a gateway creates the key. A key created here would not open what the gateway has sealed.
  await access(join(dataDir, 'encryption.key')).catch(() => {
    throw new CommandError(
      'encryption_key_missing',
      `no encryption key: set OJA_ENCRYPTION_KEY to the gateway's key, or OJA_DATA_DIR to its data folder (now ${dataDir})`,
    );
  });
  return await readKeyFile(dataDir).catch((error: unknown) => {
    throw asCommandError(error);
  });
}

/** `--actor` states a display name. The principal is the user of the machine. */
function actorOfMachine(stated: string | undefined): Actor {
  const user = systemUser();
  return { name: stated ?? user, principal: `user:${user}`, edge: 'cli' };
}

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    // A container may run as a user that has no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
