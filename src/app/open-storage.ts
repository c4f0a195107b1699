/**
 * Opens the database in the version that this code needs, and the secrets that protect its
 * contents.
 */

import type { KeyObject } from 'node:crypto';
import { storeProducts } from '../catalog/routes/operations/store-products.ts';
import type { Logger } from '../core/log.ts';
import { productRecords } from '../core/products/registry.ts';
import { createSealer, type Sealer } from '../core/sealing.ts';
import { requireOwnSessions } from '../db/check-pooling.ts';
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { loadPepper, readKeyFile } from '../operate/keys/secrets.ts';
import { checkRewind } from '../operate/restore-lock/rewind-detector.ts';
import type { ProviderFacts } from '../providers/provider.ts';
import { keyMarks } from '../providers/reference-mark.ts';
import type { Config } from './config.ts';
import type { Databases } from './open-databases.ts';
import type { Registries } from './registries.ts';

export type Secrets = { readonly sealer: Sealer; readonly pepper: KeyObject };

/** Migrates the database, and reads the two secrets that protect its contents. */
export async function openStorage(
  databases: Databases,
  config: Config,
  registries: Registries,
  log: Logger,
): Promise<Secrets> {
  // Oja's own server is connected directly, without a pooler.
  if (config.databaseUrl !== undefined) await requireOwnSessions(config.databaseUrl);
  const applied = await prepareDatabase(databases.work, registries.providers, config.cells);
  if (applied.length > 0) log.info({ applied }, 'database migrated');
  await checkRewind(databases.work, config.dataDir);
  const key = config.encryptionKey ?? (await readKeyFile(config.dataDir));
  const sealer = createSealer(key, config.oldEncryptionKeys);
  const pepper = await loadPepper(databases.work, sealer);
  keyMarks(pepper);
  return { sealer, pepper };
}

/**
 * A product that is new to the database gets a test route to those of `providers` that sell it.
 * Returns the migrations that ran. Rejects like `migrate`, which receives `cells`.
 */
export async function prepareDatabase(
  database: Database,
  providers: readonly ProviderFacts[],
  cells?: number,
): Promise<readonly string[]> {
  const applied = await migrate(database, undefined, cells);
  await database.transaction((tx) => storeProducts(tx, productRecords, providers));
  return applied;
}
