/** `oja purchase`: purchases as their merchant sees them at the portal. */
import type { Static } from 'typebox';
import { revealPurchaseOperation } from '../../vending/goods/operations/reveal-purchase.ts';
import { showPurchaseOperation } from '../../vending/history/operations/show-purchase.ts';
import type { purchaseOutput } from '../../vending/history/purchase-answer.ts';
import { tryPurchaseOperation } from '../../vending/purchases/operations/try-purchase.ts';
import { listPurchasesOperation } from '../../vending/search/operations/list-purchases.ts';
import { momentText, optional, timeText } from '../format.ts';
import { commandOf, environmentFlag, type OperationCommand } from '../operation-command.ts';
import { pairs, table } from '../output.ts';
import { readSecret, triedText } from '../tried-request.ts';

export const purchaseCommands: readonly OperationCommand[] = [
  commandOf(listPurchasesOperation, {
    arguments: ['merchant'],
    flags: { environment: environmentFlag },
    examples: [
      'purchase list SHOP --day 2026-11-21',
      'purchase list SHOP --phone 08031234567 --status failed',
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
  commandOf(showPurchaseOperation, {
    arguments: ['merchant', 'reference'],
    flags: { environment: environmentFlag },
    examples: ['purchase show SHOP first-1'],
    text: purchaseText,
  }),
  commandOf(revealPurchaseOperation, {
    arguments: ['merchant', 'reference'],
    flags: { environment: environmentFlag },
    examples: ['purchase reveal SHOP meter-7'],
    text: ({ goods }) => (goods === null ? 'It has brought nothing.' : JSON.stringify(goods, undefined, 2)),
  }),
  commandOf(tryPurchaseOperation, {
    arguments: ['merchant', 'credential'],
    flags: { secret: '--secret-file <path>' },
    files: { secret: readSecret },
    examples: [
      'purchase try SHOP oja_test_… --secret-file secret.txt --number 08000000110 --reference first-1',
    ],
    text: triedText,
  }),
];

type Found = Static<typeof listPurchasesOperation.output>['data'][number];

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
