/** Prints a purchase and its timeline for people. */
import type { Static } from 'typebox';
import type { purchaseOutput } from '../purchases/history/purchase-answer.ts';
import { momentText, optional, timeText } from './format.ts';
import { pairs, table } from './output.ts';

type Purchase = Static<typeof purchaseOutput>;

type Pair = readonly [name: string, value: string];

export function purchaseText(purchase: Purchase): string {
  const { next, pending_fulfilments: late, delivery, voucher } = purchase;
  const naira = (amount: string): string => `${amount} NGN`;
  return [
    pairs([
      ['Purchase', purchase.id],
      ['Reference', purchase.reference],
      ['Merchant', `${purchase.merchant} (${purchase.environment})`],
      ['Product', productText(purchase)],
      ...orderPairs(purchase),
      ['Recipient', purchase.msisdn],
      ['Face value', naira(purchase.face_value)],
      ['Charge', naira(purchase.charge)],
      ...pairOf('Price list', purchase.price_list, ({ list, version }) => `${list}, version ${version}`),
      ...pairOf('Voucher', voucher, voucherText),
      ['Cost', costText(purchase)],
      ...(purchase.refunds.length === 0 ? [] : refundPairs(purchase, naira)),
      ...pairOf('Chosen', purchase.chosen, chosenText),
      ...pairOf('Margin', purchase.margin, naira),
      ['Status', statusText(purchase)],
      ...pairOf('Next', next, nextText),
      ...pairOf('Pending goods', late, pendingGoodsText),
      ...pairOf('Delivery', delivery, deliveryText),
      ...(purchase.goods_sealed ? [['Goods', goodsText(purchase)] as const] : []),
    ]),
    '',
    table(
      purchase.timeline,
      [
        { title: 'AT', of: (event) => momentText(event.at) },
        { title: 'WHAT', of: (event) => event.what },
        { title: 'DETAIL', of: (event) => event.detail },
      ],
      '',
    ),
  ].join('\n');
}

function chosenText({ strategy, provider, why }: NonNullable<Purchase['chosen']>): string {
  return `${provider}: ${why} (${strategy})`;
}

function refundPairs(purchase: Purchase, naira: (amount: string) => string): Pair[] {
  return [
    ['Refunded', naira(purchase.refunded)],
    ['Cost refunded', naira(purchase.cost_refunded)],
  ];
}

function pairOf<T>(name: string, value: T | null, text: (value: T) => string): Pair[] {
  return value === null ? [] : [[name, text(value)]];
}

/** Names the product once for an order, whose network equals its product. */
function productText({ product, network, plan_code: plan }: Purchase): string {
  return [product, network === product ? null : network, plan].filter((part) => part !== null).join(' ');
}

function orderPairs({ title, quantity, unit_value: value, unit_currency: currency }: Purchase): Pair[] {
  if (title === undefined) return [];
  return [
    ['Title', title ?? '-'],
    ['Quantity', optional(quantity, String)],
    ['Unit value', optional(value, (amount) => `${amount} ${currency}`)],
  ];
}

function costText({ cost, cost_estimated: isEstimated, cost_price: price }: Purchase): string {
  if (cost === null) return '-';
  const at = price?.rate == null ? '' : ` at ${price.rate}`;
  const notes = [
    ...(price == null ? [] : [`${price.amount} ${price.currency}${at}`]),
    ...(isEstimated === true ? ['estimated: the provider did not report it'] : []),
  ];
  return `${cost} NGN${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

function goodsText({ status, reference }: Purchase): string {
  return status === 'success' ? `sealed; show them with oja purchase reveal ${reference}` : 'none';
}

function voucherText({ id, hint, value, returned_at: returnedAt }: NonNullable<Purchase['voucher']>): string {
  const back = returnedAt === null ? '' : `, returned ${timeText(returnedAt)}`;
  return `${id}, ending in ${hint}, worth ${value} NGN${back}`;
}

function statusText({ status, reason, message, pending }: Purchase): string {
  if (status !== 'pending') return `${status}: ${reason} (${message})`;
  if (pending === null) return 'lost: neither pending nor final; run the audit';
  return pending.flagged_at === null
    ? 'pending'
    : `pending, needs attention since ${timeText(pending.flagged_at)}`;
}

const nextWords: Readonly<Record<NonNullable<Purchase['next']>['what'], string>> = {
  in_hand: 'a gateway process is working on it',
  send: 'send to a provider',
  ask: 'query the provider',
  ask_for_goods: 'query the provider for the goods',
  add_goods: 'add the goods by hand',
  deliver: 'send to the customer',
};

function nextText({ what, at }: NonNullable<Purchase['next']>): string {
  return at === null ? nextWords[what] : `${nextWords[what]}, ${timeText(at)}`;
}

function pendingGoodsText({
  arrived_at: arrivedAt,
  due_at: dueAt,
  queries,
}: NonNullable<Purchase['pending_fulfilments']>): string {
  if (arrivedAt !== null) return `arrived ${timeText(arrivedAt)}`;
  if (dueAt === null) return `given up after ${queries ?? 0} queries; add them by hand`;
  return `owed by the provider; queried ${queries ?? 0} times, next ${timeText(dueAt)}`;
}

function deliveryText(delivery: NonNullable<Purchase['delivery']>): string {
  const { channel, hint, state, tries, due_at: dueAt, code, note } = delivery;
  const tried = tries === 0 ? '' : `, ${tries} ${tries === 1 ? 'try' : 'tries'}`;
  const next = state === 'due' ? `, next ${optional(dueAt, timeText)}` : '';
  const why = code === null || state === 'sent' ? '' : ` (${code}: ${note ?? ''})`;
  return `${state} by ${channel} to ${hint}${tried}${next}${why}`;
}
