/** For callers that prefer an error to looking at the outcome. */
import { InsufficientFundsError, NotFinalError, PurchaseFailedError } from './errors.ts';
import type { FailureReason } from './generated/api.ts';

type Purchase = {
  readonly request_id: string;
  readonly internal_reference: string;
  readonly reason?: FailureReason;
};

type Created = {
  readonly status: 'success' | 'failed' | 'pending';
  readonly response_message: string;
  readonly data: Purchase;
};

type Asked = {
  readonly state: 'success' | 'failed' | 'pending';
  readonly message: string;
  readonly payload: Purchase;
};

/**
 * Returns the answer of a purchase, an order or a status if it is a success. Throws `NotFinalError`
 * while it is pending, and `PurchaseFailedError` if it failed (`InsufficientFundsError` if the
 * wallet could not pay).
 */
export function expectSuccess<Answer extends Created | Asked>(answer: Answer): Answer {
  const told: Created | Asked = answer;
  const { outcome, message, purchase } =
    'status' in told
      ? { outcome: told.status, message: told.response_message, purchase: told.data }
      : { outcome: told.state, message: told.message, purchase: told.payload };
  const { request_id: reference, internal_reference, reason } = purchase;
  if (outcome === 'success') return answer;
  if (outcome === 'pending') {
    throw new NotFinalError('The purchase is pending: query its status again', { reference });
  }
  const facts = {
    reference,
    reason,
    purchase: { request_id: reference, internal_reference, status: outcome },
  };
  if (reason === 'insufficient_funds') throw new InsufficientFundsError(message, facts);
  throw new PurchaseFailedError(message, facts);
}
