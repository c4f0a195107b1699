/** The files of migrations and functions. */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MigrationError } from './migration-error.ts';

export type SqlFile = { readonly name: string; readonly text: string; readonly checksum: string };
export type Migration = SqlFile & { readonly version: number };

export const defaultFolder = join(import.meta.dirname, '..', '..', 'migrations');

const onlineMark = '-- no transaction\n';

/** Whether the file runs statement by statement, without a transaction. */
export function isOnline({ text }: Migration): boolean {
  return text.startsWith(onlineMark);
}

/** Reads a folder. Throws MigrationError for a gap in the numbers of migrations. */
export async function readFiles(
  folder: string,
): Promise<{ readonly migrations: readonly Migration[]; readonly functions: readonly SqlFile[] }> {
  return {
    migrations: await readMigrations(folder),
    functions: await readSqlFiles(join(folder, 'functions')),
  };
}

/** Like `readFiles`, the migrations only, in the order of their numbers. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const files = await readSqlFiles(folder);
  return files.map((file, index) => {
    const version = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(file.name)?.[1]);
    if (version !== index + 1) {
      const expected = String(index + 1).padStart(4, '0');
      throw new MigrationError(
        'migration_numbers',
        `migrations must be numbered without a gap: expected ${expected}_…, found ${file.name}`,
      );
    }
    return { ...file, version };
  });
}

async function readSqlFiles(folder: string): Promise<SqlFile[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && folder.endsWith('functions')) {
      return [];
    }
    throw error;
  });
  const sqlNames = names.filter((name) => name.endsWith('.sql')).sort();
  return await Promise.all(
    sqlNames.map(async (name) => {
      // A checkout may turn line ends into CRLF; that is not a change.
      const text = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') };
    }),
  );
}
