/**
 * Shows a merchant with its products, discounts and wallets. It is in this room because `merchants`
 * does not import wallets.
 */

import { type Static, Type } from 'typebox';
import { answerOf } from '../../core/answer.ts';
import type { Environment } from '../../core/environment.ts';
import { percentText } from '../../core/money.ts';
import { nullableText } from '../../core/nullable.ts';
import { defineOperation, roles } from '../../core/operation.ts';
import {
  amountOutput,
  currencyField,
  environmentField,
  inputOf,
  merchantField,
  pageFields,
  pageOf,
} from '../../core/operation-fields.ts';
import { pageOfWhole } from '../../core/page.ts';
import { countCredentials } from '../../merchants/credential-store.ts';
import { merchantAnswer, merchantOutput } from '../../merchants/merchant-answer.ts';
import { listMerchantProducts } from '../../merchants/merchant-store.ts';
import { listHeldRules, ownList } from '../../merchants/prices/price-list-store.ts';
import { findByCode } from '../../merchants/require-merchant.ts';
import type { Asking } from '../../oversight/log/acting.ts';
import { listWallets, type WalletRow } from '../wallet-store.ts';

const walletOutput = Type.Object({
  environment: environmentField,
  currency: currencyField,
  posted: amountOutput,
  held: amountOutput,
  floor: amountOutput,
  available: amountOutput,
});

function walletAnswer(wallet: WalletRow): Static<typeof walletOutput> {
  const { posted, held, floor } = wallet;
  return answerOf(walletOutput, { ...wallet, available: posted - held - floor });
}

const names = Type.Array(Type.String());

export const showMerchantOperation = defineOperation({
  name: 'merchant.show',
  kind: 'question',
  summary: "show a merchant's products, discounts, wallets and credentials",
  roles,
  route: 'GET /merchants/{merchant}',
  document: 'operators/merchants.md',
  input: inputOf({ merchant: merchantField }),
  output: Type.Object({
    ...merchantOutput.properties,
    products: Type.Object({ test: names, live: names }),
    /** The price list that it was assigned to, in place of its own discounts. */
    price_list: nullableText,
    discounts: Type.Array(
      Type.Object({
        product: Type.String(),
        network: Type.String(),
        /** `*`: every kind without a specific discount. */
        kind: Type.String(),
        /** In percent off the face value, such as `2.5`. */
        discount: Type.String(),
      }),
    ),
    wallets: Type.Array(walletOutput),
    credentials: Type.Integer(),
  }),
  run: async ({ sql }: Asking, { merchant: code }) => {
    const merchant = await findByCode(sql, code);
    const products = await listMerchantProducts(sql, merchant.id);
    const own = await listHeldRules(sql, ownList(merchant.code));
    const wallets = await listWallets(sql, merchant.id);
    const enabled = (environment: Environment): string[] =>
      products.filter((row) => row.environment === environment).map(({ product }) => product);
    return {
      ...merchantAnswer(merchant),
      products: { test: enabled('test'), live: enabled('live') },
      price_list: merchant.price_list,
      discounts: own.flatMap(({ product, network, kind, pricing }) =>
        pricing.by === 'off' ? [{ product, network, kind, discount: percentText(pricing.off) }] : [],
      ),
      wallets: wallets.map(walletAnswer),
      credentials: await countCredentials(sql, merchant.id),
    };
  },
});

export const showWalletsOperation = defineOperation({
  name: 'wallet.show',
  kind: 'question',
  summary: "show a merchant's wallets",
  roles,
  portal: { roles: ['viewer', 'finance', 'developer'] },
  route: 'GET /merchants/{merchant}/wallets',
  document: 'operators/merchants.md',
  input: inputOf({ merchant: merchantField, ...pageFields }),
  output: pageOf(walletOutput),
  run: async ({ sql }: Asking, { merchant: code, limit = 50, cursor }) => {
    const merchant = await findByCode(sql, code);
    const wallets = (await listWallets(sql, merchant.id)).map(walletAnswer);
    return pageOfWhole(wallets, { limit, cursor }, (row) => `${row.environment}:${row.currency}`);
  },
});
