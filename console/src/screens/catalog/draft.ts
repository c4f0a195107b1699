/** Typed changes of plans that are not applied yet. Pure. */
import type { Output } from '../../api/operations.ts';
import { readTyped } from '../../api/typed-number.ts';

export type Catalog = Output<'catalog.list'>;
export type Plan = Catalog['plans'][number];

/** The fields of a plan that can be changed in place, with the headings of their columns. */
export const priceFields = {
  price: 'Price',
  face_value: 'Face value',
  min_amount: 'Minimum',
  max_amount: 'Maximum',
  min_price: 'Lowest value',
  max_price: 'Highest value',
} as const;

export type PriceField = keyof typeof priceFields;
export type Field = PriceField | 'active';

type Edit = {
  readonly typed: string | boolean;
  /** The value in the catalog when the change was typed. */
  readonly from: unknown;
};

type PlanEdits = Readonly<Partial<Record<Field, Edit>>>;

export type Draft = {
  /** The catalog that was shown when the first change was typed. */
  readonly base: Catalog;
  /** By subject. */
  readonly edits: Readonly<Record<string, PlanEdits>>;
};

export const priceFieldsOf = ({ record }: Plan): PriceField[] =>
  (Object.keys(priceFields) as PriceField[]).filter((field) => typeof record[field] === 'string');

/** Returns the draft with one value changed. A value that equals the catalog is no change. */
export function withEdit(draft: Draft, plan: Plan, field: Field, typed: string | boolean): Draft {
  const { [plan.subject]: edits = {}, ...others } = draft.edits;
  const { [field]: before, ...rest } = edits;
  const from = before?.from ?? plan.record[field];
  const next: PlanEdits =
    readEdit(plan, typed) === plan.record[field] ? rest : { ...rest, [field]: { typed, from } };
  const isChanged = Object.keys(next).length > 0;
  return { ...draft, edits: isChanged ? { ...others, [plan.subject]: next } : others };
}

/** Returns the value as the catalog spells it. Undefined if it cannot be read. */
function readEdit(plan: Plan, typed: string | boolean): string | boolean | undefined {
  if (typeof typed === 'boolean') return typed;
  const read = readPrice(typed, plan.currency);
  return 'text' in read ? read.text : undefined;
}

/** Returns an amount above zero such as `1560.50`, or the message for an invalid text. */
export function readPrice(
  typed: string,
  currency: string,
): { readonly text: string } | { readonly fault: string } {
  const read = readTyped('amount', typed, currency);
  if ('fault' in read) return read;
  const [whole = '', fraction = ''] = read.text.split('.');
  if (!/^[0-9]+$/.test(whole) || /^0*$/.test(`${whole}${fraction}`)) {
    return { fault: 'an amount above zero such as 1,560.50' };
  }
  return { text: `${whole}.${fraction.padEnd(2, '0')}` };
}

/** Applies the changes to another state of the catalog, without those that it already has. */
export function rebase(draft: Draft, base: Catalog): Draft {
  return base.plans.reduce(
    (next, plan) =>
      Object.entries(draft.edits[plan.subject] ?? {}).reduce(
        (one, [field, { typed }]) => withEdit(one, plan, field as Field, typed),
        next,
      ),
    { ...draft, base },
  );
}

/** Counts the changed values. */
export function countEdits({ edits }: Draft): number {
  return Object.values(edits).reduce((count, fields) => count + Object.keys(fields).length, 0);
}

/** Whether a value cannot be read. */
export function hasFaults({ base, edits }: Draft): boolean {
  return base.plans.some((plan) =>
    Object.values(edits[plan.subject] ?? {}).some(({ typed }) => readEdit(plan, typed) === undefined),
  );
}

/** Returns the changed plans with their new values, in the order of the catalog. */
export function changedPlans({ base, edits }: Draft): readonly Plan[] {
  return base.plans.flatMap((plan) => {
    const fields = Object.entries(edits[plan.subject] ?? {});
    if (fields.length === 0) return [];
    const values = fields.map(([field, { typed }]) => [field, readEdit(plan, typed)]);
    return [{ ...plan, record: { ...plan.record, ...Object.fromEntries(values) } }];
  });
}

/** Writes plans as a file for the import: one line for each, from line 2. */
export function fileOf(plans: readonly Plan[]): string {
  return `[\n${plans.map(({ record }) => JSON.stringify(record)).join(',\n')}\n]`;
}

/** Returns the import's messages about the lines of `fileOf`, by subject. */
export function faultsByPlan(
  plans: readonly Plan[],
  fields: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  const found = plans.flatMap(({ subject }, place) => {
    const fault = fields.get(`content.${place + 2}`);
    return fault === undefined ? [] : [[subject, fault] as const];
  });
  return Object.fromEntries(found);
}
