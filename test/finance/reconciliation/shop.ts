/**
 * A shop whose purchases are sent to a simulated provider and stored as the gateway stores them, so
 * that the provider's statements can be compared with them.
 */
import assert from 'node:assert/strict';
import { newId } from '../../../src/core/ids.ts';
import type { Database } from '../../../src/db/database.ts';
import type { Provider, ProviderOrder } from '../../../src/providers/provider.ts';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import type { ResolveEffect } from '../../../src/purchases/engine/resolve-store.ts';
import { ensureAccount } from '../../../src/wallet/ledger/account-store.ts';
import {
  floatAccount,
  purchaseDelivered,
  revenueAccount,
} from '../../../src/wallet/ledger/chart-of-accounts.ts';
import { listWallets } from '../../../src/wallet/wallet-store.ts';
import type { Operator } from '../../cli/harness.ts';
import { airtime, orderOf } from '../../conformance/products.ts';
import { acceptPurchases, resolvePurchases } from '../../support/commit-purchases.ts';

type Fate = 'success' | 'failed' | 'pending';

export type Bought = { readonly id: string; readonly reference: string; readonly order: ProviderOrder };

export type Shop = {
  /**
   * Sends an order of 100 naira to the provider, and stores the purchase with the outcome of
   * `fate`.
   */
  buy(name: string, recipient: string, fate?: Fate, cost?: bigint): Promise<Bought>;
  /** The same, without sending it. */
  pretend(name: string, fate: Fate, cost?: bigint): Promise<Bought>;
};

const gateway = newId();

export async function openShop({ database, json }: Operator, provider: Provider): Promise<Shop> {
  await json('merchant', 'create', 'SHOP', 'Shop');
  await json('wallet', 'credit', 'SHOP', '1000000', '--env', 'live', '--memo', 'opening');
  const { credential } = await json('credential', 'issue', 'SHOP', '--env', 'live');
  const [merchant] = await database.query<{ id: number }>("select id from merchants where code = 'SHOP'");
  assert.ok(merchant);
  const wallet = (await listWallets(database, merchant.id)).find(({ environment }) => environment === 'live');
  assert.ok(wallet);
  const ids = {
    merchantId: merchant.id,
    walletId: wallet.account_id,
    credentialId: String(credential?.key_id ?? (await firstKey(database))),
    floatId: await ensureAccount(database, floatAccount(provider.name, 'live', 'NGN')),
    revenueId: await ensureAccount(database, revenueAccount('live', 'NGN')),
  };
  const record = async (name: string, order: ProviderOrder, fate: Fate, cost: bigint): Promise<Bought> => {
    const id = await accept(database, ids, provider.name, name, order);
    if (fate !== 'pending') await resolve(database, ids, provider.name, id, fate, cost);
    return { id, reference: order.reference, order };
  };
  return {
    buy: async (name, recipient, fate = 'success', cost = COST) => {
      const order = orderOf(provider, airtime, recipient);
      await provider.purchase(order);
      return await record(name, order, fate, cost);
    },
    pretend: (name, fate, cost = COST) =>
      record(name, orderOf(provider, airtime, '2348030099999'), fate, cost),
  };
}

/** Of 100 naira, less the commission of 3 %. */
const COST = 9_700n;
const CHARGE = 9_800n;

type Ids = {
  readonly merchantId: number;
  readonly walletId: bigint;
  readonly credentialId: string;
  readonly floatId: bigint;
  readonly revenueId: bigint;
};

async function firstKey(database: Database): Promise<string> {
  const [row] = await database.query<{ key_id: string }>('select key_id from credentials limit 1');
  return row?.key_id ?? '';
}

async function accept(database: Database, ids: Ids, provider: string, name: string, order: ProviderOrder) {
  const item: AcceptItem = {
    id: newId(),
    merchantId: ids.merchantId,
    environment: 'live',
    reference: name,
    product: 'airtime',
    network: 'MTN',
    planCode: undefined,
    msisdn: order.recipient,
    recipient: order.recipient,
    faceValue: order.amount,
    charge: CHARGE,
    walletId: ids.walletId,
    mode: 'sync',
    route: [provider],
    details: undefined,
    credentialId: ids.credentialId,
    createdAt: new Date(),
    refusal: undefined,
    attempt: { provider, reference: order.reference },
  };
  const [verdict] = await acceptPurchases(database, [item], gateway);
  assert.equal(verdict?.kind, 'accepted');
  return item.id;
}

async function resolve(
  database: Database,
  ids: Ids,
  provider: string,
  purchaseId: string,
  fate: 'success' | 'failed',
  cost: bigint,
): Promise<void> {
  const { merchantId, walletId, floatId, revenueId } = ids;
  const effect: ResolveEffect =
    fate === 'failed'
      ? { kind: 'fail', reason: 'refused', telcoMessage: undefined }
      : {
          kind: 'succeed',
          telcoMessage: undefined,
          cost,
          goods: undefined,
          goodsDueMs: undefined,
          transfers: purchaseDelivered({
            walletAccount: walletId,
            floatAccount: floatId,
            revenueAccount: revenueId,
            charge: CHARGE,
            cost,
          }),
        };
  const said = { kind: fate, code: 'x', message: 'said so', provider, providerId: undefined, latencyMs: 1 };
  const [verdict] = await resolvePurchases(database, [
    {
      merchantId,
      environment: 'live',
      purchaseId,
      walletId,
      network: 'MTN',
      attempt: 1,
      source: 'purchase',
      answer: said,
      effect,
    },
  ]);
  assert.equal(verdict?.kind, 'done');
}
