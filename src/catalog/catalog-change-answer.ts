/** The output of operations that change the catalog. */
import { Type } from 'typebox';
import { accountOutput } from '../core/account-names.ts';
import { nullable, nullableText } from '../core/nullable.ts';
import { amountOutput, forcedOutput, nullableAmount, oneOf } from '../core/operation-fields.ts';
import type { CatalogItem } from './catalog-item.ts';
import type { CatalogChange, CatalogDiff } from './diff-catalog.ts';
import type { PricedSale, PriceEffect } from './margins/find-losses.ts';
import { percentOf } from './margins/percent-of.ts';
import { planKey, pricedItem } from './priced-item.ts';
import { type NameAccount, renameCodes } from './shown-codes.ts';

const lossOutput = Type.Object({
  /** A merchant, or a price list with its version. Null: each merchant that pays the face value. */
  buyer: nullableText,
  provider: accountOutput,
  charge: amountOutput,
  cost: amountOutput,
});

export const catalogChangeOutput = Type.Object({
  added: Type.Integer(),
  changed: Type.Integer(),
  withdrawn: Type.Integer(),
  /** The number of changes that move a price by more than a fifth. */
  steep: Type.Integer(),
  /** Items on sale of the same products that the input lacks. They are unchanged. */
  missing: Type.Array(Type.Object({ product: Type.String(), subject: Type.String() })),
  applied: Type.Boolean(),
  /** Whether the change was refused because prices move too much without `force`. */
  refused: Type.Boolean(),
  forced: forcedOutput,
  notes: Type.Array(Type.String()),
  changes: Type.Array(
    Type.Object({
      change: oneOf(['added', 'changed', 'withdrawn']),
      product: Type.String(),
      subject: Type.String(),
      name: Type.String(),
      steep: Type.Boolean(),
      fields: Type.Array(
        Type.Object({
          field: Type.String(),
          before: Type.Optional(Type.Unknown()),
          after: Type.Optional(Type.Unknown()),
        }),
      ),
      /**
       * In naira, at the provider that would serve it, or otherwise as the compared list states it.
       * Null: unknown, or the price is unchanged.
       */
      cost: nullableAmount,
      /** A percentage of the face value with one decimal. */
      margin_percent_before: nullable(Type.Number()),
      margin_percent: nullable(Type.Number()),
      /** Sales below cost that the change would bring, worst first. */
      losses: Type.Array(lossOutput),
      /** The record of an added thing. */
      after: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  ),
});

type Changed = {
  readonly diff: CatalogDiff;
  readonly applied: boolean;
  readonly forced: boolean;
  readonly effects: ReadonlyMap<string, PriceEffect>;
};
type Options = {
  readonly apply: boolean;
  readonly force: boolean;
  readonly notes?: readonly string[];
  readonly nameOf?: NameAccount | undefined;
  /** In kobo, by plan code, as a list states them. */
  readonly costs?: ReadonlyMap<string, bigint>;
};

export function catalogChangeAnswer(
  { diff, applied, forced, effects }: Changed,
  { apply, force, notes = [], nameOf, costs = new Map() }: Options,
) {
  const { changes, missing } = diff;
  const steep = changes.filter((change) => change.steep).length;
  const count = (what: CatalogChange['change']): number =>
    changes.filter(({ change }) => change === what).length;
  return {
    added: count('added'),
    changed: count('changed'),
    withdrawn: count('withdrawn'),
    steep,
    missing: missing.map(({ key, record }) => ({ product: String(record.product), subject: key })),
    applied,
    refused: apply && !applied && steep > 0 && !force,
    forced,
    notes,
    changes: changes.map(({ change, key, item, before, fields, steep: moved }) => ({
      change,
      product: String(item.record.product),
      subject: key,
      name: String(item.record.title ?? item.record.name),
      steep: moved,
      fields: fields.map(({ field, before: from, after: to }) => ({
        field,
        before: renameCodes({ [field]: from }, nameOf)[field],
        after: renameCodes({ [field]: to }, nameOf)[field],
      })),
      ...effectAnswer(item, effects, before === undefined ? costs.get(key) : undefined),
      ...(before === undefined && { after: { ...renameCodes(item.record, nameOf) } }),
    })),
  };
}

function effectAnswer(
  item: CatalogItem,
  effects: ReadonlyMap<string, PriceEffect>,
  listedCost: bigint | undefined,
) {
  const plan = pricedItem(item);
  const effect = plan && effects.get(planKey(plan));
  return {
    cost: effect?.after?.cost ?? listedCost,
    margin_percent_before: marginPercent(effect?.before),
    margin_percent: marginPercent(effect?.after),
    losses: effect?.losses ?? [],
  };
}

/** Returns the remaining part of the charge, in percent. Null while no cost is known. */
export function marginPercent(sale: Pick<PricedSale, 'charge' | 'cost'> | undefined): number | null {
  return sale === undefined ? null : percentOf(sale.charge - sale.cost, sale.charge);
}
