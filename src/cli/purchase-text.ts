/** A purchase and its timeline, for people. */
import type { Static } from 'typebox';
import type { vendOutput } from '../purchases/history/purchase-answer.ts';
import { momentText, optional, timeText } from './format.ts';
import { pairs, table } from './output.ts';

type Vend = Static<typeof vendOutput>;

type Pair = readonly [name: string, value: string];

export function vendText(vend: Vend): string {
  const { next, late_goods: late, delivery, voucher } = vend;
  const naira = (amount: string): string => `${amount} NGN`;
  return [
    pairs([
      ['Purchase', vend.id],
      ['Reference', vend.reference],
      ['Merchant', `${vend.merchant} (${vend.environment})`],
      ['Product', productText(vend)],
      ...orderPairs(vend),
      ['Recipient', vend.msisdn],
      ['Face value', naira(vend.face_value)],
      ['Charge', naira(vend.charge)],
      ...pairOf('Voucher', voucher, voucherText),
      ['Cost', costText(vend)],
      ...(vend.refunds.length === 0 ? [] : refundPairs(vend, naira)),
      ...pairOf('Margin', vend.margin, naira),
      ['Status', statusText(vend)],
      ...pairOf('Next', next, nextText),
      ...pairOf('Late goods', late, lateText),
      ...pairOf('Delivery', delivery, deliveryText),
      ...(vend.goods_sealed ? [['Goods', goodsText(vend)] as const] : []),
    ]),
    '',
    table(
      vend.timeline,
      [
        { title: 'AT', of: (event) => momentText(event.at) },
        { title: 'WHAT', of: (event) => event.what },
        { title: 'DETAIL', of: (event) => event.detail },
      ],
      '',
    ),
  ].join('\n');
}

/** What was given back. */
function refundPairs(vend: Vend, naira: (amount: string) => string): Pair[] {
  return [
    ['Refunded', naira(vend.refunded)],
    ['Cost back', naira(vend.cost_refunded)],
  ];
}

function pairOf<T>(name: string, value: T | null, text: (value: T) => string): Pair[] {
  return value === null ? [] : [[name, text(value)]];
}

/** An order has no network of its own: its product stands there again. */
function productText({ product, network, plan_code: plan }: Vend): string {
  return [product, network === product ? null : network, plan].filter((part) => part !== null).join(' ');
}

function orderPairs({ title, quantity, unit_value: value, unit_currency: currency }: Vend): Pair[] {
  if (title === undefined) return [];
  return [
    ['Title', title ?? '-'],
    ['Quantity', optional(quantity, String)],
    ['Value of one', optional(value, (amount) => `${amount} ${currency}`)],
  ];
}

function costText({ cost, cost_estimated: isEstimated, cost_price: price }: Vend): string {
  if (cost === null) return '-';
  const at = price?.rate == null ? '' : ` at ${price.rate}`;
  const notes = [
    ...(price == null ? [] : [`${price.amount} ${price.currency}${at}`]),
    ...(isEstimated === true ? ['estimated: the provider did not say it'] : []),
  ];
  return `${cost} NGN${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

function goodsText({ status, reference }: Vend): string {
  return status === 'success' ? `sealed; oja vend reveal ${reference} shows them` : 'none';
}

function voucherText({ id, hint, value, returned_at: returnedAt }: NonNullable<Vend['voucher']>): string {
  const back = returnedAt === null ? '' : `, given back ${timeText(returnedAt)}`;
  return `${id}, ends in ${hint}, of ${value} NGN${back}`;
}

function statusText({ status, reason, message, pending }: Vend): string {
  if (status !== 'pending') return `${status}: ${reason} (${message})`;
  if (pending === null) return 'lost: neither pending nor final; run the audit';
  return pending.flagged_at === null
    ? 'pending'
    : `pending, flagged for you since ${timeText(pending.flagged_at)}`;
}

const nextWords: Readonly<Record<NonNullable<Vend['next']>['what'], string>> = {
  in_hand: 'in the hands of a gateway process',
  send: 'to be sent to a provider',
  ask: 'to be asked about',
  ask_for_goods: 'to be asked for its goods',
  add_goods: 'its goods are yours to add',
  deliver: 'to be sent to the customer',
};

function nextText({ what, at }: NonNullable<Vend['next']>): string {
  return at === null ? nextWords[what] : `${nextWords[what]}, ${timeText(at)}`;
}

function lateText({
  arrived_at: arrivedAt,
  due_at: dueAt,
  queries,
}: NonNullable<Vend['late_goods']>): string {
  if (arrivedAt !== null) return `came ${timeText(arrivedAt)}`;
  if (dueAt === null) return `given up after ${queries ?? 0} questions; yours to add`;
  return `owed by the provider; asked for ${queries ?? 0} times, next ${timeText(dueAt)}`;
}

function deliveryText(delivery: NonNullable<Vend['delivery']>): string {
  const { channel, hint, state, tries, due_at: dueAt, code, note } = delivery;
  const tried = tries === 0 ? '' : `, ${tries} ${tries === 1 ? 'try' : 'tries'}`;
  const next = state === 'due' ? `, next ${optional(dueAt, timeText)}` : '';
  const why = code === null || state === 'sent' ? '' : ` (${code}: ${note ?? ''})`;
  return `${state} by ${channel} to ${hint}${tried}${next}${why}`;
}
