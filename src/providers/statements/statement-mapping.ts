/**
 * A mapping of statement files: the names of columns, the meaning of words, and the time formats.
 * Each provider and bank with an export has a mapping; an operator can supply another as JSON.
 * Columns are found by name, in any letter case and order.
 */

import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { currencies } from '../../core/money.ts';
import { oneOf } from '../../core/operation-fields.ts';
import { StatementError, type StatementState, statementStates } from './statement-line.ts';
import { isTimeFormat, offsetOfZone, timeParts } from './statement-time.ts';

/**
 * The names of one column. Exports change their head lines over the years, so there are several.
 */
const Names = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: 20 });

/** Words of a cell, in any letter case. A `*` at the end matches any rest. */
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
    /** The source of the layout, and which parts are unconfirmed. */
    about: Type.String({ minLength: 1, maxLength: 4_000 }),
    /** The currency of files without a currency column. */
    currency: oneOf(currencies),
    columns: Type.Object(
      {
        at: Names,
        status: Names,
        /** The kind of movement, which takes precedence over the status. */
        kind: Type.Optional(Names),
        reference: Type.Optional(Names),
        provider_id: Type.Optional(Names),
        product: Type.Optional(Names),
        recipient: Type.Optional(Names),
        /** The payment channel: see `channels`. */
        channel: Type.Optional(Names),
        /** Required without debit and credit. */
        amount: Type.Optional(Names),
        /** What an order cost us. Default: debit, else amount plus fee less commission. */
        cost: Type.Optional(Names),
        debit: Type.Optional(Names),
        credit: Type.Optional(Names),
        /** The part of the amount that arrived; the rest is the fee. */
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
        /** In order of preference: `iso`, or built of YYYY MM DD HH hh mm ss SSS A MMM Z. */
        formats: Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { minItems: 1, maxItems: 10 }),
        /** The zone of times without one: `Africa/Lagos`, `UTC` or `+01:00`. */
        zone: Type.String({ minLength: 1, maxLength: 40 }),
      },
      { additionalProperties: false },
    ),
    decimal: Type.Optional(Type.Union([Type.Literal('.'), Type.Literal(',')])),
    /** The states of words in the `kind` column. */
    kinds: Type.Optional(States),
    /** The states of words in the `status` column. An unknown word refuses the file. */
    states: States,
    /** The channels of payments to our accounts. A line with another channel is unrelated. */
    channels: OptionalWords,
    /** The texts of each product, or `product:network`, in the product column. */
    products: Type.Optional(Type.Record(Type.String({ pattern: '^[A-Za-z]+(?::[A-Za-z0-9_-]+)?$' }), Words)),
    /** The beginnings of lines that are not movements: sums and remarks. */
    footers: Type.Optional(Words),
    /** The beginnings of lines with the balance before the first movement and after the last. */
    opening: Type.Optional(Words),
    closing: Type.Optional(Words),
  },
  { additionalProperties: false },
);

export type StatementMapping = Static<typeof StatementMapping>;

/** Parses a mapping that an operator wrote. Throws StatementError with all faults. */
export function parseMapping(text: string): StatementMapping {
  let given: unknown;
  try {
    given = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new StatementError([`the mapping is not JSON: ${error instanceof Error ? error.message : error}`]);
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
      .map((one) => `time format "${one}" is not known: it must be iso or consist of ${timeParts}`),
    ...(offsetOfZone(given.time.zone) === undefined ? [`time zone "${given.time.zone}" is not known`] : []),
  ];
  if (faults.length > 0) throw new StatementError(faults.map((fault) => `the mapping's ${fault}`));
  return given;
}

/**
 * Returns the key whose words match the cell, in any letter case. A whole word takes precedence
 * over a beginning with `*`.
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
