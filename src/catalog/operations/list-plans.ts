/** Lists the plans of a product with their prices, costs and margins, to change them. */
import { Type } from 'typebox';
import { nullable } from '../../core/nullable.ts';
import { defineOperation, roles } from '../../core/operation.ts';
import { inputOf, nullableAmount, oneOf } from '../../core/operation-fields.ts';
import { planProducts } from '../../core/products/product.ts';
import type { Asking } from '../../oversight/log/acting.ts';
import { marginPercent } from '../catalog-change-answer.ts';
import { findCatalogVersion } from '../catalog-change-store.ts';
import type { CatalogRecord } from '../catalog-item.ts';
import { listCatalogItems } from '../list-catalog-items.ts';
import { listFaceValueSales } from '../margins/find-losses.ts';
import { readLivePrices } from '../margins/live-prices-store.ts';
import { planKey, pricedItem } from '../priced-item.ts';
import { type NamingAccounts, renameCodes } from '../shown-codes.ts';

const planOutput = Type.Object({
  /** Its code or id, as in the history. */
  subject: Type.String(),
  name: Type.String(),
  /** The network or biller, the brand of a card, or the region of an eSIM. */
  network: Type.String(),
  currency: Type.String(),
  /** Null if the customer chooses the amount. */
  price: nullableAmount,
  /** In naira, at the provider that would serve it in live. Null while unknown. */
  cost: nullableAmount,
  /** A percentage of the face value with one decimal. */
  margin_percent: nullable(Type.Number()),
  active: Type.Boolean(),
  /** In the format of the import. */
  record: Type.Record(Type.String(), Type.Unknown()),
});

export const listPlansOperation = defineOperation({
  name: 'catalog.list',
  kind: 'question',
  summary: 'list the plans of a product, including withdrawn ones, with price, cost and margin',
  roles,
  route: 'GET /catalog/{product}/plans',
  document: 'operators/catalog.md',
  input: inputOf({ product: oneOf(planProducts) }),
  output: Type.Object({
    product: oneOf(planProducts),
    /** For an import that must not overwrite later changes. */
    version: Type.String(),
    plans: Type.Array(planOutput),
  }),
  run: async ({ sql, accounts }: Asking & NamingAccounts, { product }) => {
    // Before the plans, so that a change between the two is refused and not overwritten.
    const version = await findCatalogVersion(sql);
    const items = await listCatalogItems(sql, product);
    const live = listFaceValueSales(await readLivePrices(sql));
    const sales = new Map(live.map((sale) => [planKey(sale), sale]));
    const plans = items.map((item) => {
      const plan = pricedItem(item);
      const sale = plan && sales.get(planKey(plan));
      return {
        subject: item.key,
        ...named(item.record),
        cost: sale?.cost,
        margin_percent: marginPercent(sale),
        active: item.item.active,
        record: { ...renameCodes(item.record, accounts?.nameOf) },
      };
    });
    return { product, version: String(version), plans };
  },
});

function named({ name, title, network, brand, region, currency = 'NGN', price, face_value }: CatalogRecord) {
  const amount = price ?? face_value;
  return {
    name: String(name ?? title),
    network: String(network ?? brand ?? region),
    currency: String(currency),
    price: amount === undefined ? null : String(amount),
  };
}
