/** Lists what a merchant pays, with its discounts, for all that it may buy. */
import { type Static, Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { environments } from '../../kernel/environment.ts';
import { formatAmount } from '../../kernel/money.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import {
  amountOrNull,
  inputOf,
  merchantField,
  oneOf,
  pageFields,
  pageOf,
} from '../../kernel/operation-fields.ts';
import { textOrNull } from '../../kernel/or-null.ts';
import { pageOfWhole } from '../../kernel/page.ts';
import { findByCode } from '../../merchants/find-by-code.ts';
import { discountKey } from '../../merchants/merchant.ts';
import { listDiscounts, listMerchantProducts } from '../../merchants/merchant-store.ts';
import { vendProducts } from '../../products/product.ts';
import { loadCatalog } from '../catalog.ts';
import { type PriceRow, pricesOf } from '../price-list.ts';

const priceOutput = Type.Object({
  product: Type.String(),
  network: Type.String(),
  plan_code: textOrNull,
  name: Type.String(),
  /** Of the face value. */
  currency: Type.String(),
  /** The lowest and the highest face value; null where any is sold. */
  min: amountOrNull,
  max: amountOrNull,
  /** The discount, of the face value. */
  basis_points: Type.Integer(),
  /**
   * What the wallet pays in naira, for the lowest face value; null where that has no limit, or
   * where the currency has no rate at present.
   */
  price: amountOrNull,
});

export const listPricesOperation = defineOperation({
  name: 'price.list',
  kind: 'question',
  summary: 'list what a merchant pays, with its discounts, for all that it may buy',
  roles,
  portal: { roles: ['viewer', 'finance', 'developer'] },
  route: 'GET /merchants/{merchant}/prices',
  document: 'operators/console.md',
  input: inputOf({
    merchant: merchantField,
    product: Type.Optional(oneOf(vendProducts)),
    environment: oneOf(environments, { default: 'live' }),
    ...pageFields,
  }),
  output: pageOf(priceOutput),
  run: async ({ sql }: Asking, { merchant: code, product: wanted, environment, limit = 50, cursor }) => {
    const { id } = await findByCode(sql, code);
    const enabled = (await listMerchantProducts(sql, id))
      .filter((row) => row.environment === environment)
      .map(({ product }) => product);
    const discounts = new Map(
      (await listDiscounts(sql, id)).map((row) => [discountKey(row.product, row.network), row.basis_points]),
    );
    const discountOf = (product: string, network: string): number =>
      discounts.get(discountKey(product, network)) ?? 0;
    const terms = { catalog: await loadCatalog(sql), environment, discountOf };
    const rows = vendProducts
      .filter((product) => enabled.includes(product) && (wanted === undefined || product === wanted))
      .flatMap((product) => pricesOf(terms, product));
    return pageOfWhole(rows.map(answerOf), { limit, cursor }, placeOf);
  },
});

function answerOf({ limits, price, planCode, basisPoints, ...row }: PriceRow): Static<typeof priceOutput> {
  return {
    ...row,
    plan_code: planCode ?? null,
    min: limits === undefined ? null : formatAmount(limits.min),
    max: limits === undefined ? null : formatAmount(limits.max),
    basis_points: basisPoints,
    price: price === undefined ? null : formatAmount(price),
  };
}

function placeOf({ product, network, plan_code: planCode }: Static<typeof priceOutput>): string {
  return `${product}/${network}/${planCode ?? ''}`;
}
