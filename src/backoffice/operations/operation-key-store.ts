/** The SQL of the keys under which operations that move money were carried out. */
import type { Tx } from '../../db/database.ts';

export type KeyedAct = { readonly isSame: boolean; readonly output: unknown };

/**
 * What was done under the key, and whether it was asked for the same. Waits for whoever is using
 * the key at this moment.
 */
export async function findKeyedAct(
  tx: Tx,
  operation: string,
  key: string,
  input: unknown,
): Promise<KeyedAct | undefined> {
  // The lock is held to the end of the transaction, so that two of the same key come in turn.
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`operation:${operation}:${key}`]);
  const [row] = await tx.query<{ is_same: boolean; output: unknown }>(
    `select input = $3::jsonb as is_same, output
     from operation_keys
     where operation = $1
     and key = $2`,
    [operation, key, JSON.stringify(input)],
  );
  return row && { isSame: row.is_same, output: row.output };
}

export async function insertKeyedAct(
  tx: Tx,
  operation: string,
  key: string,
  act: { readonly input: unknown; readonly output: unknown },
): Promise<void> {
  await tx.query(
    `insert into operation_keys (operation, key, input, output)
     values ($1, $2, $3, $4)`,
    [operation, key, JSON.stringify(act.input), JSON.stringify(act.output)],
  );
}
