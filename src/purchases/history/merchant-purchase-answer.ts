/**
 * A purchase and its timeline as its merchant may see it: without providers, costs, margins and the
 * operator's notes. Pure.
 */

import { type Static, Type } from 'typebox';
import { answerOf } from '../../core/answer.ts';
import { formatAmount } from '../../core/money.ts';
import { nullable, nullableText } from '../../core/nullable.ts';
import {
  amountOutput,
  environmentField,
  nullableTime,
  oneOf,
  timeOutput,
} from '../../core/operation-fields.ts';
import { isSealed } from '../../core/products/registry.ts';
import { deliveryOutput } from '../../notifications/messages/operations/list-deliveries.ts';
import type { WebhookDelivery } from '../../notifications/webhooks/endpoint.ts';
import { webhookDeliveryOutput } from '../../notifications/webhooks/endpoint-answer.ts';
import { isVisibleGoods } from '../state/visible-goods.ts';
import { outcomeWords } from './outcome-words.ts';
import type { PurchaseHistory } from './read-history.ts';

const text = Type.String();
const { channel, hint, state, tries, due_at, updated_at } = deliveryOutput.properties;

/** The request and its outcome. */
const requestOutput = Type.Object({
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
  credential: text,
  status: oneOf(['success', 'failed', 'pending']),
  reason: nullableText,
  /** The text of the network or the biller. */
  telco_message: nullableText,
  accepted_at: timeOutput,
  ended_at: nullableTime,
});

export const requestFields = requestOutput.properties;

export const purchaseOutput = Type.Object({
  ...requestFields,
  /** Null for purchases that are not orders. */
  title: nullableText,
  quantity: nullable(Type.Integer()),
  refunded: amountOutput,
  mode: text,
  message: nullableText,
  /** The names of its goods. `merchant_purchase.reveal` shows them. */
  brought: Type.Array(text),
  /** Whether it is a card, a PIN or an eSIM. */
  goods_sealed: Type.Boolean(),
  /** Since when goods that come after the outcome, such as a token, are awaited. */
  goods_owed_since: nullableTime,
  goods_arrived_at: nullableTime,
  /** The deliveries to the customer. */
  delivery: nullable(Type.Object({ channel, hint, state, tries, due_at, updated_at })),
  voucher: nullable(Type.Object({ id: text, hint: text, value: amountOutput, returned_at: nullableTime })),
  refunds: Type.Array(Type.Object({ id: text, amount: amountOutput, at: timeOutput })),
  /** The deliveries of the event of its outcome, by endpoint. */
  webhooks: Type.Array(Type.Object({ endpoint: text, ...webhookDeliveryOutput.properties })),
  /** The timeline in order of time, as text. */
  timeline: Type.Array(Type.Object({ at: timeOutput, what: text, detail: text })),
});

export function requestAnswer({ purchase, outcome }: PurchaseHistory): Static<typeof requestOutput> {
  return answerOf(requestOutput, {
    ...purchase,
    recipient: purchase.msisdn,
    amount: purchase.face_value,
    credential: purchase.credential_id,
    status: outcome?.status ?? 'pending',
    reason: outcome?.reason,
    telco_message: outcome?.telco_message,
    accepted_at: purchase.created_at,
    ended_at: outcome?.at,
  });
}

export function purchaseAnswer(
  history: PurchaseHistory,
  webhooks: readonly WebhookDelivery[],
): Static<typeof purchaseOutput> {
  const { purchase, outcome, delivery, voucher } = history;
  const refunds = refundsOf(history);
  return answerOf(purchaseOutput, {
    ...requestAnswer(history),
    title: purchase.details?.title,
    quantity: purchase.details?.item?.quantity,
    refunded: refunds.reduce((sum, { amount }) => sum + amount, 0n),
    mode: purchase.mode,
    message: outcome && outcomeWords[outcome.reason],
    ...goodsAnswer(history),
    delivery,
    voucher,
    refunds,
    webhooks: webhooks.map((sent) => ({ ...sent, endpoint: sent.endpoint_id })),
    timeline: storyOf(history),
  });
}

function refundsOf({ refunds }: PurchaseHistory): PurchaseHistory['refunds'] {
  return refunds.filter(({ kind }) => kind === 'merchant');
}

function goodsAnswer({ purchase, outcome, pendingFulfilments }: PurchaseHistory) {
  const brought = [...(outcome?.goods ?? []), ...(pendingFulfilments?.goods ?? [])].filter(isVisibleGoods);
  return {
    brought: [...new Set(brought)],
    goods_sealed: isSealed(purchase.product),
    goods_owed_since: pendingFulfilments?.owed_since,
    goods_arrived_at: pendingFulfilments?.arrived_at,
  };
}

type StoryEvent = { readonly at: Date; readonly what: string; readonly detail: string };

function storyOf(history: PurchaseHistory): StoryEvent[] {
  const { purchase, outcome, pendingFulfilments, voucher } = history;
  const events: StoryEvent[] = [
    { at: purchase.created_at, what: 'accepted', detail: `${purchase.mode}, with ${purchase.credential_id}` },
    ...(outcome === undefined
      ? []
      : [{ at: outcome.at, what: outcome.status, detail: outcomeWords[outcome.reason] }]),
    ...eventAt(pendingFulfilments?.arrived_at, 'goods', 'what was still to come has come'),
    ...eventAt(voucher?.returned_at, 'voucher', 'the voucher can be redeemed again'),
    ...refundsOf(history).map(({ at, amount }) => ({
      at,
      what: 'refund',
      detail: `${formatAmount(amount)} was given back to the wallet`,
    })),
  ];
  return events.sort((one, other) => one.at.getTime() - other.at.getTime());
}

function eventAt(at: Date | null | undefined, what: string, detail: string): StoryEvent[] {
  return at === null || at === undefined ? [] : [{ at, what, detail }];
}
