/** What the operator's people do in the played week beside money: alarms, prices, vouchers. */

import { listAlarms } from '../../../alarms/alarm-store.ts';
import { acknowledgeAlarmOperation } from '../../../alarms/operations/acknowledge-alarm.ts';
import { pickKind, withdrawn } from '../../../catalog/catalog-item.ts';
import { changeCatalog } from '../../../catalog/operations/change-catalog.ts';
import type { Tx } from '../../../db/database.ts';
import { setFloatAlarmOperation } from '../../../floats/operations/set-alarm.ts';
import type { IdSource } from '../../../kernel/ids.ts';
import { giftCard } from '../../../products/gift-card.ts';
import { judgeOrder } from '../../../vending/orders/judge-order.ts';
import type { OrderRequest } from '../../../vending/orders/order.ts';
import { payByVoucher } from '../../../vending/orders/pay-by-voucher.ts';
import { issueVouchers } from '../../../vouchers/operations/issue-vouchers.ts';
import { readVoucherCode } from '../../../vouchers/voucher-code.ts';
import { drawCard, type Sale, type WeekJudge } from './draw-sale.ts';
import { ada, ngozi, tunde } from './people.ts';
import type { WeekParts, WeekPurchases } from './play-purchases.ts';

/** In kobo, of each. */
const VOUCHER_VALUE = 25_000_00n;

/** The support has looked at the alarms of a kind. */
export async function seeAlarms(tx: Tx, kind: string): Promise<void> {
  const open = await listAlarms(tx, { acknowledgedToo: false, limit: 50 });
  for (const alarm of open.filter((one) => one.kind === kind)) {
    const input = { id: String(alarm.id), note: 'the token has come, and the customer has it' };
    await acknowledgeAlarmOperation.run({ tx, actor: tunde }, input);
  }
}

/** A network has stopped selling a plan. */
export async function withdrawPlan(tx: Tx): Promise<void> {
  await changeCatalog(
    tx,
    {
      incoming: (present) => {
        const sold = pickKind(present, 'data').filter(
          ({ item }) => item.network === '9MOBILE' && item.active,
        );
        return sold.slice(-1).map(withdrawn);
      },
      source: 'prices.csv',
      apply: true,
      force: false,
      withdrawMissing: false,
    },
    ngozi,
  );
}

/** The float at a provider that is paid by hand: it is to be told of early, and is low by that. */
export async function watchFloat({ tx, providers }: WeekParts): Promise<void> {
  const facts = [...providers.values()];
  const provider = facts.find(({ products }) => products.has('ESIM') && products.size === 1)?.name;
  if (provider === undefined) return;
  const input = { provider, amount: '750000.00' };
  await setFloatAlarmOperation.run({ tx, actor: ada, providers: facts }, input);
}

/** Gives their codes. */
export async function sellVouchers({ tx, pepper }: WeekParts, newId: IdSource): Promise<string[]> {
  const issue = { merchantCode: 'GIFTHUB', environment: 'live', value: VOUCHER_VALUE, count: 8 } as const;
  const { vouchers } = await issueVouchers(tx, pepper, issue, ngozi, newId);
  return vouchers.flatMap(({ code }) => readVoucherCode(code) ?? []);
}

/** A gift card that a voucher pays. */
export async function drawVoucherSale(
  { tx, pepper, seeded }: WeekParts,
  judge: WeekJudge,
  { newId, houseAccounts }: Pick<WeekPurchases, 'newId' | 'houseAccounts'>,
  buyer: Pick<OrderRequest, 'principal' | 'reference'> & { readonly voucherCode: string },
): Promise<Sale> {
  const card = drawCard(judge, seeded, VOUCHER_VALUE);
  const order: OrderRequest = { ...buyer, product: giftCard.name, quantity: 1, ...card };
  const judged = judgeOrder(judge, order);
  return {
    judged: await payByVoucher({ sql: tx, pepper, newId, houseAccounts }, order, judged),
    mode: 'order',
  };
}
