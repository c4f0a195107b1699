/**
 * Wallets with money, and batches of purchases and answers put to the database as the purchase path
 * puts them.
 */
import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after } from 'node:test';
import { auditPurchases } from '../../src/audit/audit-purchases.ts';
import type { Environment } from '../../src/core/environment.ts';
import { newId } from '../../src/core/ids.ts';
import type { Database, Queries, Tx } from '../../src/db/database.ts';
import { issueCredential } from '../../src/merchants/operations/issue-credential.ts';
import type { AcceptItem, AcceptVerdict } from '../../src/purchases/engine/accept-store.ts';
import {
  type ClaimedPurchase,
  claimLanePurchases,
  type LaneFrom,
} from '../../src/purchases/engine/claim-store.ts';
import type { ResolveEffect, ResolveItem } from '../../src/purchases/engine/resolve-store.ts';
import { ensureAccount } from '../../src/wallet/ledger/account-store.ts';
import {
  floatAccount,
  purchaseDelivered,
  revenueAccount,
} from '../../src/wallet/ledger/chart-of-accounts.ts';
import { createMerchant } from '../../src/wallet/operations/create-merchant.ts';
import { creditWallet } from '../../src/wallet/operations/credit-wallet.ts';
import { listWallets } from '../../src/wallet/wallet-store.ts';
import { acceptPurchases, resolvePurchases } from '../support/commit-purchases.ts';
import { createTestDatabase } from '../support/database.ts';

/** A merchant's wallet in one environment, with the data for buying from it. */
export type Buyer = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly walletId: bigint;
  readonly credentialId: string;
  readonly floatId: bigint;
  readonly revenueId: bigint;
};

/** The gateway process that the tests act as. */
export const gatewayId = newId();

/** Claims due purchases of the sandbox, to be sent or queried, as the worker does. */
export async function claimPurchases(
  tx: Tx,
  owner: string,
  options: { readonly limit: number; readonly leaseMs: number },
): Promise<ClaimedPurchase[]> {
  const claim = { provider: 'sandbox', after: -1, ...options };
  const sends = await claimLanePurchases(tx, owner, { ...claim, step: 'send' });
  const limit = options.limit - sends.length;
  if (limit === 0) return sends;
  return [...sends, ...(await claimLanePurchases(tx, owner, { ...claim, step: 'query', limit }))];
}

/** Both steps of each provider, read from the start. */
export function lanesOf(...providers: string[]): LaneFrom[] {
  return providers.flatMap((provider) =>
    (['send', 'query'] as const).map((step) => ({ provider, step, dueFrom: undefined })),
  );
}

let buyers = 0;

export async function openBuyer(
  database: Pick<Queries, 'transaction'>,
  balance: bigint,
  environment: Environment = 'live',
): Promise<Buyer> {
  buyers += 1;
  const merchantCode = `BUYER-${buyers}`;
  return await database.transaction(async (tx) => {
    const merchant = await createMerchant(tx, { code: merchantCode, name: 'Buyer' }, 'test');
    if (balance !== 0n) {
      const correction = {
        merchantCode,
        environment,
        currency: 'NGN',
        amount: balance,
        memo: 'test',
      } as const;
      await creditWallet(tx, correction, 'test');
    }
    const pepper = createSecretKey(randomBytes(32));
    const { credential } = await issueCredential(tx, pepper, { merchantCode, environment }, 'test');
    const wallet = (await listWallets(tx, merchant.id)).find((row) => row.environment === environment);
    assert.ok(wallet);
    return {
      merchantId: merchant.id,
      environment,
      walletId: wallet.account_id,
      credentialId: credential.key_id,
      floatId: await ensureAccount(tx, floatAccount('sandbox', environment, 'NGN')),
      revenueId: await ensureAccount(tx, revenueAccount(environment, 'NGN')),
    };
  });
}

/** A purchase of airtime, sync by default. */
export function purchase(buyer: Buyer, charge: bigint, fields: Partial<AcceptItem> = {}): AcceptItem {
  const id = newId();
  const mode = fields.mode ?? 'sync';
  return {
    id,
    merchantId: buyer.merchantId,
    environment: buyer.environment,
    reference: `r-${id}`,
    product: 'airtime',
    network: 'MTN',
    planCode: undefined,
    msisdn: '08031234567',
    recipient: '2348031234567',
    faceValue: charge === 0n ? 1n : charge,
    charge,
    walletId: buyer.walletId,
    mode,
    route: ['sandbox'],
    details: undefined,
    credentialId: buyer.credentialId,
    createdAt: new Date(),
    refusal: undefined,
    attempt: mode !== 'async' ? { provider: 'sandbox', reference: `p-${id}` } : undefined,
    ...fields,
  };
}

export async function accept(
  database: Database,
  ...items: readonly AcceptItem[]
): Promise<readonly AcceptVerdict[]> {
  return await acceptPurchases(database, items, gatewayId);
}

/** The kinds of the verdicts, for comparing. */
export async function acceptKinds(database: Database, ...items: readonly AcceptItem[]): Promise<string[]> {
  return (await accept(database, ...items)).map((verdict) => verdict.kind);
}

/** The decision for an answer of the provider about a purchase. */
export function answer(
  buyer: Buyer,
  item: AcceptItem,
  kind: 'success' | 'failed' | 'unknown' | 'accepted' | 'not_found' | 'not_sent',
  fields: Partial<ResolveItem> & { readonly cost?: bigint; readonly effect?: ResolveEffect } = {},
): ResolveItem {
  const { cost = (item.charge * 97n) / 100n, ...rest } = fields;
  return {
    merchantId: buyer.merchantId,
    environment: buyer.environment,
    purchaseId: item.id,
    walletId: buyer.walletId,
    network: item.network,
    attempt: 1,
    source: 'purchase',
    answer: {
      kind,
      code: kind,
      message: `it said ${kind}`,
      provider: 'sandbox',
      providerId: undefined,
      latencyMs: 3,
    },
    effect: effectOf(buyer, item, kind, cost),
    ...rest,
  };
}

function effectOf(buyer: Buyer, item: AcceptItem, kind: string, cost: bigint): ResolveEffect {
  switch (kind) {
    case 'success':
      return {
        kind: 'succeed',
        telcoMessage: undefined,
        cost,
        goods: undefined,
        goodsDueMs: undefined,
        transfers: purchaseDelivered({
          walletAccount: buyer.walletId,
          floatAccount: buyer.floatId,
          revenueAccount: buyer.revenueId,
          charge: item.charge,
          cost,
        }),
      };
    case 'failed':
      return { kind: 'fail', reason: 'refused', telcoMessage: undefined };
    case 'not_sent':
      return { kind: 'retry', dueMs: 0, provider: 'sandbox' };
    default:
      return { kind: 'wait', dueMs: 5_000, flag: false };
  }
}

/** `kind status` of each verdict. */
export async function resolveWords(database: Database, ...items: readonly ResolveItem[]): Promise<string[]> {
  const verdicts = await resolvePurchases(database, items);
  return verdicts.map(({ kind, status }) => (status === undefined ? kind : `${kind} ${status}`));
}

export async function moneyOf(database: Database, buyer: Buyer): Promise<{ posted: bigint; held: bigint }> {
  const [row] = await database.query<{ posted: bigint; held: bigint }>(
    'select posted, held from wallets where account_id = $1',
    [buyer.walletId],
  );
  assert.ok(row);
  return row;
}

export async function count(database: Database, table: string, purchaseId?: string): Promise<number> {
  const column = table === 'purchases' ? 'id' : table === 'transfers' ? 'subject_id' : 'purchase_id';
  const [row] = await database.query<{ count: number }>(
    `select count(*)::integer as count
     from ${table}
     where $1::uuid is null
     or ${column} = $1`,
    [purchaseId ?? null],
  );
  return row?.count ?? 0;
}

/** A migrated and empty database for all tests of a file. After them it is audited and dropped. */
export async function openAuditedDatabase(): Promise<Database> {
  const clone = await createTestDatabase();
  after(async () => {
    await assertAudited(clone.database);
    await clone[Symbol.asyncDispose]();
  });
  return clone.database;
}

/** Fails unless the audit finds nothing, but for the checks named. */
export async function assertAudited(database: Database, ...except: readonly string[]): Promise<void> {
  const { checks } = await auditPurchases(database);
  assert.deepEqual(
    checks.filter((check) => !check.ok && !except.includes(check.name)),
    [],
  );
}
