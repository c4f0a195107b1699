/** `oja merchant-purchase`: purchases as their merchant sees them at the portal. */
import type { Static } from 'typebox';
import { revealMerchantPurchaseOperation } from '../../vending/goods/operations/reveal-merchant-purchase.ts';
import { showMerchantPurchaseOperation } from '../../vending/history/operations/show-merchant-purchase.ts';
import type { purchaseOutput } from '../../vending/history/purchase-answer.ts';
import { tryMerchantPurchaseOperation } from '../../vending/purchases/operations/try-merchant-purchase.ts';
import { listMerchantPurchasesOperation } from '../../vending/search/operations/list-merchant-purchases.ts';
import { momentText, optional, timeText } from '../format.ts';
import { commandOf, environmentFlag, type OperationCommand } from '../operation-command.ts';
import { pairs, table } from '../output.ts';
import { readSecret, triedText } from '../tried-request.ts';

export const merchantPurchaseCommands: readonly OperationCommand[] = [
  commandOf(listMerchantPurchasesOperation, {
    arguments: ['merchant'],
    flags: { environment: environmentFlag },
    examples: [
      'merchant-purchase list SHOP --day 2026-11-21',
      'merchant-purchase list SHOP --phone 08031234567 --status failed',
    ],
    text: ({ data, searched_until: until }) => {
      const none = until === null ? 'No purchases.' : 'None so far.';
      const partly =
        until === null ? '' : `\n\nOnly purchases since ${timeText(until)} have been looked through.`;
      const columns = [
        { title: 'AT', of: (row: Found) => timeText(row.created_at) },
        { title: 'STATUS', of: (row: Found) => row.status },
        { title: 'REASON', of: (row: Found) => row.reason ?? '-' },
        { title: 'PRODUCT', of: (row: Found) => `${row.product} ${row.network}` },
        { title: 'RECIPIENT', of: (row: Found) => row.recipient || '-' },
        { title: 'AMOUNT', of: (row: Found) => row.amount, right: true },
        { title: 'CHARGE', of: (row: Found) => row.charge, right: true },
        { title: 'REFERENCE', of: (row: Found) => row.reference },
      ];
      return `${table(data, columns, none)}${partly}`;
    },
  }),
  commandOf(showMerchantPurchaseOperation, {
    arguments: ['merchant', 'reference'],
    flags: { environment: environmentFlag },
    examples: ['merchant-purchase show SHOP first-1'],
    text: purchaseText,
  }),
  commandOf(revealMerchantPurchaseOperation, {
    arguments: ['merchant', 'reference'],
    flags: { environment: environmentFlag },
    examples: ['merchant-purchase reveal SHOP meter-7'],
    text: ({ goods }) => (goods === null ? 'It has brought nothing.' : JSON.stringify(goods, undefined, 2)),
  }),
  commandOf(tryMerchantPurchaseOperation, {
    arguments: ['merchant', 'credential'],
    flags: { secret: '--secret-file <path>' },
    files: { secret: readSecret },
    examples: [
      'merchant-purchase try SHOP oja_test_… --secret-file secret.txt --number 08000000110 --reference first-1',
    ],
    text: triedText,
  }),
];

type Found = Static<typeof listMerchantPurchasesOperation.output>['data'][number];

function purchaseText(purchase: Static<typeof purchaseOutput>): string {
  return [
    pairs([
      ['Purchase', purchase.id],
      ['Reference', `${purchase.reference} (${purchase.environment})`],
      ['Product', `${purchase.product} ${purchase.network}`],
      ['Plan', purchase.plan_code ?? '-'],
      ['Recipient', purchase.recipient || '-'],
      ['Amount', purchase.amount],
      ['Charge', purchase.charge],
      ['Refunded', purchase.refunded],
      ['Status', purchase.message === null ? purchase.status : `${purchase.status}: ${purchase.message}`],
      ['Ended', optional(purchase.ended_at, timeText)],
      ['Brought', purchase.brought.join(', ') || '-'],
      ['Goods owed since', optional(purchase.goods_owed_since, timeText)],
      ['Webhooks', purchase.webhooks.map(({ endpoint, state }) => `${endpoint} ${state}`).join(', ') || '-'],
    ]),
    '',
    table(
      purchase.timeline,
      [
        { title: 'AT', of: (event) => momentText(event.at) },
        { title: 'WHAT', of: (event) => event.what },
        { title: 'DETAIL', of: (event) => event.detail },
      ],
      'Nothing.',
    ),
  ].join('\n');
}
