/**
 * Creates a merchant: its profile, an NGN wallet and the products that are enabled at first, in
 * both environments. All of this or, when the transaction fails, nothing.
 */

import { Type } from 'typebox';
import type { ActorOrName } from '../../core/actor.ts';
import { environments } from '../../core/environment.ts';
import { OperationError } from '../../core/errors.ts';
import { listWords } from '../../core/list-words.ts';
import { admins, defineOperation } from '../../core/operation.ts';
import { inputOf, text } from '../../core/operation-fields.ts';
import { productsAtFirst } from '../../core/products/product.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import { merchantAnswer, merchantOutput } from '../../merchants/merchant-answer.ts';
import {
  insertMerchant,
  insertMerchantProduct,
  insertWallet,
  type MerchantRow,
} from '../../merchants/merchant-store.ts';
import type { Acting } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { ensureAccount } from '../ledger/account-store.ts';
import { walletAccount } from '../ledger/chart-of-accounts.ts';

/** Throws OperationError: `merchant_code_malformed`, `merchant_exists`. */
export async function createMerchant(
  tx: Tx,
  merchant: { readonly code: string; readonly name: string },
  actor: ActorOrName,
): Promise<MerchantRow> {
  const name = merchant.name.trim();
  if (!/^[A-Za-z0-9_-]{2,40}$/.test(merchant.code)) {
    throw new OperationError({ code: 'merchant_code_malformed' });
  }
  const created = await insertMerchant(tx, { code: merchant.code, name });
  if (created === undefined) {
    throw new OperationError({ code: 'merchant_exists', merchant: merchant.code });
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

export const createMerchantOperation = defineOperation({
  name: 'merchant.create',
  kind: 'act',
  summary: `create a merchant with NGN wallets, ${listWords(productsAtFirst, 'and')}, in test and live`,
  roles: admins,
  route: 'POST /merchants',
  document: 'operators/merchants.md',
  input: inputOf({
    code: Type.String({ description: 'its code in requests: 2 to 40 letters, digits, "-" and "_"' }),
    name: text('its name, in 1 to 100 characters of plain text'),
  }),
  output: merchantOutput,
  run: async ({ tx, actor }: Acting, input) => merchantAnswer(await createMerchant(tx, input, actor)),
});
