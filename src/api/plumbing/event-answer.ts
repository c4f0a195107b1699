/** Events as they are sent: the same bytes in the feed and in the body of a webhook. Pure. */
import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import { formatRfc3339 } from '../../core/clock.ts';
import { formatAmount } from '../../core/money.ts';
import { nullable } from '../../core/nullable.ts';
import {
  type EventFacts,
  type FeedEvent,
  factEventTypes,
  purchaseEventTypes,
  testType,
} from '../../notifications/events/event.ts';
import type { Purchase } from '../../purchases/state/purchase.ts';
import { statusEnvelope, statusFields } from './status-answer.ts';

/** An event, with the purchase that it is about. */
export type ToldEvent = { readonly event: FeedEvent; readonly purchase: Purchase | undefined };

export type EventBody = {
  readonly id: string;
  readonly type: FeedEvent['type'];
  readonly created_at: string;
  readonly data: Readonly<Record<string, unknown>>;
};

/** Without the goods: tokens, PINs, cards and activation codes are left out. */
export function eventBody(
  { event, purchase }: ToldEvent,
  { withGoods }: { readonly withGoods: boolean },
): EventBody {
  return {
    id: wireId(event.id),
    type: event.type,
    created_at: formatRfc3339(event.at),
    data: dataOf(event, purchase === undefined || withGoods ? purchase : { ...purchase, goods: {} }),
  };
}

/** Returns whether the purchase of the event is no longer stored. */
export function isGone({ type, purchaseId, facts }: FeedEvent, purchase: ToldEvent['purchase']): boolean {
  if (purchaseId !== undefined && purchase === undefined) return true;
  return facts === undefined && factEventTypes.some((one) => one === type);
}

/** `evt_` and the 32 digits of the id. */
export function wireId(id: string): string {
  return `evt_${id.replaceAll('-', '')}`;
}

function dataOf({ type, facts = {} }: FeedEvent, purchase: Purchase | undefined): Record<string, unknown> {
  switch (type) {
    case 'delivery.failed':
      return { ...purchaseNames(purchase), channel: facts.channel, state: facts.state, reason: facts.code };
    case 'deposit.credited':
      return {
        deposit_id: facts.deposit,
        currency: facts.currency,
        amount: amountOf(facts, 'gross'),
        fee: amountOf(facts, 'fee'),
        credited: amountOf(facts, 'credited'),
      };
    case 'wallet.low':
      return {
        currency: facts.currency,
        available: amountOf(facts, 'available'),
        threshold: amountOf(facts, 'threshold'),
      };
    case 'voucher.redeemed':
      return {
        ...purchaseNames(purchase),
        voucher_id: facts.voucher,
        hint: facts.hint,
        value: amountOf(facts, 'value'),
      };
    case 'credential.expiring':
      return { key: facts.key, label: facts.label, ends_at: timeOf(facts, 'ends_at') };
    case 'endpoint.failing':
    case 'endpoint.disabled':
      return {
        endpoint_id: facts.endpoint,
        url: facts.url,
        reason: facts.reason,
        failing_since: timeOf(facts, 'failing_since'),
      };
    case testType:
      return { message: 'This is a test event. No purchase or deposit happened.' };
    default:
      return purchase === undefined ? {} : statusEnvelope(purchase);
  }
}

function purchaseNames(purchase: Purchase | undefined): Record<string, unknown> {
  return purchase === undefined ? {} : { request_id: purchase.reference, internal_reference: purchase.id };
}

function amountOf(facts: EventFacts, name: string): string {
  return formatAmount(BigInt(facts[name] ?? 0));
}

function timeOf(facts: EventFacts, name: string): string | null {
  const at = facts[name];
  return typeof at === 'string' ? formatRfc3339(new Date(at)) : null;
}

const time = Type.String({ description: 'RFC 3339' });
const amount = Type.String({ description: 'with two decimals' });
const names = { request_id: Type.String(), internal_reference: Type.String({ format: 'uuid' }) };

function eventOf<Data extends TSchema>(types: readonly string[], title: string, data: Data) {
  return Type.Object(
    {
      id: Type.String({ description: 'the same in every delivery', pattern: '^evt_[0-9a-f]{32}$' }),
      type: Type.Unsafe<string>(Type.String({ enum: [...types] })),
      created_at: time,
      data,
    },
    { title },
  );
}

function exactly<const Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object(properties);
}

/** Each type of event with its data, for the OpenAPI document. */
export const eventSchema = Type.Union(
  [
    eventOf(
      purchaseEventTypes,
      'PurchaseEvent',
      Type.Object(statusFields, {
        description: 'the status answer of the purchase, without goods such as tokens, PINs and cards',
      }),
    ),
    eventOf(
      ['delivery.failed'],
      'DeliveryEvent',
      exactly({
        ...names,
        channel: Type.String(),
        state: Type.String({ description: 'refused, given_up, or unknown: it may have arrived' }),
        reason: Type.String(),
      }),
    ),
    eventOf(
      ['deposit.credited'],
      'DepositEvent',
      exactly({
        deposit_id: Type.String({ format: 'uuid' }),
        currency: Type.String(),
        amount,
        fee: amount,
        credited: amount,
      }),
    ),
    eventOf(
      ['wallet.low'],
      'WalletEvent',
      exactly({ currency: Type.String(), available: amount, threshold: amount }),
    ),
    eventOf(
      ['voucher.redeemed'],
      'VoucherEvent',
      exactly({ ...names, voucher_id: Type.String({ format: 'uuid' }), hint: Type.String(), value: amount }),
    ),
    eventOf(
      ['credential.expiring'],
      'CredentialEvent',
      exactly({ key: Type.String(), label: Type.String(), ends_at: time }),
    ),
    eventOf(
      ['endpoint.failing', 'endpoint.disabled'],
      'EndpointEvent',
      exactly({
        endpoint_id: Type.String({ format: 'uuid' }),
        url: Type.String(),
        reason: Type.String({ description: 'gone, failing, or the reason that was entered' }),
        failing_since: nullable(time),
      }),
    ),
  ],
  { title: 'Event' },
);
