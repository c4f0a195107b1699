/**
 * Fields that several operations have, as schemas. A field's description says what is right, as the
 * end of "<field> must be …".
 */
import { type TProperties, type TSchema, type TUnsafe, Type } from 'typebox';
import { environments } from './environment.ts';
import { listWords } from './list-words.ts';
import { currencies } from './money.ts';
import { nullable, nullableText } from './nullable.ts';
import type { Gift } from './operation.ts';
import type { TypedKind } from './typed-number.ts';

/** An input takes no property that it does not know: a misspelt one must not be passed over. */
export function inputOf<const Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}

/**
 * A page of a list, and what else is to be said of it. Both edges answer its properties as they
 * are; the output of any other operation is answered as `data`.
 */
export function pageOf<const Row extends TSchema, const More extends TProperties = Record<never, never>>(
  row: Row,
  more: More = {} as More,
) {
  return Type.Object({ data: Type.Array(row), cursor: nullableText, ...more }, { [pageMark]: true });
}

const pageMark = 'x-page';

export function isPage(output: TSchema): boolean {
  return Reflect.get(output, pageMark) === true;
}

/** One of a few words, in any letter case where it is read from a person. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  options: { readonly default?: Word; readonly description?: string } = {},
): TUnsafe<Word> {
  return Type.Unsafe<Word>(
    Type.String({ description: listWords(words, 'or'), ...options, enum: [...words] }),
  );
}

/** Without control characters, and more than spaces. */
const plainText = '^[^\\p{Cc}]*[^\\p{Cc}\\s][^\\p{Cc}]*$';

export function text(description: string, { maxLength = 100 }: { readonly maxLength?: number } = {}) {
  return Type.String({ description, minLength: 1, maxLength, pattern: plainText });
}

export const merchantField = text('the code of a merchant');
export const environmentField = oneOf(environments);
/** Without it, in both. */
export const environmentsField = Type.Optional(
  oneOf(environments, { description: 'test or live; without, both' }),
);
export const currencyField = oneOf(currencies, { default: 'NGN' });

const amountPattern = '(?:0|[1-9][0-9]{0,9})(?:\\.[0-9]{1,2})?';

/** How people may type an amount, `typed-number.ts` says; operations take it in one spelling. */
const typedAmount = { 'x-typed': 'amount' } as const satisfies { 'x-typed': TypedKind };

/** Above zero. `parseAmount` reads it. */
export const amountField = Type.String({
  ...typedAmount,
  description: 'an amount such as 5000 or 5000.50',
  pattern: `^(?=.*[1-9])${amountPattern}$`,
});

/** The same, or `none` to take away what is set. */
export const amountOrNoneField = Type.String({
  ...typedAmount,
  description: 'an amount above zero such as 5000 or 5000.50, or none',
  pattern: `^(?:(?=.*[1-9])${amountPattern}|none)$`,
});

/** With a sign or without, and zero too: `parseSignedAmount` has no answer for that. */
export const balanceField = Type.String({
  ...typedAmount,
  description: 'an amount such as 5000, 0 or -5000.50',
  pattern: `^[+-]?${amountPattern}$`,
});

/** Not zero. `parseSignedAmount` reads it. */
export const signedAmountField = Type.String({
  ...typedAmount,
  description: 'an amount such as 5000, 5000.50 or -5000',
  pattern: `^[+-]?(?=.*[1-9])${amountPattern}$`,
});

export const idField = Type.String({
  description: 'an id such as 0198c5a4-7d8e-7b3a-9c7e-1f2d3c4b5a69',
  pattern: '^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
});

/** `parseDay` reads it. */
export const dayField = Type.String({
  description: 'a day such as 2026-11-21',
  format: 'date',
  pattern: '^[12][0-9]{3}-',
});

/** `readMoment` of its operation tells a day that is none. */
export const dayOrMomentField = Type.String({
  description: 'a day such as 2026-11-21, or a moment such as 2026-11-22T10:30:00+01:00',
  pattern:
    '^[12][0-9]{3}-[0-9]{2}-[0-9]{2}(?:T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.][0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2}))?$',
});

export function momentField(meaning: string) {
  return Type.String({
    description: `a moment such as 2026-11-22T10:30:00+01:00: ${meaning}`,
    format: 'date-time',
    pattern: '^[12][0-9]{3}-',
  });
}

const tenYears = '(?:[1-9][0-9]{0,2}|[12][0-9]{3}|3[0-5][0-9]{2}|36[0-4][0-9]|3650)d';
const durationPattern = `(?:[1-9][0-9]{0,6}s|[1-9][0-9]{0,5}m|[1-9][0-9]{0,3}h|${tenYears})`;

/** Above zero, and ten years at most. `parseDuration` reads it. */
export const durationField = Type.String({
  description: 'a time such as 90s, 15m, 24h or 30d, 3650d at most',
  pattern: `^${durationPattern}$`,
});

/** How long what is replaced still works: also not at all. */
export const overlapField = Type.String({
  description: 'a time such as 15m, 24h or 0s, 3650d at most',
  pattern: `^(?:0[smhd]|${durationPattern})$`,
  default: '24h',
});

/** Why, for whoever reads the books or the audit log. */
export const reasonField = text('the reason, in 1 to 200 characters of plain text', { maxLength: 200 });

/** In every operation that moves money. Absent, each call is an act of its own. */
export const keyField = Type.Optional(
  Type.String({
    description:
      'a name of your own for this act, of 1 to 100 letters, digits and signs without spaces: ' +
      'the same key is carried out once, however often it is sent',
    pattern: '^[\\x21-\\x7e]{1,100}$',
  }),
);

export const forceField = Type.Optional(
  Type.Boolean({ description: 'true to do it although a guard refuses it', default: false }),
);

/** Of an act with `force`: a guard refused it, and it may be below cost. */
export const forcedOutput = Type.Boolean();

/** What an act that was forced gives away is not known. */
export function giftOfForced({ forced }: { readonly forced: boolean }): Gift {
  return { environment: 'live', currency: 'NGN', amount: forced ? 'any' : 0n };
}

export const pageFields = {
  limit: Type.Optional(
    Type.Integer({ description: 'a whole number from 1 to 200', minimum: 1, maximum: 200, default: 50 }),
  ),
  cursor: Type.Optional(text('the cursor of the page before', { maxLength: 500 })),
};

/** Of a list whose cursor is the id of a row. */
export const idPageFields = {
  limit: pageFields.limit,
  cursor: Type.Optional(Type.String({ ...idField, description: 'the cursor of the page before' })),
};

/** Of a list whose cursor is the number of a row. */
export const numberedPageFields = {
  limit: pageFields.limit,
  cursor: Type.Optional(
    Type.String({ description: 'the cursor of the page before', pattern: '^[0-9]{1,18}$' }),
  ),
};

/** Naira, or another currency, with two decimals. */
export const amountOutput = Type.String();
export const nullableAmount = nullable(amountOutput);
/** RFC 3339, in Lagos. */
export const timeOutput = Type.String();
export const nullableTime = nullable(timeOutput);

/** Of an act that is done in one environment or in both: where it changed something. */
export const changedEnvironments = Type.Array(
  Type.Object({ environment: environmentField, changed: Type.Boolean() }),
);
