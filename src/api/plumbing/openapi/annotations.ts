/**
 * What schemas and routes say for the OpenAPI document alone. The validators know these names and
 * pass over them: they cost a request nothing.
 */
import type { RequestFault } from '../../../core/request-fault.ts';
import type { Refusal } from '../refusal.ts';

/** Of an answer or a body: what it can look like, by name. */
export type Examples = Readonly<Record<string, unknown>>;

/** A refusal of the edge itself, by the name that its example has. */
export type NamedRefusal = { readonly name: string; readonly refusal: Refusal };

declare module 'fastify' {
  interface FastifySchema {
    /** What the route answers, where its answers' schemas are shared and their examples are not. */
    answerExamples?: Examples;
    /** What the route refuses, besides what every route of its kind does. */
    refusals?: readonly (RequestFault | NamedRefusal)[];
    /** Answers of the route that are no JSON, by media type. */
    otherAnswers?: Readonly<Record<string, { readonly schema: object; readonly examples: Examples }>>;
  }
}

export type Annotations = {
  /** The field is another name of this one. */
  'x-alias-of'?: string;
  /** A whole number is taken for its digits. */
  'x-or-integer'?: boolean;
  /** The words that the schema's pattern takes in any letter case. */
  'x-words'?: string[];
  /** The words of the schema are taken in any letter case. */
  'x-any-case'?: boolean;
  /** Of an object: one of these fields at least. */
  'x-any-of'?: string[];
  /** The field is a file, of one of these media types. */
  'x-file-types'?: string;
  'x-examples'?: Examples;
};

/** For the validator, which refuses to compile a schema with names that it does not know. */
export const annotationNames = [
  'x-alias-of',
  'x-or-integer',
  'x-words',
  'x-any-case',
  'x-any-of',
  'x-file-types',
  'x-examples',
] as const satisfies readonly (keyof Annotations)[];

export function shown(name: string, refusal: Refusal): NamedRefusal {
  return { name, refusal };
}
