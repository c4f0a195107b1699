/** A route as the document is made from it. */
import type { FastifySchema } from 'fastify';
import type { FieldNames } from '../fault-words.ts';
import type { refuseInvalid } from '../refuse-invalid.ts';

export type DocumentedRoute = {
  readonly method: 'GET' | 'POST';
  /** As Fastify has it: `/v1/plans/:network`. */
  readonly url: string;
  readonly schema: Omit<FastifySchema, 'response'> & {
    readonly response?: Readonly<Record<string, unknown>>;
  };
  readonly fieldNames: FieldNames;
  /** How it refuses what its schema does not take. */
  readonly refuseInvalid: typeof refuseInvalid;
  /** It stores something under the merchant's own key. */
  readonly creates: boolean;
  /** Its answers have an ETag. */
  readonly isTagged: boolean;
};

/** Whether the route can be called without a credential. */
export function isOpen({ schema }: DocumentedRoute): boolean {
  return schema.security?.length === 0;
}
