/**
 * Reads the rules of a price list from CSV, as people type them: `2.5 %`, `₦290`. All errors are
 * reported together, each with its line.
 */
import { parse } from 'csv-parse/sync';
import { OperationError } from '../../core/errors.ts';
import { listWords } from '../../core/list-words.ts';
import { parseAmount, parsePercent } from '../../core/money.ts';
import { type Product, parseProduct, parseProductName, products } from '../../core/products/product.ts';
import { kindsOf } from '../../core/products/registry.ts';
import { readTyped } from '../../core/typed-number.ts';
import type { Sql } from '../../db/database.ts';
import type { PriceRule, Pricing, RulePlace } from '../../merchants/prices/price-rule.ts';
import { findPricedPlans, type PricedPlanRow } from '../catalog-store.ts';
import { findNetwork } from '../find-network.ts';

export const ruleColumns = ['product', 'network', 'kind', 'plan', 'price', 'off', 'margin', 'round'] as const;

type Cells = { readonly [Column in (typeof ruleColumns)[number]]?: string };

/** What charges can be rounded up to, in naira. */
const roundings: ReadonlyMap<string, bigint> = new Map([
  ['', 1n],
  ['none', 1n],
  ['1', 100n],
  ['5', 500n],
  ['10', 1_000n],
]);

/** A row that cannot be a rule. The message completes "line 3: …". */
class RowFault extends Error {}

/** Throws OperationError `price_rules_malformed`. */
export async function readRules(sql: Sql, text: string): Promise<PriceRule[]> {
  const rows = parseRows(text);
  const codes = rows.flatMap(({ cells }) => (isNamed(cells.plan) ? [cells.plan] : []));
  const plans = new Map((await findPricedPlans(sql, codes)).map((plan) => [plan.plan_code, plan]));
  const rules = new Map<string, PriceRule>();
  const faults: string[] = [];
  for (const { line, cells } of rows) {
    try {
      const place = await readPlace(sql, cells, plans);
      const key = JSON.stringify([place.product, place.network, place.kind, place.plan]);
      if (rules.has(key)) throw new RowFault('an earlier line has a rule for the same');
      rules.set(key, { ...place, ...readPricing(cells, plans.get(place.plan)) });
    } catch (error) {
      if (!(error instanceof RowFault || error instanceof OperationError)) throw error;
      faults.push(`line ${line}: ${error.message}`);
    }
  }
  if (rows.length === 0) faults.push('there are no rules');
  if (faults.length > 0) throw new OperationError({ code: 'price_rules_malformed', faults });
  return [...rules.values()];
}

type Row = { readonly line: number; readonly cells: Cells };

function parseRows(text: string): Row[] {
  let parsed: { readonly record: Record<string, string>; readonly info: { readonly lines: number } }[];
  try {
    // Cells that were copied from a spreadsheet are separated by tabs.
    const delimiter = [',', '\t', ';'];
    const options = { columns: true, skip_empty_lines: true, trim: true, info: true, bom: true } as const;
    parsed = parse(text, { ...options, delimiter });
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    throw new OperationError({ code: 'price_rules_malformed', faults: [fault] });
  }
  const known: readonly string[] = ruleColumns;
  const unknown = Object.keys(parsed[0]?.record ?? {}).filter((column) => !known.includes(column));
  if (unknown.length > 0) {
    const faults = unknown.map((column) => `"${column}" is not a column: use ${listWords(known, 'and')}`);
    throw new OperationError({ code: 'price_rules_malformed', faults });
  }
  return parsed.map(({ record, info }) => ({ line: info.lines, cells: record }));
}

function isNamed(cell: string | undefined): cell is string {
  return cell !== undefined && cell !== '' && cell !== '*';
}

async function readPlace(
  sql: Sql,
  { product: named, network, kind, plan }: Cells,
  plans: ReadonlyMap<string, PricedPlanRow>,
): Promise<RulePlace> {
  if (isNamed(plan)) return placeOfPlan(plans.get(plan), { named, network, plan });
  if (!isNamed(named)) {
    if (isNamed(network) || isNamed(kind)) throw new RowFault('a network or a kind needs a product');
    return { product: '*', network: '*', kind: '*', plan: '*' };
  }
  const product = requireProduct(named);
  const kinds: readonly string[] = kindsOf(product);
  if (isNamed(kind) && !kinds.includes(kind)) {
    const known = kinds.length === 0 ? 'it has none' : `use ${listWords(kinds, 'or')}`;
    throw new RowFault(`"${kind}" is not a kind of ${product}: ${known}`);
  }
  return {
    product,
    network: isNamed(network) ? await findNetwork(sql, product, network) : '*',
    kind: isNamed(kind) ? kind : '*',
    plan: '*',
  };
}

function requireProduct(named: string): Product {
  const product = parseProduct(named);
  if (product !== undefined) return product;
  throw new RowFault(
    parseProductName(named) === undefined
      ? `"${named}" is not a product: use ${listWords(products, 'or')}`
      : `${named} is sold at its quote, and cannot have rules`,
  );
}

function placeOfPlan(
  plan: PricedPlanRow | undefined,
  given: { readonly named: string | undefined; readonly network: string | undefined; readonly plan: string },
): RulePlace {
  if (plan === undefined) throw new RowFault(`"${given.plan}" is not a plan`);
  const { product, network } = plan;
  if (isNamed(given.named) && requireProduct(given.named) !== product) {
    throw new RowFault(`${given.plan} is a plan of ${product}`);
  }
  if (isNamed(given.network) && given.network.toLowerCase() !== network.toLowerCase()) {
    throw new RowFault(`${given.plan} is a plan of ${network}`);
  }
  return { product, network, kind: '*', plan: given.plan };
}

function readPricing(
  { price = '', off = '', margin = '', round = '' }: Cells,
  plan: PricedPlanRow | undefined,
): Pick<PriceRule, 'pricing' | 'roundTo'> {
  const given = [price, off, margin].filter((cell) => cell !== '');
  if (given.length !== 1) throw new RowFault('give one of price, off and margin');
  const roundTo = roundings.get(round.toLowerCase());
  if (roundTo === undefined) throw new RowFault('round must be none, 1, 5 or 10');
  if (price === '') return { pricing: readShare(off, margin), roundTo };
  const { text } = { text: undefined, ...readTyped('naira', price) };
  const amount = text === undefined ? undefined : parseAmount(text);
  if (amount === undefined) throw new RowFault('price must be naira above zero, such as 290 or 1,450.50');
  if (plan?.price == null) throw new RowFault('a price needs a plan that has one price');
  if (amount > plan.price) throw new RowFault('price must not be above the face value of the plan');
  if (roundTo > 1n) throw new RowFault('a price is not rounded');
  return { pricing: { by: 'price', price: amount }, roundTo };
}

function readShare(off: string, margin: string): Pricing {
  const { text } = { text: undefined, ...readTyped('percent', off === '' ? margin : off) };
  const share = text === undefined ? undefined : parsePercent(text);
  if (share === undefined) {
    throw new RowFault(`${off === '' ? 'margin' : 'off'} must be a percentage from 0 to 100, such as 2.5 %`);
  }
  return off === '' ? { by: 'margin', margin: share } : { by: 'off', off: share };
}
