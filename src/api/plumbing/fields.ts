/**
 * Schemas of request fields that several routes have. The description of a field completes the
 * sentence "<field> must be …", so the same words document the field and refuse a wrong value.
 */
import { type TUnsafe, Type } from 'typebox';
import { anyCasePattern } from './any-case.ts';
import { type Format, mobileNetworkList } from './formats.ts';
import type { Annotations } from './openapi/annotations.ts';

export type TextOptions = Annotations & {
  readonly format: Format;
  readonly maxLength?: number;
  readonly examples?: string[];
};

export function text(description: string, { maxLength = 100, ...options }: TextOptions) {
  return Type.String({ description, minLength: 1, maxLength, ...options });
}

export const cleanText = 'without control characters or spaces around it';

/** A list of words as a JSON Schema that states their type. */
export function words<const Word extends string>(
  list: readonly Word[],
  options: Annotations & { title?: string; description?: string } = {},
): TUnsafe<Word> {
  return Type.Unsafe<Word>(Type.String({ enum: [...list], ...options }));
}

/** The message of the refusal: `the body must be a JSON object`. */
export const bodyOptions = { description: 'a JSON object' };

export const mobileNetwork = text(`one of ${mobileNetworkList}, as a string in any letter case`, {
  format: 'mobile-network',
  examples: ['mtn'],
});

/** The catalog has the networks, so the routes look them up. */
export function billNetwork(what: string, example: string) {
  return text(what, { format: 'clean-text', examples: [example] });
}

export const pageSizeMax = 100;

export function wholeNumber(to: number, fallback: number) {
  return Type.Optional(
    Type.Integer({
      description: `a whole number from 1 to ${to}, in digits`,
      minimum: 1,
      maximum: to,
      default: fallback,
    }),
  );
}

/** The merchant's reference of an order. */
export function requestId(maxLength: number, example: string) {
  return text(`your own unique key for this order, a string of 1 to ${maxLength} characters ${cleanText}`, {
    format: 'clean-text',
    maxLength,
    examples: [example],
  });
}

const SEARCHED_MAX = 100;

/** The text to search for. Empty means none. */
export function searched(what: string) {
  return Type.Optional(
    Type.String({
      description: `${what}, at most ${SEARCHED_MAX} characters`,
      format: 'clean-text',
      maxLength: SEARCHED_MAX,
    }),
  );
}

/** A word of a list, in any letter case. */
export function anyCase(list: readonly string[], description: string) {
  return Type.Optional(Type.String({ description, pattern: anyCasePattern(list), 'x-words': [...list] }));
}
