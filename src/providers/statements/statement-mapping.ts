/**
 * How a statement file is read: which column says what, which words mean what, how times are
 * written. Each provider and bank with an export of its own has one; an operator can give another,
 * as JSON. The columns of a file are found by their names, whatever their case and order.
 */

import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { currencies } from '../../core/money.ts';
import { oneOf } from '../../core/operation-fields.ts';
import { StatementError, type StatementState, statementStates } from './statement-line.ts';
import { isTimeFormat, offsetOfZone } from './statement-time.ts';

/** Names of one column, of which a file has one: exports change their head lines over the years. */
const Names = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 20 });

/** Words of a cell, in any letter case; with a `*` at the end, how it begins. */
const Words = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 200 });

const OptionalWords = Type.Optional(Words);

const States = Type.Object(
  Object.fromEntries(statementStates.map((state) => [state, OptionalWords])) as Record<
    StatementState,
    typeof OptionalWords
  >,
  { additionalProperties: false },
);

export const StatementMapping = Type.Object(
  {
    /** Where the layout is known from, and what of it nobody has confirmed. */
    about: Type.String({ minLength: 1, maxLength: 4_000 }),
    /** Where no column says it. */
    currency: oneOf(currencies),
    columns: Type.Object(
      {
        at: Names,
        status: Names,
        /** What kind of movement it is: asked before the status. */
        kind: Type.Optional(Names),
        reference: Type.Optional(Names),
        provider_id: Type.Optional(Names),
        product: Type.Optional(Names),
        recipient: Type.Optional(Names),
        /** How a payment was made: see `channels`. */
        channel: Type.Optional(Names),
        /** Needed where there is no debit and no credit. */
        amount: Type.Optional(Names),
        /** What left our money. Where it is absent: debit, else amount and fee less commission. */
        cost: Type.Optional(Names),
        debit: Type.Optional(Names),
        credit: Type.Optional(Names),
        /** What arrived of the amount: the rest is the fee. */
        net: Type.Optional(Names),
        fee: Type.Optional(Names),
        commission: Type.Optional(Names),
        balance: Type.Optional(Names),
        currency: Type.Optional(Names),
      },
      { additionalProperties: false },
    ),
    time: Type.Object(
      {
        /** Tried in turn. `iso`, or of YYYY MM DD HH hh mm ss SSS A and MMM. */
        formats: Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { minItems: 1, maxItems: 10 }),
        /** Of times that name none: `Africa/Lagos`, `UTC` or `+01:00`. */
        zone: Type.String({ minLength: 1, maxLength: 40 }),
      },
      { additionalProperties: false },
    ),
    decimal: Type.Optional(Type.Union([Type.Literal('.'), Type.Literal(',')])),
    /** By the `kind` column, where it says one of these. */
    kinds: Type.Optional(States),
    /** By the `status` column. A word that is not here refuses the file. */
    states: States,
    /** Of payments to our accounts. A line with another word of `channel` is unrelated. */
    channels: OptionalWords,
    /** A product, or it and its network as `product:network`, for words of the product column. */
    products: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Za-z]+(?::[A-Za-z0-9_-]+)?$' }), Words)),
    /** How lines begin that are no movements: sums and remarks. */
    footers: Type.Optional(Words),
    /** How lines begin that say what there was before the first movement, and after the last. */
    opening: Type.Optional(Words),
    closing: Type.Optional(Words),
  },
  { additionalProperties: false },
);

export type StatementMapping = Static<typeof StatementMapping>;

/** A mapping that an operator wrote, as JSON. Throws StatementError with all that is wrong. */
export function parseMapping(text: string): StatementMapping {
  let given: unknown;
  try {
    given = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new StatementError([`the mapping is no JSON: ${error instanceof Error ? error.message : error}`]);
  }
  if (!Value.Check(StatementMapping, given)) {
    const faults = [...Value.Errors(StatementMapping, given)].map(
      ({ instancePath, message }) =>
        `the mapping's ${instancePath === '' ? 'content' : instancePath} ${message}`,
    );
    throw new StatementError([...new Set(faults)].slice(0, 20));
  }
  const { amount, debit, credit } = given.columns;
  const faults = [
    ...((amount ?? debit ?? credit) ? [] : ['columns need "amount", or "debit" and "credit"']),
    ...given.time.formats
      .filter((format) => !isTimeFormat(format))
      .map((one) => `time format "${one}" is not known`),
    ...(offsetOfZone(given.time.zone) === undefined ? [`time zone "${given.time.zone}" is not known`] : []),
  ];
  if (faults.length > 0) throw new StatementError(faults.map((fault) => `the mapping's ${fault}`));
  return given;
}

/**
 * The key whose words have the cell, in any letter case; a word with a `*` at its end has all that
 * begin so. A whole word counts before a beginning.
 */
export function matchWords<Key extends string>(
  cell: string,
  words: Readonly<Partial<Record<Key, readonly string[]>>>,
): Key | undefined {
  const said = tidy(cell);
  if (said === '') return undefined;
  const entries = Object.entries(words) as [Key, readonly string[]][];
  const whole = entries.find(([, list]) => list.some((word) => tidy(word) === said));
  if (whole !== undefined) return whole[0];
  return entries.find(([, list]) =>
    list.some((word) => word.endsWith('*') && said.startsWith(tidy(word.slice(0, -1)))),
  )?.[0];
}

function tidy(text: string): string {
  return text.replace(/\s+/g, ' ').trim().toLowerCase();
}
