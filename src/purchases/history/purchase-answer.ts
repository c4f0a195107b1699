/** A purchase with everything that is known of it, as operations return it. */

import { type Static, Type } from 'typebox';
import { choosingStrategies } from '../../catalog/measures/rank-providers.ts';
import { accountOutput, accountsOutput } from '../../core/account-names.ts';
import { answerOf } from '../../core/answer.ts';
import { formatLocal } from '../../core/clock.ts';
import { formatAmount } from '../../core/money.ts';
import { nullable, nullableText } from '../../core/nullable.ts';
import {
  amountOutput,
  environmentField,
  nullableAmount,
  nullableTime,
  oneOf,
  timeOutput,
} from '../../core/operation-fields.ts';
import { isOrderProduct } from '../../core/products/product.ts';
import { isSealed } from '../../core/products/registry.ts';
import { deliveryAnswer, deliveryOutput } from '../../notifications/messages/operations/list-deliveries.ts';
import { accountText } from '../../wallet/ledger/chart-of-accounts.ts';
import { overrideCode } from '../state/operator-word.ts';
import { choiceText } from '../state/purchase-details.ts';
import { balanceDetail, balanceEvidenceAnswer, balanceEvidenceOutput } from './balance-answer.ts';
import { outcomeWords } from './outcome-words.ts';
import { marginAnswer, marginFields, priceAnswer, priceField } from './purchase-margin.ts';
import type { PurchaseHistory } from './read-history.ts';

export const nextSteps = [
  /** A gateway process is working on it. */
  'in_hand',
  /** It waits to be sent to a provider. */
  'send',
  /** Its provider will be queried. */
  'ask',
  /** The provider will be queried for its goods. */
  'ask_for_goods',
  /** A person must add its goods. */
  'add_goods',
  /** Its goods will be sent to the customer. */
  'deliver',
] as const;

const text = Type.String();

export const purchaseOutput = Type.Object({
  id: text,
  reference: text,
  merchant: text,
  environment: environmentField,
  product: text,
  network: text,
  plan_code: nullableText,
  msisdn: text,
  face_value: amountOutput,
  charge: amountOutput,
  ...marginFields,
  /** The refunds to the merchant and from the provider. */
  refunded: amountOutput,
  cost_refunded: amountOutput,
  /** Absent for purchases that are not orders. */
  cost_price: Type.Optional(priceField),
  title: Type.Optional(nullableText),
  quantity: Type.Optional(nullable(Type.Integer())),
  unit_value: Type.Optional(nullableAmount),
  unit_currency: Type.Optional(nullableText),
  mode: text,
  credential: text,
  route: accountsOutput,
  /**
   * The version of the price list that set the charge, its rule, and the expected cost that a
   * margin was added to. Null: it costs the face value.
   */
  price_list: nullable(
    Type.Object({ list: text, version: Type.Integer(), rule: text, cost: nullableAmount }),
  ),
  /** Why the first provider of the route was chosen. Null: no strategy chose it. */
  chosen: nullable(Type.Object({ strategy: oneOf(choosingStrategies), provider: accountOutput, why: text })),
  accepted_at: timeOutput,
  status: oneOf(['success', 'failed', 'pending']),
  reason: nullableText,
  message: nullableText,
  telco_message: nullableText,
  provider: nullable(accountOutput),
  ended_at: nullableTime,
  /** The names of its goods. */
  brought: Type.Array(text),
  /** Its goods are stored sealed. `purchase.reveal_goods` opens them. */
  goods_sealed: Type.Boolean(),
  next: nullable(Type.Object({ what: oneOf(nextSteps), at: nullableTime })),
  pending: nullable(
    Type.Object({
      step: oneOf(['send', 'query']),
      due_at: nullableTime,
      owner: nullableText,
      queries: Type.Integer(),
      flagged_at: nullableTime,
    }),
  ),
  pending_fulfilments: nullable(
    Type.Object({
      owed_since: nullableTime,
      due_at: nullableTime,
      queries: nullable(Type.Integer()),
      arrived_at: nullableTime,
      goods: Type.Array(text),
    }),
  ),
  delivery: nullable(deliveryOutput),
  voucher: nullable(Type.Object({ id: text, hint: text, value: amountOutput, returned_at: nullableTime })),
  attempts: Type.Array(
    Type.Object({
      number: Type.Integer(),
      provider: accountOutput,
      reference: text,
      reason: text,
      started_at: timeOutput,
    }),
  ),
  answers: Type.Array(
    Type.Object({
      attempt: Type.Integer(),
      source: text,
      kind: text,
      code: text,
      message: text,
      provider_id: nullableText,
      latency_ms: nullable(Type.Integer()),
      at: timeOutput,
    }),
  ),
  /** The evidence of our balance at the provider about attempts that cannot be queried. */
  balance_evidence: Type.Array(balanceEvidenceOutput),
  transfers: Type.Array(
    Type.Object({ code: text, debit: text, credit: text, amount: amountOutput, created_at: timeOutput }),
  ),
  refunds: Type.Array(
    Type.Object({
      id: text,
      kind: oneOf(['merchant', 'provider']),
      amount: amountOutput,
      reason: text,
      by: text,
      principal: text,
      at: timeOutput,
    }),
  ),
  alarms: Type.Array(
    Type.Object({ id: text, kind: text, message: text, at: timeOutput, acknowledged_at: nullableTime }),
  ),
  /** The actions of operators on it. */
  audit_entries: Type.Array(
    Type.Object({
      id: text,
      at: timeOutput,
      actor: text,
      /** The customer as verified. */
      principal: nullableText,
      action: text,
      after: Type.Unknown(),
    }),
  ),
  /** The timeline in order of time, as text. */
  timeline: Type.Array(Type.Object({ at: timeOutput, what: text, detail: text })),
});

type PurchaseAnswer = Static<typeof purchaseOutput>;

export function purchaseAnswer(history: PurchaseHistory): PurchaseAnswer {
  const { purchase, outcome, delivery, voucher } = history;
  return answerOf(purchaseOutput, {
    ...purchase,
    merchant: purchase.merchant_code,
    ...soldAnswer(history),
    ...orderAnswer(purchase),
    credential: purchase.credential_id,
    price_list: priceListAnswer(purchase),
    chosen: chosenAnswer(purchase),
    accepted_at: purchase.created_at,
    status: outcome?.status ?? 'pending',
    reason: outcome?.reason,
    message: outcome && outcomeWords[outcome.reason],
    telco_message: outcome?.telco_message,
    provider: outcome?.provider,
    ended_at: outcome?.at,
    brought: outcome?.goods ?? [],
    goods_sealed: isSealed(purchase.product),
    next: nextOf(history),
    pending: history.pending,
    pending_fulfilments: history.pendingFulfilments,
    delivery: delivery && deliveryAnswer(delivery),
    voucher,
    attempts: history.attempts,
    answers: history.answers,
    balance_evidence: history.balances.map(balanceEvidenceAnswer),
    transfers: history.transfers,
    refunds: history.refunds,
    alarms: history.alarms.map((alarm) => ({ ...alarm, id: String(alarm.id) })),
    audit_entries: history.entries.map((entry) => ({ ...entry, id: String(entry.id) })),
    timeline: timelineOf(history),
  });
}

function soldAnswer({ purchase, outcome, refunds }: PurchaseHistory) {
  const sumOf = (kind: 'merchant' | 'provider'): bigint =>
    refunds.filter((refund) => refund.kind === kind).reduce((sum, { amount }) => sum + amount, 0n);
  const [refunded, costRefunded] = [sumOf('merchant'), sumOf('provider')];
  return {
    ...marginAnswer(purchase, outcome, { refunded, costRefunded }),
    refunded: formatAmount(refunded),
    cost_refunded: formatAmount(costRefunded),
  };
}

function chosenAnswer({ details, route }: PurchaseHistory['purchase']): PurchaseAnswer['chosen'] {
  const choice = details?.choice;
  if (choice === undefined) return null;
  return { strategy: choice.strategy, provider: route.split(',')[0] ?? '', why: choiceText(choice) };
}

function priceListAnswer({ details }: PurchaseHistory['purchase']): PurchaseAnswer['price_list'] {
  const priced = details?.priceList;
  if (priced === undefined) return null;
  const { list, version, rule, cost } = priced;
  return { list, version, rule, cost: cost === undefined ? null : formatAmount(BigInt(cost)) };
}

function orderAnswer({ details, product }: PurchaseHistory['purchase']): Partial<PurchaseAnswer> {
  if (!isOrderProduct(product)) return {};
  const item = details?.item;
  return {
    cost_price: priceAnswer({ details }),
    title: details?.title ?? null,
    quantity: item?.quantity ?? null,
    unit_value: item === undefined ? null : formatAmount(BigInt(item.unitPrice)),
    unit_currency: item?.currency ?? null,
  };
}

type TimelineEvent = { readonly at: Date; readonly what: string; readonly detail: string };

function timelineOf(history: PurchaseHistory): TimelineEvent[] {
  const { purchase, outcome } = history;
  const providers = new Map(history.attempts.map((attempt) => [attempt.number, attempt.provider]));
  // Sorted by cause, so that entries with the same time (one transaction) keep this order.
  const events: TimelineEvent[] = [
    {
      at: purchase.created_at,
      what: 'accepted',
      detail: `${purchase.mode}, with ${purchase.credential_id}; route ${purchase.route}`,
    },
    ...history.attempts.map((attempt) => ({
      at: attempt.started_at,
      what: `attempt ${attempt.number}`,
      detail: `${attempt.provider}, as ${attempt.reference} (${attempt.reason})`,
    })),
    ...history.answers.map((answer) => ({
      at: answer.at,
      what: `answer to ${answer.attempt}`,
      detail: answerDetail(answer, providers.get(answer.attempt)),
    })),
    ...history.balances.map((row) => ({ at: row.at, what: 'balance', detail: balanceDetail(row) })),
    ...(outcome === undefined
      ? []
      : [{ at: outcome.at, what: outcome.status, detail: outcomeDetail(outcome) }]),
    ...lateGoodsEvents(history.pendingFulfilments),
    ...history.transfers.map((transfer) => ({
      at: transfer.created_at,
      what: 'transfer',
      detail: transferDetail(transfer),
    })),
    ...history.refunds.map(({ at, kind, amount, reason, by, principal }) => ({
      at,
      what: kind === 'merchant' ? 'refund' : 'provider refund',
      detail: `${formatAmount(amount)}, by ${by} (${principal}): ${reason}`,
    })),
    ...history.alarms.map((alarm) => ({
      at: alarm.at,
      what: `alarm ${alarm.id}`,
      detail: `${alarm.kind}: ${alarm.message}${alarm.acknowledged_at === null ? '' : ` (acknowledged ${formatLocal(alarm.acknowledged_at)})`}`,
    })),
  ];
  return events.sort((one, other) => one.at.getTime() - other.at.getTime());
}

function transferDetail({ code, amount, debit, credit }: PurchaseHistory['transfers'][number]): string {
  const what = code.replaceAll('_', ' ');
  return `${what}: ${formatAmount(amount)} from ${accountText(debit)} to ${accountText(credit)}`;
}

function outcomeDetail(outcome: NonNullable<PurchaseHistory['outcome']>): string {
  const { reason, telco_message: told, goods } = outcome;
  const words = told === null ? '' : `, in the words of the network or biller "${told}"`;
  const brought = goods.length === 0 ? '' : `; brought ${goods.join(', ')}`;
  return `${reason}: ${outcomeWords[reason]}${words}${brought}`;
}

function lateGoodsEvents(late: PurchaseHistory['pendingFulfilments']): TimelineEvent[] {
  if (late?.arrived_at === null || late === undefined) return [];
  return [{ at: late.arrived_at, what: 'late goods', detail: `brought ${late.goods.join(', ')}` }];
}

function answerDetail(answer: PurchaseHistory['answers'][number], provider: string | undefined): string {
  if (answer.source === 'operator') {
    const override = answer.code === overrideCode ? " against the provider's own word, by two persons" : '';
    return `settled by hand as ${answer.kind}${override}: ${answer.message}`;
  }
  const brought = answer.source === 'purchase' ? '' : `, by ${answer.source}`;
  const upstream = answer.provider_id === null ? '' : `, their id ${answer.provider_id}`;
  const took = answer.latency_ms === null ? '' : `, after ${answer.latency_ms} ms`;
  const said = `${provider ?? 'unknown'} says ${answer.kind} (code ${answer.code}: ${answer.message})`;
  return `${said}${upstream}${brought}${took}`;
}

type NextStep = {
  readonly what: (typeof nextSteps)[number];
  /** Undefined if nothing is due: a process is working on it, or a person must act. */
  readonly at: Date | undefined;
};

/** Undefined if nothing further happens. */
export function nextOf({ pending, pendingFulfilments, delivery }: PurchaseHistory): NextStep | undefined {
  if (pending !== undefined) {
    if (pending.owner !== null) return { what: 'in_hand', at: undefined };
    return { what: pending.step === 'send' ? 'send' : 'ask', at: pending.due_at ?? undefined };
  }
  if (pendingFulfilments !== undefined && pendingFulfilments.arrived_at === null) {
    const { due_at: at } = pendingFulfilments;
    return at === null ? { what: 'add_goods', at: undefined } : { what: 'ask_for_goods', at };
  }
  if (delivery?.state === 'due') return { what: 'deliver', at: delivery.due_at ?? undefined };
  return undefined;
}
