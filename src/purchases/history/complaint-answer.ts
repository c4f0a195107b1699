/**
 * A purchase as evidence for a complaint, as its merchant may see it. Providers are numbered
 * instead of named, and their codes, texts and costs are left out. Pure.
 */
import { type Static, Type } from 'typebox';
import { formatNullable, formatRfc3339 } from '../../core/clock.ts';
import { formatAmount } from '../../core/money.ts';
import { nullable } from '../../core/nullable.ts';
import { amountOutput, nullableTime, oneOf, timeOutput } from '../../core/operation-fields.ts';
import { wasHeld } from '../state/outcome-reason.ts';
import { requestAnswer, requestFields } from './merchant-purchase-answer.ts';
import { nextOf, nextSteps } from './purchase-answer.ts';
import type { PurchaseHistory } from './read-history.ts';

/** An answer of a kind that no version writes is `unknown`. */
const answerKinds = ['success', 'failed', 'accepted', 'unknown', 'not_found', 'not_sent'] as const;

/** The source of an answer: the order, a query, a callback, or a person. */
const answerSources = ['purchase', 'query', 'callback', 'operator', 'gateway'] as const;

const moneyEvents = ['held', 'charged', 'released', 'refunded', 'voucher_returned', 'not_taken'] as const;

export const complaintOutput = Type.Object({
  ...requestFields,
  paid_by: oneOf(['wallet', 'voucher']),
  attempts: Type.Array(
    Type.Object({
      number: Type.Integer(),
      /** The same number is the same provider. */
      provider: Type.Integer(),
      at: timeOutput,
      answers: Type.Array(
        Type.Object({ at: timeOutput, source: oneOf(answerSources), answer: oneOf(answerKinds) }),
      ),
    }),
  ),
  /** In order of time. `held` is money that is neither spent nor available. */
  money: Type.Array(Type.Object({ at: timeOutput, what: oneOf(moneyEvents), amount: amountOutput })),
  /** Null if nothing further happens. */
  next: nullable(Type.Object({ what: oneOf(nextSteps), at: nullableTime })),
  /** The operator was alerted, because it takes long. */
  is_flagged: Type.Boolean(),
});

type Complaint = Static<typeof complaintOutput>;

export function complaintAnswer(history: PurchaseHistory): Complaint {
  const { pending } = history;
  const next = nextOf(history);
  return {
    ...requestAnswer(history),
    paid_by: history.voucher === undefined ? 'wallet' : 'voucher',
    attempts: attemptsOf(history),
    money: moneyOf(history),
    next: next === undefined ? null : { what: next.what, at: formatNullable(next.at) },
    is_flagged: pending !== undefined && pending.flagged_at !== null,
  };
}

function attemptsOf({ attempts, answers }: PurchaseHistory): Complaint['attempts'] {
  const providers = [...new Set(attempts.map(({ provider }) => provider))];
  return attempts.map(({ number, provider, started_at: at }) => ({
    number,
    provider: providers.indexOf(provider) + 1,
    at: formatRfc3339(at),
    answers: answers
      .filter(({ attempt }) => attempt === number)
      .map((answer) => ({
        at: formatRfc3339(answer.at),
        source: answerSources.find((source) => source === answer.source) ?? 'gateway',
        answer: answerKinds.find((kind) => kind === answer.kind) ?? 'unknown',
      })),
  }));
}

function moneyOf({ purchase, outcome, refunds, voucher }: PurchaseHistory): Complaint['money'] {
  if (outcome !== undefined && !wasHeld(outcome.reason)) {
    return [{ at: formatRfc3339(outcome.at), what: 'not_taken', amount: formatAmount(0n) }];
  }
  const event = (at: Date, what: Complaint['money'][number]['what'], amount: bigint) => ({
    at,
    what,
    amount,
  });
  const { charge, created_at: acceptedAt } = purchase;
  const events = [
    event(acceptedAt, 'held', charge),
    ...(outcome === undefined
      ? []
      : [event(outcome.at, outcome.status === 'success' ? 'charged' : 'released', charge)]),
    ...refunds
      .filter(({ kind }) => kind === 'merchant')
      .map(({ at, amount }) => event(at, 'refunded', amount)),
    ...(voucher?.returned_at ? [event(voucher.returned_at, 'voucher_returned', voucher.value)] : []),
  ];
  return events
    .sort((one, other) => one.at.getTime() - other.at.getTime())
    .map(({ at, what, amount }) => ({ at: formatRfc3339(at), what, amount: formatAmount(amount) }));
}
