/** The SQL of the keys that operators give corrections of wallets. */
import type { Tx } from '../db/database.ts';

export async function findCorrectionKey(
  tx: Tx,
  walletId: bigint,
  key: string,
): Promise<{ readonly subject_id: string; readonly amount: bigint } | undefined> {
  const [row] = await tx.query<{ subject_id: string; amount: bigint }>(
    `select subject_id, amount
     from correction_keys
     where wallet_id = $1
     and key = $2`,
    [walletId, key],
  );
  return row;
}

/** The wallet must be locked. */
export async function insertCorrectionKey(
  tx: Tx,
  row: {
    readonly walletId: bigint;
    readonly key: string;
    readonly subjectId: string;
    readonly amount: bigint;
  },
): Promise<void> {
  await tx.query(
    `insert into correction_keys (wallet_id, key, subject_id, amount)
     values ($1, $2, $3, $4)`,
    [row.walletId, row.key, row.subjectId, row.amount],
  );
}
