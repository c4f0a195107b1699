/**
 * The merchants whose purchases are loaded: each has money, a test credential and a live one. The
 * credentials are kept in a file, because secrets are shown once.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Credential } from '../../bench/load/job.ts';
import { fund, openWallets } from '../../bench/wallets.ts';
import type { Environment } from '../../src/core/environment.ts';
import { createSealer } from '../../src/core/sealing.ts';
import type { Database, Sql } from '../../src/db/database.ts';
import { markActive, markRequested } from '../../src/funding/funding-account-store.ts';
import { issueCredential } from '../../src/merchants/operations/issue-credential.ts';
import { loadPepper, readKeyFile } from '../../src/operate/keys/secrets.ts';
import { ensureAccount } from '../../src/wallet/ledger/account-store.ts';
import { floatAccount, revenueAccount } from '../../src/wallet/ledger/chart-of-accounts.ts';
import { findWallets } from './ten-million-store.ts';

const actor = 'bench';
const MERCHANTS_PER_TX = 100;
/** This many merchants have a bank account for deposits. */
const DEPOSITORS = 20;
export const bank = { name: 'monnify', environment: 'live' } as const;

/** The provider's commission on the face value, in basis points. */
export const providers: Readonly<Record<Environment, readonly (readonly [string, number])[]>> = {
  test: [['sandbox', 300]],
  live: [
    ['vtpass', 300],
    ['nomba', 350],
    ['reloadly', 250],
  ],
};

/** One wallet, and the amount of a purchase. */
export type Seller = {
  readonly merchantId: number;
  readonly code: string;
  readonly environment: Environment;
  readonly walletId: bigint;
  readonly credentialId: string;
  /** In basis points. */
  readonly discount: number;
  /** Money by provider. */
  readonly floats: ReadonlyMap<string, bigint>;
  readonly revenueId: bigint;
};

const fileOf = (dataDir: string): string => join(dataDir, 'sellers.json');

/** Creates them once. `dataDir`: that of the gateway that set the database up. */
export async function openSellers(database: Database, dataDir: string, count: number): Promise<void> {
  if ((await readCredentials(dataDir)).length > 0) return;
  const credentials = await openWallets(database, dataDir, { count, environment: 'test' });
  const pepper = await loadPepper(database, createSealer(await readKeyFile(dataDir)));
  for (let from = 0; from < count; from += MERCHANTS_PER_TX) {
    await database.transaction(async (tx) => {
      for (const { merchant } of credentials.slice(from, from + MERCHANTS_PER_TX)) {
        await fund(tx, merchant, 'live');
        await issueCredential(tx, pepper, { merchantCode: merchant, environment: 'live' }, actor);
      }
    });
  }
  for (const seller of (await findWallets(database)).filter(({ environment }) => environment === 'live')) {
    if (credentials.findIndex(({ merchant }) => merchant === seller.code) >= DEPOSITORS) continue;
    await openBankAccount(database, seller);
  }
  await writeFile(fileOf(dataDir), JSON.stringify(credentials), { mode: 0o600 });
}

/**
 * Test credentials of the merchants, the one with the most purchases first; empty if there are
 * none.
 */
export async function readCredentials(dataDir: string): Promise<Credential[]> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => '[]');
  return JSON.parse(text) as Credential[];
}

/** The account that a deposit of this merchant is paid to. */
export function paidTo(code: string): string {
  return `oja-${code}`;
}

/** In the order of the merchants, the one for tests before the live one. */
export async function findSellers(sql: Sql): Promise<Seller[]> {
  const houses = new Map<Environment, Pick<Seller, 'floats' | 'revenueId'>>();
  for (const environment of ['test', 'live'] as const) {
    const floats = new Map<string, bigint>();
    for (const [provider] of providers[environment]) {
      floats.set(provider, await ensureAccount(sql, floatAccount(provider, environment, 'NGN')));
    }
    houses.set(environment, {
      floats,
      revenueId: await ensureAccount(sql, revenueAccount(environment, 'NGN')),
    });
  }
  return (await findWallets(sql)).map((wallet) => {
    const house = houses.get(wallet.environment);
    if (house === undefined) throw new Error('there are two environments');
    return { ...wallet, ...house, discount: 100 * (wallet.merchantId % 3) };
  });
}

async function openBankAccount(
  database: Database,
  { merchantId, code, walletId }: Awaited<ReturnType<typeof findWallets>>[number],
): Promise<void> {
  await database.transaction(async (tx) => {
    const key = { merchantId, environment: 'live', currency: 'NGN' } as const;
    const asked = { provider: bank.name, reference: paidTo(code) };
    await markRequested(tx, key, { ...asked, walletId, customerHash: undefined });
    await markActive(tx, key, asked, {
      number: String(6_000_000_000 + merchantId),
      name: code,
      bankName: 'Bank',
    });
  });
}
