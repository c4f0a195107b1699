/** SQL of idempotency keys of operations that move money. */
import type { Tx } from '../../db/database.ts';

export type KeyedResult = { readonly isSame: boolean; readonly output: unknown };

/**
 * Returns the stored result of a key, and whether its input is the same. Waits for a transaction
 * that is using the key.
 */
export async function findKeyedResult(
  tx: Tx,
  operation: string,
  key: string,
  input: unknown,
): Promise<KeyedResult | undefined> {
  // The lock is held to the end of the transaction, so that uses of one key are serialized.
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

export async function insertKeyedResult(
  tx: Tx,
  operation: string,
  key: string,
  result: { readonly input: unknown; readonly output: unknown },
): Promise<void> {
  await tx.query(
    `insert into operation_keys (operation, key, input, output)
     values ($1, $2, $3, $4)`,
    [operation, key, JSON.stringify(result.input), JSON.stringify(result.output)],
  );
}
