/**
 * Holds what a database has against what this version of Oja makes, and what releases before had.
 *
 * The folder of migrations says both: `objects.txt` is what its files make, and `releases/*.txt`
 * what each release had. So nobody need remember to drop a function: it goes by itself, one release
 * after the files have lost it.
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tx } from './database.ts';
import { sqlState } from './database-errors.ts';
import { judgeFunctions } from './judge-functions.ts';
import { MigrationError } from './migration-error.ts';
import { listSchemaObjects } from './schema-objects-store.ts';

export type KnownObjects = {
  /** What the files of this version make. */
  readonly current: readonly string[];
  /** What releases had, the oldest first. */
  readonly releases: readonly (readonly string[])[];
  /** Of the functions, the names of those that bridges make. Only older processes need them. */
  readonly bridging: ReadonlySet<string>;
};

/** PostgreSQL's word for something that something else needs. */
const neededState = '2BP01';

/** Undefined for a folder that has no such lists. */
export async function readKnownObjects(folder: string): Promise<KnownObjects | undefined> {
  const current = await readLines(join(folder, 'objects.txt'));
  if (current === undefined) return undefined;
  const path = join(folder, 'releases');
  const names = (await readdir(path).catch(() => [])).filter((name) => name.endsWith('.txt'));
  const releases = await Promise.all(
    names.sort(byVersion).map(async (name) => (await readLines(join(path, name))) ?? []),
  );
  return { current, releases, bridging: await readBridging(join(folder, 'bridges')) };
}

/**
 * Drops the functions of releases long gone. Where something is missing, `makeFunctions` may bring
 * it. Gives what was done, and what is odd, in words. Rejects with MigrationError when something is
 * missing still.
 */
export async function settleObjects(
  tx: Tx,
  { current, releases, bridging }: KnownObjects,
  makeFunctions: () => Promise<readonly string[]>,
): Promise<{ readonly done: readonly string[]; readonly odd: readonly string[] }> {
  const done: string[] = [];
  const missing = async (): Promise<string[]> => {
    const present = new Set(await listSchemaObjects(tx));
    return current.filter((line) => !present.has(line) && !bridging.has(functionName(line)));
  };
  const lacked = await missing();
  if (lacked.length > 0) {
    refuseLack(lacked.filter((line) => line.startsWith('table ')));
    done.push(...(await makeFunctions()));
    refuseLack(await missing());
  }
  const present = await listSchemaObjects(tx);
  const { outlived, unknown } = judgeFunctions({ present, current, releases });
  const odd = unknown.map(
    (signature) =>
      `the function ${signature} is not of this version of Oja, which has one of that name: if nobody else needs it, drop function ${signature}`,
  );
  for (const signature of outlived) {
    if (await drop(tx, signature)) done.push(`dropped ${signature}`);
    else odd.push(`the function ${signature} of an older release stays: something in the database needs it`);
  }
  return { done, odd };
}

/** The names of the functions that the files of a folder create. */
async function readBridging(folder: string): Promise<ReadonlySet<string>> {
  const names = await readdir(folder).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  const made = texts.flatMap((text) => [...text.matchAll(/^create (?:or replace )?function (\w+)/gm)]);
  return new Set(made.flatMap(([, name]) => name ?? []));
}

/** Of a line of `objects.txt`; empty where it is no function. */
function functionName(line: string): string {
  return /^function (\w+)/.exec(line)?.[1] ?? '';
}

function refuseLack(lacked: readonly string[]): void {
  if (lacked.length === 0) return;
  const [first] = lacked;
  const more = lacked.length > 1 ? ` and ${lacked.length - 1} more` : '';
  throw new MigrationError(
    'database_not_whole',
    `the database is not whole: it lacks the ${first}${more}; restore it from a backup that is`,
  );
}

/** False where something needs it. */
async function drop(tx: Tx, signature: string): Promise<boolean> {
  await tx.query('savepoint before_drop');
  try {
    await tx.query(`drop function ${signature}`);
    return true;
  } catch (error) {
    if (sqlState(error) !== neededState) throw error;
    await tx.query('rollback to savepoint before_drop');
    return false;
  }
}

/** Without empty lines and comments, which begin with `#`. */
async function readLines(path: string): Promise<string[] | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text?.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
}

function byVersion(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}
