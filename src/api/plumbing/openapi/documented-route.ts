/** A route as the document is made from it. */
import type { FastifySchema } from 'fastify';
import type { FieldNames } from '../field-names.ts';
import type { refuseInvalid } from '../refuse-invalid.ts';

/** Fastify adds HEAD by itself. */
export const documentedMethods = ['GET', 'POST', 'PATCH', 'DELETE'] as const;

export type DocumentedRoute = {
  readonly method: (typeof documentedMethods)[number];
  /** In Fastify's form: `/v1/plans/:network`. */
  readonly url: string;
  readonly schema: Omit<FastifySchema, 'response'> & {
    readonly response?: Readonly<Record<string, unknown>>;
  };
  readonly fieldNames: FieldNames;
  /** The errors of the route for input that its schema does not accept. */
  readonly refuseInvalid: typeof refuseInvalid;
  /** The route stores something under the merchant's own reference. */
  readonly creates: boolean;
  /** The route is a look-up. */
  readonly looksUp: boolean;
  /** Its answers have an ETag. */
  readonly isTagged: boolean;
};

/** Whether the route needs no credential. */
export function isOpen({ schema }: DocumentedRoute): boolean {
  return schema.security?.length === 0;
}
