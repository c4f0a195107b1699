/** Merchants with money, as many as a load needs, created by the gateway's own functions. */

import { createSealer } from '../src/core/sealing.ts';
import type { Database, Tx } from '../src/db/database.ts';
import { issueCredential } from '../src/merchants/operations/issue-credential.ts';
import { loadPepper, readKeyFile } from '../src/operate/keys/secrets.ts';
import { createMerchant } from '../src/wallet/operations/create-merchant.ts';
import { creditWallet } from '../src/wallet/operations/credit-wallet.ts';
import type { Credential } from './load/job.ts';

const actor = 'bench';
/** In kobo: more than any run spends. */
const FUNDS = 1_000_000_000_000_000n;
const MERCHANTS_PER_TX = 100;

type Environment = 'test' | 'live';

export async function fund(tx: Tx, merchantCode: string, environment: Environment): Promise<void> {
  await creditWallet(
    tx,
    { merchantCode, environment, currency: 'NGN', amount: FUNDS, memo: 'benchmark' },
    actor,
  );
}

/** `dataDir`: of a gateway on this database, where its encryption key is. */
export async function openWallets(
  database: Database,
  dataDir: string,
  { count, environment }: { readonly count: number; readonly environment: Environment },
): Promise<Credential[]> {
  const pepper = await loadPepper(database, createSealer(await readKeyFile(dataDir)));
  const credentials: Credential[] = [];
  while (credentials.length < count) {
    const goal = Math.min(count, credentials.length + MERCHANTS_PER_TX);
    await database.transaction(async (tx) => {
      while (credentials.length < goal) {
        const code = `BENCH-${String(credentials.length + 1).padStart(4, '0')}`;
        await createMerchant(tx, { code, name: `Benchmark ${code}` }, actor);
        await fund(tx, code, environment);
        const issued = await issueCredential(tx, pepper, { merchantCode: code, environment }, actor);
        credentials.push({ key: issued.credential.key_id, secret: issued.secret, merchant: code });
      }
    });
  }
  return credentials;
}
