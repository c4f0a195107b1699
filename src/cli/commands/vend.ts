/** `oja vend`: what happened to a purchase, and what a person can add to it. */
import type { Command } from 'commander';
import { formatAmount } from '../../kernel/money.ts';
import { isOrderProduct } from '../../products/product.ts';
import { isSealed } from '../../products/registry.ts';
import type { Goods } from '../../providers/provider.ts';
import { addGoods } from '../../vending/goods/operations/add-goods.ts';
import { revealGoods } from '../../vending/goods/operations/reveal-goods.ts';
import type { VendHistory } from '../../vending/history/show-vend.ts';
import { marginOfVend } from '../../vending/history/vend-margin.ts';
import { addCommand, type Run } from '../add-command.ts';
import { readToken, readUnits } from '../arguments.ts';
import { argumentsOfFind, type FindOptions, findOne } from '../find-purchase.ts';
import { formatMoment, formatTime, optional } from '../format.ts';
import { outcomeWords } from '../outcome-words.ts';
import { pairs, table } from '../output.ts';
import { timelineOf } from '../vend-timeline.ts';
import { deliveryText } from './delivery.ts';
import { addVendSettle } from './vend-settle.ts';

type GoodsOptions = {
  readonly token: string;
  readonly units?: string;
  readonly bonusToken?: string;
  readonly kct1?: string;
  readonly kct2?: string;
};
type ShowOptions = FindOptions & { readonly reveal?: boolean };

export function addVend(program: Command, run: Run): void {
  const group = program
    .command('vend')
    .description('purchases: what happened to one, and what only a person can decide of it');
  addCommand<[string], ShowOptions>(group, run, {
    name: 'show',
    writes: true,
    description:
      'show a purchase and its timeline: accepted, attempts, what providers answered, outcome, transfers, alarms; times in Lagos',
    examples: ['vend show first-1', 'vend show order-77 --merchant SHOP --env live'],
    configure: (command) =>
      argumentsOfFind(command).option(
        '--reveal',
        'show the cards or the eSIM that an order brought; noted in the audit log',
      ),
    work: async ({ database, sealer, actor }, [key], { reveal = false, ...options }) => {
      const history = await findOne(database, key, options);
      return await show(history, async ({ merchant_id: merchantId, id: vendId }) =>
        reveal ? await revealGoods(database, await sealer(), { merchantId, vendId }, actor) : undefined,
      );
    },
  });
  addCommand<[string], FindOptions & GoodsOptions>(group, run, {
    name: 'goods',
    description:
      "add the token that a provider's support told you to a success that came without; it cannot be changed later",
    examples: ['vend goods power-9 --token 6734-3797-4609-1524-5954 --units 23.8'],
    writes: true,
    configure: (command) =>
      argumentsOfFind(command)
        .requiredOption('--token <digits>', 'the recharge token: 20 digits', readToken)
        .option('--units <number>', 'what it loads, in kWh', readUnits)
        .option('--bonus-token <digits>', 'a second token that the company added, where it did', readToken)
        .option('--kct1 <digits>', 'first key change token, where there is one', readToken)
        .option('--kct2 <digits>', 'second key change token', readToken),
    work: async ({ database, actor }, [key], { merchant, env, ...goods }) => {
      const { vend } = await findOne(database, key, { ...(merchant && { merchant }), ...(env && { env }) });
      const { token, units, bonusToken, kct1, kct2 } = goods;
      const brought = {
        token,
        ...(units && { units }),
        ...(bonusToken && { bonus_token: bonusToken }),
        ...(kct1 && { kct1 }),
        ...(kct2 && { kct2 }),
      };
      const named = { merchantId: vend.merchant_id, vendId: vend.id };
      await database.transaction((tx) => addGoods(tx, named, brought, actor));
      return {
        data: { id: vend.id, reference: vend.reference, brought: Object.keys(brought) },
        text: `${vend.reference} now shows its ${Object.keys(brought).join(', ')}.`,
      };
    },
  });
  addVendSettle(group, run);
}

async function show(
  history: VendHistory,
  openGoods: (vend: VendHistory['vend']) => Promise<Goods | undefined>,
): Promise<{ data: unknown; text: string }> {
  const data = historyData(history);
  const text = historyText(history);
  if (!isSealed(history.vend.product)) return { data, text };
  const goods = await openGoods(history.vend);
  const masked = history.outcome?.status === 'success' ? 'sealed; --reveal shows them' : 'none';
  return {
    data: { ...data, goods: goods ?? null },
    text: `${text}\n\nGoods  ${goods === undefined ? masked : JSON.stringify(goods, null, 2)}`,
  };
}

function historyText(history: VendHistory): string {
  const { vend, pending, lateGoods: late, delivery, voucher } = history;
  const naira = (kobo: bigint): string => `${formatAmount(kobo)} NGN`;
  return [
    pairs([
      ['Purchase', vend.id],
      ['Reference', vend.reference],
      ['Merchant', `${vend.merchant_code} (${vend.environment})`],
      ['Product', productText(vend)],
      ...orderPairs(vend),
      ['Recipient', vend.msisdn],
      ['Face value', naira(vend.face_value)],
      ['Charge', naira(vend.charge)],
      ...(voucher === undefined ? [] : [['Voucher', voucherText(voucher)] as const]),
      ...marginPairs(history),
      ['Status', statusText(history)],
      ...(pending === undefined ? [] : [['Next', nextText(pending)] as const]),
      ...(late === undefined ? [] : [['Late goods', lateText(late)] as const]),
      ...(delivery === undefined ? [] : [['Delivery', deliveryText(delivery)] as const]),
    ]),
    '',
    table(
      timelineOf(history),
      [
        { title: 'AT', of: (event) => formatMoment(event.at) },
        { title: 'WHAT', of: (event) => event.what },
        { title: 'DETAIL', of: (event) => event.detail },
      ],
      '',
    ),
  ].join('\n');
}

function marginPairs({ vend, outcome }: VendHistory): (readonly [string, string])[] {
  const sold = marginOfVend(vend, outcome);
  if (sold === undefined) return [['Cost', '-']];
  const { cost, isEstimated, price, margin } = sold;
  const at = price?.rate === undefined ? '' : ` at ${price.rate}`;
  const notes = [
    ...(price === undefined ? [] : [`${formatAmount(price.amount)} ${price.currency}${at}`]),
    ...(isEstimated ? ['estimated: the provider did not say it'] : []),
  ];
  return [
    ['Cost', `${formatAmount(cost)} NGN${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`],
    ['Margin', `${formatAmount(margin)} NGN`],
  ];
}

function marginData({ vend, outcome }: VendHistory): Record<string, unknown> {
  const sold = marginOfVend(vend, outcome);
  return {
    cost: sold === undefined ? null : formatAmount(sold.cost),
    cost_estimated: sold?.isEstimated ?? null,
    cost_price: sold?.price === undefined ? null : { ...sold.price, amount: formatAmount(sold.price.amount) },
    margin: sold === undefined ? null : formatAmount(sold.margin),
  };
}

/** An order has no network of its own: its product stands there again. */
function productText({ product, network, plan_code: plan }: VendHistory['vend']): string {
  return [product, network === product ? null : network, plan].filter((part) => part !== null).join(' ');
}

function orderPairs({ details, product }: VendHistory['vend']): (readonly [string, string])[] {
  if (!isOrderProduct(product)) return [];
  const item = details?.item;
  return [
    ['Title', optional(details?.title, (title) => title)],
    ['Quantity', optional(item, ({ quantity }) => String(quantity))],
    ['Value of one', optional(item, (one) => `${formatAmount(BigInt(one.unitPrice))} ${one.currency}`)],
  ];
}

function orderData({ details, product }: VendHistory['vend']): Record<string, unknown> {
  if (!isOrderProduct(product)) return {};
  const item = details?.item;
  return {
    title: details?.title ?? null,
    quantity: item?.quantity ?? null,
    unit_value: item === undefined ? null : formatAmount(BigInt(item.unitPrice)),
    unit_currency: item?.currency ?? null,
  };
}

function voucherText({
  id,
  hint,
  value,
  returned_at: returnedAt,
}: NonNullable<VendHistory['voucher']>): string {
  const back = returnedAt === null ? '' : `, given back ${formatTime(returnedAt)}`;
  return `${id}, ends in ${hint}, of ${formatAmount(value)} NGN${back}`;
}

function statusText({ outcome, pending }: VendHistory): string {
  if (outcome !== undefined) return `${outcome.status}: ${outcome.reason} (${outcomeWords[outcome.reason]})`;
  if (pending === undefined) return 'lost: neither pending nor final; run the audit';
  return pending.flagged_at === null
    ? 'pending'
    : `pending, flagged for you since ${formatTime(pending.flagged_at)}`;
}

function nextText({ step, due_at: dueAt, owner }: NonNullable<VendHistory['pending']>): string {
  const what = step === 'send' ? 'to be sent to a provider' : 'to be asked about';
  if (owner !== null) return 'in the hands of a gateway process';
  return `${what}, ${optional(dueAt, formatTime)}`;
}

function lateText({
  arrived_at: arrivedAt,
  due_at: dueAt,
  queries,
}: NonNullable<VendHistory['lateGoods']>): string {
  if (arrivedAt !== null) return `came ${formatTime(arrivedAt)}`;
  if (dueAt === null) return `given up after ${queries ?? 0} questions; yours to add`;
  return `owed by the provider; asked for ${queries ?? 0} times, next ${optional(dueAt, formatTime)}`;
}

function voucherData(voucher: VendHistory['voucher']): Record<string, unknown> | null {
  if (voucher === undefined) return null;
  const { id, hint, value, returned_at } = voucher;
  return { id, hint, value: formatAmount(value), returned_at };
}

function historyData(history: VendHistory): Record<string, unknown> {
  const { vend, outcome } = history;
  return {
    id: vend.id,
    reference: vend.reference,
    merchant: vend.merchant_code,
    environment: vend.environment,
    product: vend.product,
    network: vend.network,
    plan_code: vend.plan_code,
    ...orderData(vend),
    msisdn: vend.msisdn,
    face_value: formatAmount(vend.face_value),
    charge: formatAmount(vend.charge),
    ...marginData(history),
    status: outcome?.status ?? 'pending',
    reason: outcome?.reason ?? null,
    message: outcome === undefined ? null : outcomeWords[outcome.reason],
    telco_message: outcome?.telco_message ?? null,
    late_goods: history.lateGoods ?? null,
    delivery: history.delivery ?? null,
    voucher: voucherData(history.voucher),
    pending: history.pending ?? null,
    timeline: timelineOf(history),
  };
}
