/** Changes a wallet without a transfer, as only an error or a test would. */
import type { Sql } from '../../src/db/database.ts';

type WalletChange = {
  /** Added to the wallet's posted amount, in minor units. */
  readonly posted?: bigint;
  /** Added to the wallet's holds, in minor units. */
  readonly held?: bigint;
  /** Replaces its floor. */
  readonly floor?: bigint;
};

/** Rejects with PostgreSQL's error if the state would violate a constraint of `wallet_states`. */
export async function changeWallet(
  sql: Sql,
  walletId: bigint,
  { posted = 0n, held = 0n, floor }: WalletChange,
): Promise<void> {
  await sql.query('insert into wallet_states select * from next_wallet_state($1, $2, $3, $4)', [
    walletId,
    posted,
    held,
    floor ?? null,
  ]);
}
