/**
 * Fills the database of the demo: the demo catalog, the merchant DEMO with money in both wallets,
 * live routes, and a test and a live credential. The secrets are written only to
 * `credentials.json`. Only the first start fills the database.
 */
import type { KeyObject } from 'node:crypto';
import { open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { storeThings } from '../../catalog/catalog-store.ts';
import { setFxRate } from '../../catalog/operations/set-fx-rate.ts';
import { sellersOf } from '../../catalog/routes/require-route.ts';
import { setRoute } from '../../catalog/routes/route-store.ts';
import { makeDataFolder } from '../../core/data-folder.ts';
import { environments } from '../../core/environment.ts';
import { billProducts, orderProducts, productNames } from '../../core/products/product.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Database, Sql, Tx } from '../../db/database.ts';
import { lockSetup } from '../../db/setting-store.ts';
import { setFunding } from '../../funding/operations/set-funding.ts';
import { listCredentials } from '../../merchants/credential-store.ts';
import { findMerchant } from '../../merchants/merchant-store.ts';
import { issueCredential } from '../../merchants/operations/issue-credential.ts';
import { setProduct } from '../../merchants/operations/set-product.ts';
import type { ProviderDefinition } from '../../providers/provider-definition.ts';
import { createMerchant } from '../../wallet/operations/create-merchant.ts';
import { creditWallet } from '../../wallet/operations/credit-wallet.ts';
import { readDemoCatalog } from './read-demo-catalog.ts';

const merchantCode = 'DEMO';
const actor = 'demo';
/** In kobo: ten million naira of test money in each environment. */
const OPENING_BALANCE = 1_000_000_000n;

type KeyPair = { readonly key: string; readonly secret: string };
export type DemoCredentials = { readonly merchant: string; readonly test: KeyPair; readonly live: KeyPair };
export type Demo = { readonly credentials: DemoCredentials; readonly simulatorUrl: string };

export async function seedDemo(
  database: Database,
  pepper: KeyObject,
  dataDir: string,
  providers: readonly ProviderDefinition[],
): Promise<DemoCredentials> {
  return await database.transaction(async (tx) => {
    // Two gateways on one database may start together: one fills it, the other finds it filled.
    await lockSetup(tx);
    await fillDemo(tx, providers);
    return await ensureCredentials(tx, pepper, dataDir);
  });
}

/** Everything but the credentials, in a database without the demo's merchant. */
export async function fillDemo(tx: Tx, providers: readonly ProviderDefinition[]): Promise<void> {
  // Reading the files takes too long for a start that finds everything present.
  if ((await findMerchant(tx, merchantCode)) !== undefined) return;
  const catalog = await readDemoCatalog();
  await storeThings(tx, 'data', catalog.dataPlans);
  await storeThings(tx, 'biller', catalog.billers);
  await storeThings(tx, 'bill', catalog.billPlans);
  await storeThings(tx, 'giftcard', catalog.giftCards);
  await storeThings(tx, 'esim', catalog.esims);
  for (const rate of catalog.rates) await setFxRate(tx, rate, actor);
  await announceChange(tx, 'plans');
  await createDemoMerchant(tx);
  await routeLive(tx, providers);
}

async function createDemoMerchant(tx: Tx): Promise<void> {
  await createMerchant(tx, { code: merchantCode, name: 'Demo Merchant' }, actor);
  for (const environment of environments) {
    await creditWallet(
      tx,
      {
        merchantCode,
        environment,
        currency: 'NGN',
        amount: OPENING_BALANCE,
        memo: 'opening balance of the demo',
      },
      actor,
    );
    for (const product of [...billProducts, ...orderProducts]) {
      await setProduct(tx, { merchantCode, environment, product, enabled: true }, actor);
    }
    await setFunding(tx, { merchantCode, environment, currency: 'NGN', enabled: true }, actor);
  }
}

/** Live purchases go to the providers that the simulator plays, in the order of the registry. */
async function routeLive(tx: Tx, definitions: readonly ProviderDefinition[]): Promise<void> {
  const played = definitions.filter(({ simulate }) => simulate !== undefined);
  for (const product of productNames) {
    const providers = sellersOf(product, 'live', played);
    await setRoute(tx, { environment: 'live', product, network: '*', providers });
  }
}

/**
 * The credentials in the file, if they belong to this database; otherwise new ones. They are
 * written to the file before they are committed, so they are never lost.
 */
async function ensureCredentials(tx: Tx, pepper: KeyObject, dataDir: string): Promise<DemoCredentials> {
  const path = join(dataDir, 'credentials.json');
  const filed = await readCredentials(path);
  if (filed !== undefined && (await areKnown(tx, filed))) return filed;
  const issue = async (environment: 'test' | 'live'): Promise<KeyPair> => {
    const issued = await issueCredential(tx, pepper, { merchantCode, environment, label: 'demo' }, actor);
    return { key: issued.credential.key_id, secret: issued.secret };
  };
  const issued = { merchant: merchantCode, test: await issue('test'), live: await issue('live') };
  await writeCredentials(dataDir, path, issued);
  return issued;
}

async function areKnown(sql: Sql, filed: DemoCredentials): Promise<boolean> {
  const merchant = await findMerchant(sql, merchantCode);
  const keys = merchant
    ? (await listCredentials(sql, merchant.id)).filter((row) => row.revoked_at === null)
    : [];
  return [filed.test.key, filed.live.key].every((key) => keys.some((row) => row.key_id === key));
}

async function readCredentials(path: string): Promise<DemoCredentials | undefined> {
  try {
    const read = JSON.parse(await readFile(path, 'utf8')) as Partial<DemoCredentials>;
    return read.merchant === merchantCode && read.test && read.live ? (read as DemoCredentials) : undefined;
  } catch {
    return undefined;
  }
}

async function writeCredentials(dataDir: string, path: string, credentials: DemoCredentials): Promise<void> {
  await makeDataFolder(dataDir);
  const draft = `${path}.new`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.chmod(0o600);
    await file.writeFile(`${JSON.stringify(credentials)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
