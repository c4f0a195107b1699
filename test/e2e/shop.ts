/** Separate merchants for a test, made as an operator makes them, on the running gateway. */
import type { KeyObject } from 'node:crypto';
import type { Environment } from '../../src/core/environment.ts';
import { createSealer } from '../../src/core/sealing.ts';
import { type CredentialTerms, issueCredential } from '../../src/merchants/operations/issue-credential.ts';
import { loadPepper, readKeyFile } from '../../src/operate/keys/secrets.ts';
import { createMerchant } from '../../src/wallet/operations/create-merchant.ts';
import { creditWallet } from '../../src/wallet/operations/credit-wallet.ts';
import type { Gateway, KeyPair } from '../support/gateway.ts';

const actor = 'test';

export type Shop = {
  readonly code: string;
  readonly id: number;
  readonly test: KeyPair;
  readonly live: KeyPair;
};

let shops = 0;

/**
 * A merchant with `balance` kobo on both wallets (default 100,000 naira) and a credential for
 * either.
 */
export async function openShop(gateway: Gateway, { balance = 10_000_000n, name = '' } = {}): Promise<Shop> {
  shops += 1;
  const code = `SHOP-${shops}`;
  const { database } = gateway;
  const merchant = await database.transaction((tx) =>
    createMerchant(tx, { code, name: name || `Shop ${shops}` }, actor),
  );
  for (const environment of ['test', 'live'] as const) {
    if (balance > 0n) await credit(gateway, code, environment, balance);
  }
  return {
    code,
    id: merchant.id,
    test: await issueKey(gateway, code, { environment: 'test' }),
    live: await issueKey(gateway, code, { environment: 'live' }),
  };
}

/** Credits kobo to a wallet, or debits them. */
export async function credit(
  gateway: Gateway,
  merchantCode: string,
  environment: Environment,
  amount: bigint,
): Promise<void> {
  const correction = { merchantCode, environment, currency: 'NGN', amount, memo: 'for a test' } as const;
  await gateway.database.transaction((tx) => creditWallet(tx, correction, actor));
}

const peppers = new Map<Gateway, KeyObject>();

export async function issueKey(
  gateway: Gateway,
  merchantCode: string,
  terms: CredentialTerms,
): Promise<KeyPair> {
  const { database } = gateway;
  const pepper = await pepperOf(gateway);
  const { credential, secret } = await database.transaction((tx) =>
    issueCredential(tx, pepper, { ...terms, merchantCode }, actor),
  );
  return { key: credential.key_id, secret };
}

export async function pepperOf(gateway: Gateway): Promise<KeyObject> {
  const { database, dataDir } = gateway;
  const pepper =
    peppers.get(gateway) ?? (await loadPepper(database, createSealer(await readKeyFile(dataDir))));
  peppers.set(gateway, pepper);
  return pepper;
}
