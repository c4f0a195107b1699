/** Vouchers in each possible state, as data for tests of the audit. */
import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { newId } from '../../src/core/ids.ts';
import type { Database } from '../../src/db/database.ts';
import type { AcceptVerdict } from '../../src/purchases/engine/accept-store.ts';
import type { VoucherSettlement } from '../../src/purchases/engine/resolve-store.ts';
import { ensureAccount } from '../../src/wallet/ledger/account-store.ts';
import {
  voucherRedeemed,
  voucherSettled,
  vouchersAccount,
} from '../../src/wallet/ledger/chart-of-accounts.ts';
import { cancelVoucher } from '../../src/wallet/vouchers/operations/cancel-voucher.ts';
import { issueVouchers } from '../../src/wallet/vouchers/operations/issue-vouchers.ts';
import { acceptPurchases, resolvePurchases } from '../support/commit-purchases.ts';
import { refusedAct } from '../support/refusals.ts';
import { delivered, type Shop } from './fixture.ts';

const gateway = newId();
export const VALUE = 12_000n;
/** The account of `delivered` in fixture.ts. */
const CHARGE = 9_800n;

/** The ids of vouchers and of the orders that took them, by the name of their state. */
export async function makeVouchers(database: Database, shop: Shop): Promise<Map<string, string>> {
  const pepper = createSecretKey(randomBytes(32));
  const { vouchers } = await database.transaction((tx) =>
    issueVouchers(tx, pepper, { merchantCode: 'SHOP', environment: 'live', value: VALUE, count: 5 }, 'ada'),
  );
  const made = new Map<string, string>();
  for (const [index, name] of ['open', 'taken', 'redeemed', 'returned', 'cancelled'].entries()) {
    made.set(`voucher_${name}`, vouchers[index]?.id ?? assert.fail());
  }
  const idOf = (name: string): string => made.get(`voucher_${name}`) ?? assert.fail(name);
  await database.transaction((tx) => cancelVoucher(tx, idOf('cancelled'), 'ada'));
  for (const name of ['taken', 'redeemed', 'returned'] as const) {
    const order = await takeVoucher(database, shop, name, idOf(name));
    assert.equal(order.verdict?.kind, 'accepted');
    made.set(`esim_${name}`, order.id);
    if (name !== 'taken')
      await settleOrder(database, shop, order, name === 'redeemed' ? 'success' : 'failed');
  }
  for (const name of ['taken', 'redeemed', 'cancelled']) {
    assert.equal(
      (await takeVoucher(database, shop, `again-${name}`, idOf(name))).verdict?.kind,
      'voucher_gone',
    );
  }
  await assert.rejects(
    database.transaction((tx) => cancelVoucher(tx, idOf('taken'), 'ada')),
    refusedAct('voucher_taken'),
  );
  return made;
}

type Taken = { readonly id: string; readonly settleId: string; readonly verdict: AcceptVerdict | undefined };

export async function takeVoucher(
  database: Database,
  shop: Shop,
  name: string,
  voucherId: string,
): Promise<Taken> {
  const id = newId();
  const settleId = newId();
  const vouchers = await ensureAccount(database, vouchersAccount('live', 'NGN'));
  const [verdict] = await acceptPurchases(
    database,
    [
      {
        id,
        merchantId: shop.merchantId,
        environment: 'live',
        reference: `esim-${name}`,
        product: 'ESIM',
        network: 'ESIM',
        planCode: 'X',
        msisdn: '',
        recipient: '',
        faceValue: CHARGE,
        charge: CHARGE,
        walletId: shop.walletId,
        mode: 'order',
        route: ['sandbox'],
        details: { voucher: { id: voucherId, settleId, value: String(VALUE) } },
        credentialId: shop.credentialId,
        createdAt: new Date(),
        refusal: undefined,
        attempt: { provider: 'sandbox', reference: `ref-esim-${name}` },
        voucher: {
          id: voucherId,
          redeemId: newId(),
          settleId,
          transfers: voucherRedeemed({
            walletAccount: shop.walletId,
            vouchersAccount: vouchers,
            amount: CHARGE,
          }),
        },
      },
    ],
    gateway,
  );
  return { id, settleId, verdict };
}

export async function settleOrder(
  database: Database,
  shop: Shop,
  { id, settleId }: Taken,
  status: 'success' | 'failed',
): Promise<void> {
  const accounts = {
    walletAccount: shop.walletId,
    vouchersAccount: await ensureAccount(database, vouchersAccount('live', 'NGN')),
  };
  const voucher: VoucherSettlement = {
    settleId,
    transfers: voucherSettled({ status, value: VALUE, charge: CHARGE }, accounts),
  };
  const effect =
    status === 'success'
      ? { ...delivered(shop, 9_700n), sealed: 'k:', voucher }
      : ({ kind: 'fail', reason: 'refused', message: 'Failed', telcoMessage: undefined, voucher } as const);
  const said = { code: 'x', message: 'said so', provider: 'sandbox', providerId: undefined, latencyMs: 1 };
  const item = {
    merchantId: shop.merchantId,
    environment: 'live',
    purchaseId: id,
    walletId: shop.walletId,
    network: 'ESIM',
    attempt: 1,
    source: 'purchase',
    answer: { kind: status, ...said },
    effect,
  } as const;
  // Run twice: the second run is a repeat and refunds nothing.
  assert.deepEqual(
    [...(await resolvePurchases(database, [item])), ...(await resolvePurchases(database, [item]))].map(
      ({ kind }) => kind,
    ),
    ['done', 'repeat'],
  );
}
