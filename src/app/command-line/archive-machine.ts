/** What commands do with archives on this machine, by the settings. */
import { requireArchiveFolder } from '../../archive/archive-folder.ts';
import { listArchives } from '../../archive/archive-store.ts';
import { type Archiving, archiveVends } from '../../archive/archive-vends.ts';
import { checkArchives } from '../../archive/check-archives.ts';
import { restoreArchive } from '../../archive/restore-archive.ts';
import { BackupError } from '../../backup/backup-error.ts';
import { requireOutside } from '../../backup/backup-folder.ts';
import type { ArchiveMachine } from '../../cli/machine.ts';
import { tellProgress } from '../../cli/tell-progress.ts';
import type { Terminal } from '../../cli/terminal.ts';
import { systemClock } from '../../kernel/clock.ts';
import { vendKinds } from '../../retention/vend-anonymising-store.ts';
import { type Config, loadConfig, type Variables } from '../config.ts';
import type { Registries } from '../registries.ts';
import { version } from '../version.ts';
import { keysHere } from './backup-keys.ts';
import { connect } from './connect.ts';
import { actorOfMachine } from './create-session.ts';

export function archiveMachineOf(
  variables: Variables,
  registries: Registries,
  terminal: Terminal,
  found: { wrong: boolean },
): ArchiveMachine {
  const onProgress = tellProgress(terminal.stderr);
  const withKeys = async <T>(
    actor: string | undefined,
    work: (archiving: Archiving, config: Config) => Promise<T>,
  ): Promise<T> => {
    const config = loadConfig(variables, registries);
    const keys = await requireKeys(config);
    await using connection = await connect(config, registries);
    const { database } = connection;
    const kinds = vendKinds.filter((kind) => config.retention[kind] > 0);
    const by = { actor: actorOfMachine(actor), version: version() };
    return await work({ database, keys, kinds, onProgress, ...by }, config);
  };
  return {
    writeArchive: (folder, { actor, ...wanted }) =>
      withKeys(actor, async (archiving, { dataDir }) => {
        await requireOutside(folder, dataDir);
        await requireArchiveFolder(folder);
        const providers = registries.providers.map(({ name }) => name);
        return await archiveVends(folder, { ...wanted, providers, now: systemClock.now() }, archiving);
      }),
    restoreArchive: (path, { actor }) => withKeys(actor, (archiving) => restoreArchive(path, archiving)),
    checkArchives: (folder) =>
      withKeys(undefined, async ({ database, keys }) => {
        const checked = await checkArchives(folder, { sql: database, keys, onProgress });
        if (checked.some(({ state }) => state === 'wrong' || state === 'missing')) found.wrong = true;
        return checked;
      }),
    listArchives: async () => {
      await using connection = await connect(loadConfig(variables, registries), registries);
      return await listArchives(connection.database);
    },
  };
}

async function requireKeys(config: Config): Promise<Archiving['keys']> {
  const [first, ...others] = await keysHere(config);
  if (first !== undefined) return [first, ...others];
  throw new BackupError(
    'backup_key_missing',
    'archives are encrypted: set OJA_BACKUP_KEY to a key that ./oja backup key makes',
  );
}
