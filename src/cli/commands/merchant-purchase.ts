/** `oja merchant-purchase`: purchases as their merchant sees them at the portal. */

import { tryMerchantPurchaseOperation } from '../../purchases/create/operations/try-merchant-purchase.ts';
import { revealMerchantPurchaseOperation } from '../../purchases/goods/operations/reveal-merchant-purchase.ts';
import { showMerchantPurchaseOperation } from '../../purchases/history/operations/show-merchant-purchase.ts';
import { listMerchantPurchasesOperation } from '../../purchases/search/operations/list-merchant-purchases.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { readSecret } from '../read-file.ts';

export const merchantPurchaseCommands: readonly OperationCommand[] = [
  commandOf(listMerchantPurchasesOperation, {
    arguments: ['merchant'],
    examples: [
      'merchant-purchase list SHOP --day 2026-11-21',
      'merchant-purchase list SHOP --phone 08031234567 --status failed',
    ],
  }),
  commandOf(showMerchantPurchaseOperation, {
    arguments: ['merchant', 'reference'],
    examples: ['merchant-purchase show SHOP first-1'],
  }),
  commandOf(revealMerchantPurchaseOperation, {
    arguments: ['merchant', 'reference'],
    examples: ['merchant-purchase reveal SHOP meter-7'],
  }),
  commandOf(tryMerchantPurchaseOperation, {
    arguments: ['merchant', 'credential'],
    flags: { secret: '--secret-file <path>' },
    files: { secret: readSecret },
    examples: [
      'merchant-purchase try SHOP oja_test_… --secret-file secret.txt --number 08000000110 --reference first-1',
    ],
  }),
];
