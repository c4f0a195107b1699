/**
 * Fields that several operations have, as schemas. A field's description states a valid value, as
 * the end of "<field> must be …".
 */
import { type TProperties, type TSchema, type TString, type TUnsafe, Type } from 'typebox';
import { environments } from './environment.ts';
import { listWords } from './list-words.ts';
import { currencies } from './money.ts';
import { nullable, nullableText } from './nullable.ts';
import type { Gift } from './operation.ts';
import type { TypedKind } from './typed-number.ts';

/** Defines an input. Unknown properties are refused, so that a misspelt one is not ignored. */
export function inputOf<const Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: false });
}

/**
 * Defines a page of a list, with further properties. Both interfaces return its properties
 * unchanged; the output of any other operation is returned as `data`.
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

/** One of a few words. Any letter case is accepted from people. */
export function oneOf<const Word extends string>(
  words: readonly Word[],
  options: { readonly default?: Word; readonly description?: string } = {},
): TUnsafe<Word> {
  return Type.Unsafe<Word>(
    Type.String({ description: listWords(words, 'or'), ...options, enum: [...words] }),
  );
}

/**
 * Without control characters, and not blank. The first part has no character of the second, because
 * errors are collected over texts of any length: otherwise each would be read once per character.
 */
const plainText = '^(?:(?!\\p{Cc})\\s)*[^\\p{Cc}\\s][^\\p{Cc}]*$';

export function text(description: string, { maxLength = 100 }: { readonly maxLength?: number } = {}) {
  return Type.String({ description, minLength: 1, maxLength, pattern: plainText });
}

export const merchantField = text('the code of a merchant');
export const environmentField = oneOf(environments);
/** Absent: both environments. */
export const environmentsField = Type.Optional(
  oneOf(environments, { description: 'test or live (default: both)' }),
);
export const currencyField = oneOf(currencies, { default: 'NGN' });

const amountPattern = '(?:0|[1-9][0-9]{0,9})(?:\\.[0-9]{1,2})?';

/** `typed-number.ts` reads the spellings that people use; operations take one spelling. */
const typedAmount = { 'x-typed': 'amount' } as const satisfies { 'x-typed': TypedKind };

/** Above zero. `parseAmount` reads it. */
export const amountField = Type.String({
  ...typedAmount,
  description: 'an amount such as 5000 or 5000.50',
  pattern: `^(?=.*[1-9])${amountPattern}$`,
});

/** The same, or `none` to remove the current value. */
export const amountOrNoneField = Type.String({
  ...typedAmount,
  description: 'an amount above zero such as 5000 or 5000.50, or none',
  pattern: `^(?:(?=.*[1-9])${amountPattern}|none)$`,
});

/** An amount with an optional sign, or zero, which `parseSignedAmount` does not read. */
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

/** `parsePercent` reads it. */
export function percentField(meaning: string) {
  return Type.String({
    'x-typed': 'percent' satisfies TypedKind,
    description: `a percentage from 0 to 100 with at most two decimals, such as 2.5, ${meaning}`,
    pattern: '^(?:(?:0|[1-9][0-9]?)(?:\\.[0-9]{1,2})?|100(?:\\.0{1,2})?)$',
  });
}

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

/** The operation's `readMoment` refuses an invalid day. */
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

/** How long the replaced value still works, from not at all. */
export const overlapField = Type.String({
  description: 'a time such as 15m, 24h or 0s, 3650d at most',
  pattern: `^(?:0[smhd]|${durationPattern})$`,
  default: '24h',
});

/** The reason, for readers of the books and the audit log. */
export const reasonField = text('the reason, in 1 to 200 characters of plain text', { maxLength: 200 });

/** The idempotency key of every operation that moves money. Absent: each call is carried out. */
export const keyField = Type.Optional(
  Type.String({
    description:
      'your own key for this operation, of 1 to 100 letters, digits and signs without spaces: ' +
      'the same key takes effect once, however often it is sent',
    pattern: '^[\\x21-\\x7e]{1,100}$',
  }),
);

export const forceField = Type.Optional(
  Type.Boolean({ description: 'true to override a guard that refuses it', default: false }),
);

/** Whether `force` overrode a guard: the change may be below cost. */
export const forcedOutput = Type.Boolean();

/** Returns an unknown gift for an operation that overrode a guard. */
export function giftOfForced({ forced }: { readonly forced: boolean }): Gift {
  return { environment: 'live', currency: 'NGN', amount: forced ? 'any' : 0n };
}

export const pageFields = {
  limit: Type.Optional(
    Type.Integer({ description: 'a whole number from 1 to 200', minimum: 1, maximum: 200, default: 50 }),
  ),
  cursor: Type.Optional(text('the cursor of the previous page', { maxLength: 500 })),
};

/** For a list whose cursor is the id of a row. */
export const idPageFields = {
  limit: pageFields.limit,
  cursor: Type.Optional(Type.String({ ...idField, description: 'the cursor of the previous page' })),
};

/** For a list whose cursor is the number of a row. */
export const numberedPageFields = {
  limit: pageFields.limit,
  cursor: Type.Optional(
    Type.String({ description: 'the cursor of the previous page', pattern: '^[0-9]{1,18}$' }),
  ),
};

/** Naira, or another currency, with two decimals. */
export type AmountOutput = TString & { readonly '~written': 'amount' };
export const amountOutput = Type.String() as AmountOutput;
export const nullableAmount = nullable(amountOutput);
/** RFC 3339, in Lagos. */
export type TimeOutput = TString & { readonly '~written': 'time' };
export const timeOutput = Type.String() as TimeOutput;
export const nullableTime = nullable(timeOutput);

/** The output of an operation on one environment or both: where it changed something. */
export const changedEnvironments = Type.Array(
  Type.Object({ environment: environmentField, changed: Type.Boolean() }),
);
