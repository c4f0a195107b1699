/** Changes of outcomes that the schema refuses, for tests. */
import type { Database } from '../../src/db/database.ts';

/**
 * Changes outcomes, such as their times, past the triggers that refuse it. `change` begins with
 * `set`.
 */
export async function changeOutcomes(
  database: Database,
  change: string,
  values: readonly unknown[] = [],
): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(`update purchase_outcomes o ${change}`, values);
  });
}
