/** What a command works with, made from the settings. */
import { access } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { asCommandError, CommandError } from '../../cli/command-error.ts';
import type { OpenProviders, Session } from '../../cli/session.ts';
import type { Database } from '../../db/database.ts';
import type { Actor } from '../../kernel/actor.ts';
import { createSealer, type Sealer, type SealingKey } from '../../kernel/sealing.ts';
import { loadPepper, readKeyFile } from '../../keys/secrets.ts';
import type { Config } from '../config.ts';
import type { Registries } from '../registries.ts';

export function createSession(
  config: Config,
  { providers, banks }: Registries,
  database: Database,
  stated: string | undefined,
  openProviders: OpenProviders,
): Session {
  const sealer = async (): Promise<Sealer> =>
    createSealer(config.encryptionKey ?? (await gatewayKey(config.dataDir)), config.oldEncryptionKeys);
  return {
    database,
    actor: actorOfMachine(stated),
    now: new Date(),
    dataDir: config.dataDir,
    simulatorUrl:
      config.simulatorUrl ??
      (config.profile === 'demo' ? `http://127.0.0.1:${config.simulatorPort}` : undefined),
    sealer,
    providers,
    banks,
    openProviders,
    pepper: async () => {
      return await loadPepper(database, await sealer()).catch((error: unknown) => {
        throw asCommandError(error);
      });
    },
  };
}

async function gatewayKey(dataDir: string): Promise<SealingKey> {
  // Only a gateway makes the key. A key made here would not open what the gateway has sealed.
  await access(join(dataDir, 'encryption.key')).catch(() => {
    throw new CommandError(
      `no encryption key: set OJA_ENCRYPTION_KEY to the gateway's key, or OJA_DATA_DIR to its data folder (now ${dataDir})`,
    );
  });
  return await readKeyFile(dataDir).catch((error: unknown) => {
    throw asCommandError(error);
  });
}

/** What `--actor` states is a name. Who it is, is who the machine knows. */
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
