/**
 * A purchase as evidence for a complaint, as its merchant may see it. Providers have numbers and no
 * names, and their codes, texts and costs are left out. Pure.
 */
import { type Static, Type } from 'typebox';
import { formatRfc3339 } from '../../core/clock.ts';
import { formatAmount } from '../../core/money.ts';
import { nullable, nullableText } from '../../core/nullable.ts';
import {
  amountOutput,
  environmentField,
  nullableTime,
  oneOf,
  timeOutput,
} from '../../core/operation-fields.ts';
import type { OutcomeReason } from '../state/outcome-reason.ts';
import { nextOf, nextSteps } from './purchase-answer.ts';
import type { PurchaseHistory } from './read-history.ts';

const text = Type.String();

/** An answer of another kind, which no version gives, is `unknown`. */
const answerKinds = ['success', 'failed', 'accepted', 'unknown', 'not_found', 'not_sent'] as const;

/** How an answer came: to the order, to a query, by a callback, or from a person. */
const answerSources = ['purchase', 'query', 'callback', 'operator', 'gateway'] as const;

const moneyEvents = ['held', 'charged', 'released', 'refunded', 'voucher_returned', 'not_taken'] as const;

export const complaintOutput = Type.Object({
  id: text,
  reference: text,
  environment: environmentField,
  product: text,
  network: text,
  plan_code: nullableText,
  recipient: text,
  amount: amountOutput,
  /** The amount that the wallet or the voucher pays. */
  charge: amountOutput,
  paid_by: oneOf(['wallet', 'voucher']),
  credential: text,
  accepted_at: timeOutput,
  status: oneOf(['success', 'failed', 'pending']),
  ended_at: nullableTime,
  reason: nullableText,
  /** The text of the network or the biller. */
  telco_message: nullableText,
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
  /** In order of time. `held` is money that is neither spent nor free. */
  money: Type.Array(Type.Object({ at: timeOutput, what: oneOf(moneyEvents), amount: amountOutput })),
  /** Null where nothing further happens. */
  next: nullable(Type.Object({ what: oneOf(nextSteps), at: nullableTime })),
  /** The operator was alerted, because it takes long. */
  is_flagged: Type.Boolean(),
});

type Complaint = Static<typeof complaintOutput>;

export function complaintAnswer(history: PurchaseHistory): Complaint {
  const { purchase, outcome, pending } = history;
  const next = nextOf(history);
  return {
    id: purchase.id,
    reference: purchase.reference,
    environment: purchase.environment,
    product: purchase.product,
    network: purchase.network,
    plan_code: purchase.plan_code,
    recipient: purchase.msisdn,
    amount: formatAmount(purchase.face_value),
    charge: formatAmount(purchase.charge),
    paid_by: history.voucher === undefined ? 'wallet' : 'voucher',
    credential: purchase.credential_id,
    accepted_at: formatRfc3339(purchase.created_at),
    status: outcome?.status ?? 'pending',
    ended_at: time(outcome?.at),
    reason: outcome?.reason ?? null,
    telco_message: outcome?.telco_message ?? null,
    attempts: attemptsOf(history),
    money: moneyOf(history),
    next: next === undefined ? null : { what: next.what, at: time(next.at) },
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

/** Reasons for which a purchase is refused before anything is held and sent. */
const refusals: ReadonlySet<string> = new Set([
  'customer_rejected',
  'amount_out_of_range',
  'not_verified',
  'insufficient_funds',
  'over_purchase_cap',
  'over_daily_cap',
] satisfies OutcomeReason[]);

function moneyOf({ purchase, outcome, refunds, voucher, attempts }: PurchaseHistory): Complaint['money'] {
  if (outcome !== undefined && attempts.length === 0 && refusals.has(outcome.reason)) {
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

function time(at: Date | null | undefined): string | null {
  return at === null || at === undefined ? null : formatRfc3339(at);
}
