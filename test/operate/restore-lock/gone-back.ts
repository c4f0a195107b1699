/** Restored databases: folders for them, and the copy that is restored. */
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../../src/db/database.ts';
import { cleanUpAfter } from '../../support/clean-up-after.ts';

export async function folder(stack: AsyncDisposableStack): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'oja-restore-'));
  cleanUpAfter(path);
  stack.defer(() => rm(path, { recursive: true, force: true }));
  await chmod(path, 0o755);
  return path;
}

/** Copies a database that no process uses now. */
export async function copyOf(connectionString: string, stack: AsyncDisposableStack): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const original = new URL(connectionString).pathname.slice(1);
  const administer = async (statement: string): Promise<void> => {
    await using database = openDatabase({
      connectionString: connectionString.replace(`/${original}`, '/postgres'),
      connectionsMax: 1,
      applicationName: 'oja test',
      onPoolError: () => undefined,
    });
    await database.query(statement);
  };
  await administer(`create database ${name} template ${original} strategy file_copy`);
  stack.defer(() => administer(`drop database ${name} with (force)`));
  return connectionString.replace(`/${original}`, `/${name}`);
}
