/** `oja wallet`: what merchants have, and corrections of it. */
import { creditWalletOperation } from '../../wallet/operations/credit-wallet.ts';
import { openWalletOperation } from '../../wallet/operations/open-wallet.ts';
import { listAlertsOperation, setAlertOperation } from '../../wallet/operations/set-alert.ts';
import { showWalletsOperation } from '../../wallet/operations/show-merchant.ts';
import { listEntriesOperation, showStatementOperation } from '../../wallet/operations/show-statement.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { csvOption } from '../print-pages.ts';
import { printStatement } from '../statement-output.ts';

export const walletCommands: readonly OperationCommand[] = [
  commandOf(showWalletsOperation, {
    arguments: ['merchant'],
    examples: ['wallet show SHOP'],
  }),
  commandOf(creditWalletOperation, {
    arguments: ['merchant', 'amount'],
    examples: [
      'wallet credit SHOP 250000 --env live --memo "bank transfer of 21 Nov" --key bank-0042',
      'wallet credit SHOP -500.50 --env live --memo "credited twice on 20 Nov"',
    ],
  }),
  commandOf(setAlertOperation, {
    command: 'wallet alert',
    arguments: ['merchant', 'threshold'],
    examples: ['wallet alert SHOP 20000', 'wallet alert SHOP'],
  }),
  commandOf(listAlertsOperation, {
    arguments: ['merchant'],
    examples: ['wallet alerts SHOP'],
  }),
  commandOf(openWalletOperation, {
    arguments: ['merchant', 'currency'],
    examples: ['wallet open SHOP USD', 'wallet open SHOP USD --env test'],
  }),
  commandOf(showStatementOperation, {
    arguments: ['merchant'],
    examples: [
      'wallet statement SHOP --from 2026-11-01 --to 2026-11-30',
      'wallet statement SHOP --from 2026-11-21 --csv',
    ],
    whole: {
      options: [csvOption()],
      hides: ['limit', 'cursor'],
      print: printStatement,
    },
  }),
  commandOf(listEntriesOperation, {
    arguments: ['merchant'],
    examples: ['wallet entries SHOP --from 2026-11-01 --to 2026-11-30'],
  }),
];
