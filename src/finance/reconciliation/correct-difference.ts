/** The operations that correct a difference, with the known part of their input. Pure. */
import type { Action } from '../../core/action.ts';
import type { Environment } from '../../core/environment.ts';

/** A difference in an answer. */
export type AnsweredDifference = {
  readonly party: string;
  readonly kind: string;
  readonly reference: string | null;
  readonly merchant: string | null;
  readonly purchase: string | null;
  readonly amount: string;
  readonly effect: string;
  readonly there: string;
  readonly applied: string | null;
  readonly verdict: string | null;
};

/** The longest reason of an operation. */
const REASON_LENGTH_MAX = 200;

/** Returns none if it is corrected, or if an operator must find out more first. */
export function correctionsOf(difference: AnsweredDifference, environment: Environment): Action[] {
  const { party: provider, applied, verdict, reference: order, purchase } = difference;
  if (applied !== null && verdict !== 'dismissed') return [];
  if (verdict === 'open' && order !== null) {
    return ['finding.enter', 'finding.dismiss'].map((operation) => ({
      operation,
      input: { provider, order },
    }));
  }
  // A later run reports it. Booking the charge would hide a purchase that may have been lost.
  if (verdict === 'repeated') return [];
  const ofPurchase = purchase === null ? [] : purchaseCorrections({ ...difference, purchase }, environment);
  return ofPurchase.length > 0 ? ofPurchase : moneyCorrections(difference, environment);
}

function purchaseCorrections(
  difference: AnsweredDifference & { readonly purchase: string },
  environment: Environment,
): Action[] {
  const { kind, purchase: reference, merchant, effect } = difference;
  const named = { reference, ...(merchant !== null && { merchant }), environment };
  const reason = reasonOf(difference);
  const query = { operation: 'purchase.query', input: named };
  switch (kind) {
    case 'failed_there_pending_here':
    case 'unknown_there_pending_here':
    case 'pending_here':
      return [query];
    case 'delivered_there_pending_here': {
      // Without a cost, the estimate of the route is booked.
      const cost = effect === '0.00' ? {} : { cost: effect };
      const input = { ...named, outcome: 'success', evidence: reason, ...cost };
      return [{ operation: 'purchase.settle', input }, query];
    }
    case 'failed_there_success_here':
      return ['purchase.provider_refund', 'purchase.refund'].map((operation) => ({
        operation,
        input: { ...named, reason },
      }));
    case 'cost_differs':
      return effect.startsWith('-')
        ? [{ operation: 'purchase.provider_refund', input: { ...named, amount: effect.slice(1), reason } }]
        : [];
    case 'other_recipient':
      return [{ operation: 'purchase.refund', input: { ...named, reason } }];
    case 'ledger_differs':
      return [{ operation: 'audit.run', input: {} }];
    default:
      return [];
  }
}

function moneyCorrections(difference: AnsweredDifference, environment: Environment): Action[] {
  const { kind, party: provider, reference, amount, effect, merchant } = difference;
  if (reference === null) return [];
  const reason = reasonOf(difference);
  const isLess = effect !== '0.00' && !effect.startsWith('-');
  // A difference without an effect is not in naira.
  const charge = (name: string): Action[] =>
    isLess
      ? [{ operation: 'float.charge', input: { provider, amount: effect, reference: name, reason } }]
      : [];
  const topUp = (name: string): Action[] =>
    effect.startsWith('-')
      ? [{ operation: 'float.top_up', input: { provider, amount: effect.slice(1), reference: name } }]
      : [];
  switch (kind) {
    case 'unknown_here':
    case 'delivered_there_failed_here':
      // A part of the order may be booked already.
      return charge(`order:${reference}${effect === amount ? '' : ':more'}`);
    case 'delivered_twice':
    case 'cost_differs':
      return charge(`order:${reference}:more`);
    case 'top_up_unbooked':
      return topUp(reference);
    case 'charge_unbooked':
      return charge(reference);
    case 'movement_differs':
      return [...topUp(`${reference}:more`), ...charge(`${reference}:more`)];
    case 'payment_reversed':
      // A person must enter the amount, less the fee of the deposit. After a partial correction,
      // the key contains the whole reversed amount.
      return merchant === null
        ? []
        : [
            {
              operation: 'wallet.credit',
              input: {
                merchant,
                environment,
                memo: reason,
                key: effect === amount ? reference : `${reference}:${amount}`,
              },
            },
          ];
    case 'deposit_unassigned':
      return [{ operation: 'deposit.assign', input: { deposit: reference } }];
    default:
      return [];
  }
}

function reasonOf({ party, there }: AnsweredDifference): string {
  return `${party} reports ${there}`.replace(/\p{Cc}+/gu, ' ').slice(0, REASON_LENGTH_MAX);
}
