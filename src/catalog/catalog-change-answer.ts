/** The output of operations that change the catalog. */
import { type Static, Type } from 'typebox';
import { forcedOutput, oneOf } from '../core/operation-fields.ts';
import type { CatalogChange, CatalogDiff } from './diff-catalog.ts';
import { type NameAccount, renameCodes } from './shown-codes.ts';

export const catalogChangeOutput = Type.Object({
  added: Type.Integer(),
  changed: Type.Integer(),
  withdrawn: Type.Integer(),
  /** The number of changes that move a price by more than a fifth. */
  steep: Type.Integer(),
  /** Things on sale of the same products that the input lacks. They stay as they are. */
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
      /** The record of an added thing. */
      after: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  ),
});

type Changed = { readonly diff: CatalogDiff; readonly applied: boolean; readonly forced: boolean };
type Options = {
  readonly apply: boolean;
  readonly force: boolean;
  readonly notes?: readonly string[];
  readonly nameOf?: NameAccount | undefined;
};

export function catalogChangeAnswer(
  { diff, applied, forced }: Changed,
  { apply, force, notes = [], nameOf }: Options,
): Static<typeof catalogChangeOutput> {
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
    notes: [...notes],
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
      ...(before === undefined && { after: { ...renameCodes(item.record, nameOf) } }),
    })),
  };
}
