/**
 * A shop with a funded wallet, and one purchase in each possible state: data for tests of the
 * audit.
 */
import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { setDiscount } from '../../src/catalog/operations/set-discount.ts';
import { newId } from '../../src/core/ids.ts';
import type { Database } from '../../src/db/database.ts';
import { issueCredential } from '../../src/merchants/operations/issue-credential.ts';
import { hashRows, rowReference } from '../../src/purchases/batches/batch.ts';
import { storeBatch } from '../../src/purchases/batches/change-batch.ts';
import type { AcceptItem, PurchaseRefusal } from '../../src/purchases/engine/accept-store.ts';
import type { ResolveEffect, ResolveItem } from '../../src/purchases/engine/resolve-store.ts';
import { CountRollUp } from '../../src/purchases/history/roll-up-counts.ts';
import type { OutcomeReason } from '../../src/purchases/state/outcome-reason.ts';
import type { PurchaseDetails } from '../../src/purchases/state/purchase-details.ts';
import { ensureAccount } from '../../src/wallet/ledger/account-store.ts';
import {
  floatAccount,
  purchaseDelivered,
  revenueAccount,
} from '../../src/wallet/ledger/chart-of-accounts.ts';
import { rollUpHouseBalances } from '../../src/wallet/ledger/roll-up.ts';
import { createMerchant } from '../../src/wallet/operations/create-merchant.ts';
import { creditWallet } from '../../src/wallet/operations/credit-wallet.ts';
import { listWallets } from '../../src/wallet/wallet-store.ts';
import { awayFromMidnight } from '../support/away-from-midnight.ts';
import { acceptPurchases, resolvePurchases } from '../support/commit-purchases.ts';

export type Shop = {
  readonly merchantId: number;
  readonly walletId: bigint;
  readonly credentialId: string;
  readonly floatId: bigint;
  readonly revenueId: bigint;
};

const gateway = newId();

export async function openShop(database: Database): Promise<Shop> {
  return await database.transaction(async (tx) => {
    const merchant = await createMerchant(tx, { code: 'SHOP', name: 'Shop' }, 'obi');
    await creditWallet(
      tx,
      { merchantCode: 'SHOP', environment: 'live', currency: 'NGN', amount: 1_000_000n, memo: 'opening' },
      'obi',
    );
    const { credential } = await issueCredential(
      tx,
      createSecretKey(randomBytes(32)),
      { merchantCode: 'SHOP', environment: 'live' },
      'obi',
    );
    const wallet = (await listWallets(tx, merchant.id)).find((row) => row.environment === 'live');
    assert.ok(wallet);
    await ensureAccount(tx, floatAccount('sandbox', 'test', 'NGN'));
    return {
      merchantId: merchant.id,
      walletId: wallet.account_id,
      credentialId: credential.key_id,
      floatId: await ensureAccount(tx, floatAccount('sandbox', 'live', 'NGN')),
      revenueId: await ensureAccount(tx, revenueAccount('live', 'NGN')),
    };
  });
}

/** The ids of the purchases, by the name of their state. */
export async function makePurchases(database: Database, shop: Shop): Promise<Map<string, string>> {
  // Caps apply per day.
  await awayFromMidnight();
  const made = new Map<string, string>();
  const make = async (name: string, order: Order = {}): Promise<string> => {
    const id = await buy(database, shop, name, order);
    made.set(name, id);
    return id;
  };
  const say = (purchaseId: string, kind: string, effect: ResolveEffect) =>
    answer(database, shop, purchaseId, kind, effect);
  await say(await make('delivered'), 'success', delivered(shop, 9_700n));
  await rollUpHouseBalances(database, 2);
  await new CountRollUp(2).run(database);
  await say(await make('refused'), 'failed', failed('refused'));
  await say(await make('not_sent'), 'not_sent', failed('not_sent'));
  await say(await make('not_found'), 'not_found', failed('not_found'));
  await make('insufficient', { charge: 100_000_000n });
  await capCredential(database, shop);
  await make('over_purchase', { capped: true, charge: 9_900n });
  await make('capped', { capped: true, charge: 5_000n });
  await say(await make('uncounted', { capped: true, charge: 4_000n }), 'failed', failed('refused'));
  await make('over_daily', { capped: true, charge: 5_001n });
  await make('rejected', {
    refusal: { reason: 'customer_rejected', telcoMessage: 'no such meter' },
  });
  await say(await make('tokenless'), 'success', { ...delivered(shop, 9_700n), goodsDueMs: 600_000 });
  await make('calling');
  await make('sending', { mode: 'async' });
  await say(await make('unknown'), 'unknown', { kind: 'wait', dueMs: 60_000, flag: false });
  await say(await make('retrying'), 'not_sent', { kind: 'retry', dueMs: 60_000, provider: 'sandbox' });
  await storeAirtimeBatch(database, shop);
  await say(
    await make('of a batch', { reference: referenceOf('of a batch') }),
    'success',
    delivered(shop, 9_700n),
  );
  await database.transaction((tx) =>
    setDiscount(tx, { merchantCode: 'SHOP', product: 'airtime', network: 'MTN', basisPoints: 200 }, 'obi'),
  );
  const priceList = { list: 'own:SHOP', version: 1, rule: 'airtime/MTN/*/*' };
  await say(await make('by a list', { details: { priceList } }), 'success', delivered(shop, 9_700n));
  return made;
}

const batchRow = {
  product: 'airtime',
  network: 'MTN',
  planCode: undefined,
  msisdn: '08031234567',
  recipient: '2348031234567',
  phone: undefined,
  faceValue: 10_000n,
  charge: 9_800n,
} as const;

/** The merchant's reference of the purchase with this name. */
export function referenceOf(name: string): string {
  return name === 'of a batch' ? rowReference(hashRows([batchRow]), 1) : `r-${name}`;
}

/** A batch of one row, which was bought. */
async function storeAirtimeBatch(database: Database, { merchantId, credentialId }: Shop): Promise<void> {
  const owner = { merchantId, environment: 'live' } as const;
  const given = { id: newId(), name: 'Batch', credentialId, createdBy: 'test' };
  await database.transaction((tx) => storeBatch(tx, owner, { heads: [], rows: [batchRow] }, given));
  await database.query("update batches set state = 'done', next_line = 2 where id = $1", [given.id]);
}

/** Caps that apply only to purchases by `capped`. */
async function capCredential(database: Database, shop: Shop): Promise<void> {
  await database.query(
    `update credentials
     set purchase_cap = 9800, daily_cap = 10000
     where key_id = $1`,
    [shop.credentialId],
  );
}

type Order = {
  readonly capped?: boolean;
  readonly mode?: 'sync' | 'async';
  readonly charge?: bigint;
  readonly refusal?: PurchaseRefusal;
  readonly reference?: string;
  readonly details?: PurchaseDetails;
};

/** Accepts one purchase of airtime; sync ones with their first attempt. */
export async function buy(database: Database, shop: Shop, name: string, order: Order = {}): Promise<string> {
  const { mode = 'sync', charge = 9_800n, refusal, capped, details, reference = `r-${name}` } = order;
  const item: AcceptItem = {
    id: newId(),
    merchantId: shop.merchantId,
    environment: 'live',
    reference,
    product: 'airtime',
    network: 'MTN',
    planCode: undefined,
    msisdn: '08031234567',
    recipient: '2348031234567',
    faceValue: 10_000n,
    charge,
    walletId: shop.walletId,
    mode,
    route: ['sandbox'],
    details,
    credentialId: shop.credentialId,
    createdAt: new Date(),
    refusal,
    capped,
    attempt:
      mode === 'sync' && refusal === undefined
        ? { provider: 'sandbox', reference: `ref-${name}-1` }
        : undefined,
  };
  const [verdict] = await acceptPurchases(database, [item], gateway);
  const kinds = ['accepted', 'insufficient', 'refused', 'over_purchase_cap', 'over_daily_cap'];
  assert.ok(verdict !== undefined && kinds.includes(verdict.kind));
  return item.id;
}

/** The first attempt's answer, and the decision it leads to. */
export async function answer(
  database: Database,
  shop: Shop,
  purchaseId: string,
  kind: string,
  effect: ResolveEffect,
): Promise<void> {
  const item: ResolveItem = {
    merchantId: shop.merchantId,
    environment: 'live',
    purchaseId,
    walletId: shop.walletId,
    network: 'MTN',
    attempt: 1,
    source: 'purchase',
    answer: { kind, code: 'x', message: 'said so', provider: 'sandbox', providerId: undefined, latencyMs: 1 },
    effect,
  };
  const [verdict] = await resolvePurchases(database, [item]);
  assert.ok(verdict !== undefined && ['done', 'waiting', 'repeat'].includes(verdict.kind));
}

export function delivered(shop: Shop, cost: bigint): Extract<ResolveEffect, { kind: 'succeed' }> {
  return {
    kind: 'succeed',
    telcoMessage: undefined,
    cost,
    goods: undefined,
    goodsDueMs: undefined,
    transfers: purchaseDelivered({
      walletAccount: shop.walletId,
      floatAccount: shop.floatId,
      revenueAccount: shop.revenueId,
      charge: 9_800n,
      cost,
    }),
  };
}

function failed(reason: OutcomeReason): ResolveEffect {
  return { kind: 'fail', reason, telcoMessage: undefined };
}
