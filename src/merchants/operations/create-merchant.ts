/**
 * Creates a merchant: its profile, an NGN wallet and the products that are enabled at first, in
 * both environments. All of this or, when the transaction fails, nothing.
 */

import { recordOperation } from '../../audit-log/audit-log-store.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import { environments } from '../../kernel/environment.ts';
import { GatewayError, invalidField } from '../../kernel/errors.ts';
import { ensureAccount } from '../../ledger/account-store.ts';
import { walletAccount } from '../../ledger/chart-of-accounts.ts';
import { productsAtFirst } from '../../products/product.ts';
import { insertMerchant, insertMerchantProduct, insertWallet, type MerchantRow } from '../merchant-store.ts';

const NAME_LENGTH_MAX = 100;

/**
 * Throws GatewayError: `invalid` for a code or name of the wrong form, `duplicate` for a code that
 * is taken in any letter case.
 */
export async function createMerchant(
  tx: Tx,
  merchant: { readonly code: string; readonly name: string },
  actor: string,
): Promise<MerchantRow> {
  const name = merchant.name.trim();
  if (!/^[A-Za-z0-9_-]{2,40}$/.test(merchant.code)) {
    throw invalidField('code', 'code must be 2 to 40 letters, digits, "-" and "_"');
  }
  if (name === '' || name.length > NAME_LENGTH_MAX || /\p{Cc}/u.test(name)) {
    throw invalidField('name', `name must be 1 to ${NAME_LENGTH_MAX} characters of plain text`);
  }
  const created = await insertMerchant(tx, { code: merchant.code, name });
  if (created === undefined) {
    throw new GatewayError('duplicate', `there is a merchant "${merchant.code}" already`);
  }
  for (const environment of environments) {
    const account = walletAccount(created.id, environment, 'NGN');
    const accountId = await ensureAccount(tx, { ...account, merchantId: created.id });
    await insertWallet(tx, { accountId, merchantId: created.id, environment, currency: 'NGN' });
    for (const product of productsAtFirst) {
      await insertMerchantProduct(tx, created.id, environment, product);
    }
  }
  await recordOperation(tx, {
    actor,
    action: 'merchant.create',
    subject: `merchant:${created.code}`,
    after: { id: created.id, code: created.code, name, products: productsAtFirst },
  });
  await announceChange(tx, 'merchants');
  return created;
}
