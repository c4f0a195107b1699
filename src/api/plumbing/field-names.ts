/** The names of fields that have another name on another route. */
import type { ReadSent } from './sent-fields.ts';

export type FieldNames = {
  readonly reference: string;
  /** Another name that the reference may be sent under. */
  readonly referenceAlias?: string;
  readonly plan: string;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Absent: those of purchases. */
    fieldNames?: FieldNames;
    /**
     * Requests of the route store something under the merchant's own key. It reads what is compared
     * when one comes again under the same key.
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
