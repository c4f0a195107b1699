/** A database that is corrupted for the duration of an audit. */
import assert from 'node:assert/strict';
import type { AuditResult } from '../../src/audit/findings.ts';
import type { Database, Tx } from '../../src/db/database.ts';

class RollBack<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('rolled back');
    this.result = result;
  }
}

/**
 * Runs `work` on a database that `sql` has corrupted, in which `$` precedes names; then undoes it.
 */
export async function inSpoilt<T>(
  database: Database,
  names: ReadonlyMap<string, string>,
  sql: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const text = sql.replaceAll(
    /\$([a-z_]+)/g,
    (_, name: string) => names.get(name) ?? assert.fail(`no ${name}`),
  );
  try {
    return await database.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      await tx.query(text);
      throw new RollBack(await work(tx));
    });
  } catch (error) {
    if (error instanceof RollBack) return error.result as T;
    throw error;
  }
}

/** The names of the failed checks, with the number of differences that each found. */
export function failedOf(checks: readonly AuditResult[]): Map<string, number> {
  return new Map(checks.filter((check) => !check.ok).map((check) => [check.name, check.count]));
}
