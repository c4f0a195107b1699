/**
 * Keywords of schemas and routes that only the OpenAPI document uses. The validators ignore them,
 * so they cost a request nothing.
 */
// Loads the types that this file extends.
import type {} from 'fastify';
import type { RequestFault } from '../../../core/request-fault.ts';
import type { Refusal } from '../refusal.ts';

/** Named examples of an answer or a body. */
export type Examples = Readonly<Record<string, unknown>>;

/** A refusal by the HTTP server, under the name of its example. */
export type NamedRefusal = { readonly name: string; readonly refusal: Refusal };

declare module 'fastify' {
  interface FastifySchema {
    /** The answers of the route, where their schemas are shared and their examples are not. */
    answerExamples?: Examples;
    /** The refusals of the route, besides those of every route of its kind. */
    refusals?: readonly (RequestFault | NamedRefusal)[];
    /** Answers of the route that are not JSON, by media type. */
    otherAnswers?: Readonly<Record<string, { readonly schema: object; readonly examples: Examples }>>;
  }
}

export type Annotations = {
  /** The field is another name of this one. */
  'x-alias-of'?: string;
  /** A whole number is accepted as its digits. */
  'x-or-integer'?: boolean;
  /** The words that the schema's pattern accepts in any letter case. */
  'x-words'?: string[];
  /** The enumerated words of the schema are accepted in any letter case. */
  'x-any-case'?: boolean;
  /** For an object: at least one of these fields is required. */
  'x-any-of'?: string[];
  /** The field is a file of one of these media types. */
  'x-file-types'?: string;
  'x-examples'?: Examples;
};

/** For the validator, which does not compile a schema with unknown keywords. */
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
