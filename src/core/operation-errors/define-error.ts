/**
 * Defines the errors of operations: an HTTP status, and a message with placeholders for the
 * parameters of the error.
 */
import { formatLocal } from '../clock.ts';
import { listWords } from '../list-words.ts';
import { formatAmount, formatPercent } from '../money.ts';

export type Definition<Facts> = {
  readonly status: 400 | 403 | 404 | 409;
  readonly message: (facts: Facts) => string;
};

/**
 * `{name}` in a sentence takes a text or a number; `{name:kind}` takes a value that the kind
 * formats.
 */
const formats = {
  text: (value: string | number | bigint) => String(value),
  amount: formatAmount,
  /** Basis points. */
  percent: formatPercent,
  time: formatLocal,
  list: (values: readonly string[]) => values.join(', ') || 'none',
  notes: (values: readonly string[]) => values.join('; '),
  or: (values: readonly string[]) => listWords(values, 'or'),
  and: (values: readonly string[]) => listWords(values, 'and'),
};

type Kind = keyof typeof formats;

type Fact<Place extends string> = Place extends `${infer Name}:${infer Of extends Kind}`
  ? { readonly [N in Name]: Parameters<(typeof formats)[Of]>[0] }
  : { readonly [N in Place]: Parameters<(typeof formats)['text']>[0] };

type FactsIn<Sentence extends string> = Sentence extends `${string}{${infer Place}}${infer Rest}`
  ? Fact<Place> & FactsIn<Rest>
  : unknown;

/** The parameters of all members of a union of sentences. */
type FactsOfAll<Sentence extends string> = (
  Sentence extends string
    ? (facts: FactsIn<Sentence>) => void
    : never
) extends (facts: infer Facts) => void
  ? Facts
  : never;

type Define = {
  <const Sentence extends string>(...sentences: readonly Sentence[]): Definition<FactsOfAll<Sentence>>;
  /** For a message that depends on more than the placeholders of its sentences. */
  <Facts>(message: (facts: Facts) => string): Definition<Facts>;
};

function defineError(status: Definition<unknown>['status']): Define {
  return <Facts>(...given: readonly (string | ((facts: Facts) => string))[]): Definition<Facts> => {
    const [first] = given;
    if (typeof first === 'function') return { status, message: first };
    const text = given.join(' ');
    return { status, message: (facts) => fill(text, Object(facts)) };
  };
}

function fill(text: string, facts: object): string {
  return text.replaceAll(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, kind = 'text') => {
    const format: (value: never) => string = formats[kind as Kind];
    return format(Reflect.get(facts, name) as never);
  });
}

/** The request is wrong in itself, independent of stored data. */
export const invalid = defineError(400);
export const forbidden = defineError(403);
export const notFound = defineError(404);
/** The request is valid, and the current state does not allow it. */
export const conflict = defineError(409);
