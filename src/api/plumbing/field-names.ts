/** Fields that have another name on another route. */
// Loads the types that this file extends.
import type {} from 'fastify';
import type { ReadSent } from './sent-fields.ts';

export type FieldNames = {
  readonly reference: string;
  /** The other name under which the reference may be sent. */
  readonly referenceAlias?: string;
  readonly plan: string;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent: the names of purchases. */
    fieldNames?: FieldNames;
    /**
     * Requests of the route store something under the merchant's own reference. Reads the fields
     * that are compared when a request comes with a used reference.
     */
    creates?: ReadSent;
  }
}

export const purchaseFieldNames: FieldNames = {
  reference: 'request_ref',
  referenceAlias: 'client_request_id',
  plan: 'plan_code',
};
export const orderFieldNames: FieldNames = { reference: 'request_id', plan: 'plan_id' };
export const redeemFieldNames: FieldNames = { reference: 'request_id', plan: 'plan' };
