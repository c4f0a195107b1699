/** Opens the merchants of the played week, with what they need to buy. */
import type { IdSource } from '../../../kernel/ids.ts';
import { createMerchant } from '../../../merchants/operations/create-merchant.ts';
import { issueCredential } from '../../../merchants/operations/issue-credential.ts';
import { setDiscount } from '../../../merchants/operations/set-discount.ts';
import { setProduct } from '../../../merchants/operations/set-product.ts';
import { creditWallet } from '../../../wallet/operations/credit-wallet.ts';
import { setFloor } from '../../../wallet/operations/set-floor.ts';
import { listWallets } from '../../../wallet/wallet-store.ts';
import { openBankAccount } from './money-of-week.ts';
import { ada, ngozi } from './people.ts';
import type { WeekParts } from './play-purchases.ts';
import { type Shop, shops } from './shops.ts';

export type OpenShop = { readonly shop: Shop; readonly keyId: string };

type Needs = Pick<WeekParts, 'tx' | 'pepper' | 'bank'>;

export async function openShops(needs: Needs, newId: IdSource): Promise<OpenShop[]> {
  const open: OpenShop[] = [];
  for (const shop of shops) open.push(await openShop(needs, shop, newId));
  return open;
}

async function openShop({ tx, pepper, bank }: Needs, shop: Shop, newId: IdSource): Promise<OpenShop> {
  const { code: merchantCode, name } = shop;
  const { id: merchantId } = await createMerchant(tx, { code: merchantCode, name }, ngozi);
  for (const [product] of shop.buys) {
    await setProduct(tx, { merchantCode, environment: 'live', product, enabled: true }, ngozi);
  }
  for (const discount of shop.discounts) await setDiscount(tx, { merchantCode, ...discount }, ngozi);
  const wallet = { merchantCode, environment: 'live', currency: 'NGN' } as const;
  await creditWallet(tx, { ...wallet, amount: shop.opening, memo: 'opening balance' }, ada, newId);
  if (shop.credit !== undefined) await setFloor(tx, { ...wallet, floor: -shop.credit }, ada);
  // Nobody learns its secret: a newcomer issues another.
  const terms = { merchantCode, environment: 'live', label: 'shop' } as const;
  const { credential } = await issueCredential(tx, pepper, terms, ngozi);
  const live = (await listWallets(tx, merchantId)).find(({ environment }) => environment === 'live');
  if (live === undefined) throw new Error('a merchant has a live wallet');
  await openBankAccount(tx, bank, shop, { merchantId, walletId: live.account_id });
  return { shop, keyId: credential.key_id };
}
