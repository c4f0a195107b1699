/**
 * Previews a version of a price list: against today's costs, and against the live sales of its
 * merchants in the last 30 days. Changes nothing.
 */

import { type Static, Type } from 'typebox';
import { answerOf } from '../../../core/answer.ts';
import { OperationError } from '../../../core/errors.ts';
import { nullable } from '../../../core/nullable.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { amountOutput, inputOf, nullableAmount, pageFields, pageOf } from '../../../core/operation-fields.ts';
import { pageOfWhole } from '../../../core/page.ts';
import { kindsOf } from '../../../core/products/registry.ts';
import type { Sql } from '../../../db/database.ts';
import {
  findPriceList,
  listHeldRules,
  listRules,
  listVersions,
} from '../../../merchants/prices/price-list-store.ts';
import {
  chargeByRule,
  indexRules,
  type PricedPlace,
  type PriceRules,
  placesOf,
  ruleAt,
} from '../../../merchants/prices/price-rule.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { placeOf, referenceCost } from '../../margins/find-losses.ts';
import { readLivePrices } from '../../margins/live-prices-store.ts';
import { percentOf } from '../../margins/percent-of.ts';
import { listField } from '../price-list-answer.ts';
import { listSales, type SalesRow } from '../sales-store.ts';

const input = {
  list: listField,
  version: Type.Optional(
    Type.Integer({ description: 'a version of the list (default: the newest)', minimum: 1 }),
  ),
};

/** A percentage of the charge with one decimal. Null for a charge of zero. */
const percentOutput = nullable(Type.Number());

const priceRow = Type.Object({
  product: Type.String(),
  network: Type.String(),
  kind: Type.String(),
  /** Empty if the customer chooses the amount: the face value is then that of the last sale. */
  plan_code: Type.String(),
  face_value: amountOutput,
  /** By the version that applies now. Without one, the face value. */
  charge_now: amountOutput,
  charge: amountOutput,
  /** As expected from the last sales of the provider that may be first. */
  cost: nullableAmount,
  margin_now: nullableAmount,
  margin: nullableAmount,
  margin_percent: percentOutput,
  loses: Type.Boolean(),
});

const previewPricesOperation = defineOperation({
  name: 'price_list.preview',
  kind: 'question',
  summary: "preview what a version of a price list charges and earns, against today's costs",
  roles,
  route: 'GET /price-lists/{list}/preview',
  document: 'operators/merchants.md',
  input: inputOf({ ...input, ...pageFields }),
  output: pageOf(priceRow),
  run: async ({ sql }: Asking, { list, version, limit = 50, cursor }) => {
    const { now, next } = await readVersions(sql, list, version);
    const prices = await readLivePrices(sql);
    const costs = Map.groupBy(prices.costs, placeOf);
    const rows = prices.plans.flatMap((plan) => {
      if (plan.currency !== 'NGN') return [];
      const expected = referenceCost(prices, costs.get(placeOf(plan)), plan);
      const faceValue = plan.amount ?? expected?.amount;
      if (faceValue === undefined) return [];
      const { product, network, planKind = '', planCode } = plan;
      const [before, after] = [now, next].map((rules) => chargeOf(rules, plan, faceValue, expected?.cost));
      const compared = comparison(before ?? faceValue, after ?? faceValue, expected?.cost);
      const place = { product, network, kind: planKind, plan_code: planCode, face_value: faceValue };
      return [answerOf(priceRow, { ...place, ...compared })];
    });
    return pageOfWhole(rows, { limit, cursor }, keyOf);
  },
});

function comparison(before: bigint, after: bigint, cost: bigint | undefined) {
  const compared = { charge_now: before, charge: after, cost };
  if (cost === undefined) {
    return { ...compared, margin_now: null, margin: null, margin_percent: null, loses: false };
  }
  return {
    ...compared,
    margin_now: before - cost,
    margin: after - cost,
    margin_percent: percentOf(after - cost, after),
    loses: after < cost,
  };
}

const salesRow = Type.Object({
  product: Type.String(),
  network: Type.String(),
  kind: Type.String(),
  plan_code: Type.String(),
  purchases: Type.Integer(),
  face_value: amountOutput,
  /** The merchants' actual payments, and their payments under the preview. */
  paid: amountOutput,
  would_pay: amountOutput,
  cost: amountOutput,
  margin: amountOutput,
  would_earn: amountOutput,
  would_earn_percent: percentOutput,
  loses: Type.Boolean(),
});

const previewSalesOperation = defineOperation({
  name: 'price_list.preview_sales',
  kind: 'question',
  summary: 'preview what the merchants of a price list would have paid for the live sales of 30 days',
  roles,
  route: 'GET /price-lists/{list}/preview-sales',
  document: 'operators/merchants.md',
  input: inputOf({ ...input, ...pageFields }),
  output: pageOf(salesRow),
  run: async ({ sql }: Asking, { list, version, limit = 50, cursor }) => {
    const { next } = await readVersions(sql, list, version);
    const groups = Map.groupBy(await listSales(sql, list), (sale) => keyOf(kindOf(sale)));
    const rows = [...groups.values()].map((sales) => salesAnswer(sales.map(kindOf), next));
    return pageOfWhole(rows, { limit, cursor }, keyOf);
  },
});

type Sale = SalesRow & { readonly kind: string };

/** A purchase stores its kind only where that is not the usual one. */
function kindOf(sale: SalesRow): Sale {
  return { ...sale, kind: sale.kind ?? kindsOf(sale.product)[0] ?? '' };
}

type Keyed = {
  readonly product: string;
  readonly network: string;
  readonly kind: string;
  readonly plan_code: string;
};

function keyOf({ product, network, kind, plan_code: planCode }: Keyed): string {
  return `${product}/${network}/${kind}/${planCode}`;
}

function salesAnswer(sales: readonly Sale[], rules: PriceRules): Static<typeof salesRow> {
  const [{ product = '', network = '', kind = '', plan_code = '' } = {}] = sales;
  const place = { product, network, planKind: kind, planCode: plan_code === '' ? undefined : plan_code };
  const sum = (amountOf: (sale: Sale) => bigint): bigint =>
    sales.reduce((total, sale) => total + amountOf(sale), 0n);
  const wouldPay = sum(
    (sale) => sale.count * chargeOf(rules, place, sale.face_value, sale.cost / sale.count),
  );
  const [paid, cost] = [sum((sale) => sale.charge), sum((sale) => sale.cost)];
  return answerOf(salesRow, {
    product,
    network,
    kind,
    plan_code,
    purchases: sum((sale) => sale.count),
    face_value: sum((sale) => sale.count * sale.face_value),
    paid,
    would_pay: wouldPay,
    cost,
    margin: paid - cost,
    would_earn: wouldPay - cost,
    would_earn_percent: percentOf(wouldPay - cost, wouldPay),
    loses: wouldPay < cost,
  });
}

function chargeOf(
  rules: PriceRules,
  place: PricedPlace,
  faceValue: bigint,
  cost: bigint | undefined,
): bigint {
  const rule = ruleAt(rules, placesOf(place));
  return rule === undefined ? faceValue : chargeByRule(rule, faceValue, cost);
}

/** Reads the rules that apply now, and those of a version. */
async function readVersions(
  sql: Sql,
  list: string,
  wanted: number | undefined,
): Promise<{ readonly now: PriceRules; readonly next: PriceRules }> {
  if ((await findPriceList(sql, list)) === undefined) {
    throw new OperationError({ code: 'no_price_list', list });
  }
  const versions = await listVersions(sql, list);
  const version = wanted === undefined ? versions[0] : versions.find((one) => one.version === wanted);
  if (version === undefined) {
    throw new OperationError({ code: 'no_price_version', list, version: wanted ?? 1 });
  }
  return {
    now: indexRules(await listHeldRules(sql, list)),
    next: indexRules(await listRules(sql, [version])),
  };
}

export const previewPriceListOperations = [previewPricesOperation, previewSalesOperation] as const;
