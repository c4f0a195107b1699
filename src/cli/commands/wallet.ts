/** `oja wallet`: what merchants have, and corrections of it. */
import type { Static } from 'typebox';
import { creditWalletOperation } from '../../wallet/operations/credit-wallet.ts';
import { openWalletOperation } from '../../wallet/operations/open-wallet.ts';
import { listAlertsOperation, setAlertOperation } from '../../wallet/operations/set-alert.ts';
import { showWalletsOperation, type walletOutput } from '../../wallet/operations/show-merchant.ts';
import { listEntriesOperation, showStatementOperation } from '../../wallet/operations/show-statement.ts';
import { timeText } from '../format.ts';
import { commandOf, environmentFlag, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';
import { csvOption } from '../print-pages.ts';
import { printStatement } from '../statement-output.ts';

export const walletCommands: readonly OperationCommand[] = [
  commandOf(showWalletsOperation, {
    arguments: ['merchant'],
    examples: ['wallet show SHOP'],
    text: ({ data }) => walletsTable(data),
  }),
  commandOf(creditWalletOperation, {
    arguments: ['merchant', 'amount'],
    flags: {
      environment: environmentFlag,
      currency: '--currency <code>',
      memo: '--memo <text>',
      key: '--key <text>',
    },
    examples: [
      'wallet credit SHOP 250000 --env live --memo "bank transfer of 21 Nov" --key bank-0042',
      'wallet credit SHOP -500.50 --env live --memo "credited twice on 20 Nov"',
    ],
    text: ({ merchant, environment, currency, posted, posted_before: before, correction_id: id }) =>
      `${merchant} (${environment}) had ${before} ${currency} and now has ${posted} ${currency}. Correction ${id}.`,
  }),
  commandOf(setAlertOperation, {
    command: 'wallet alert',
    arguments: ['merchant', 'threshold'],
    flags: { environment: environmentFlag, currency: '--currency <code>' },
    examples: ['wallet alert SHOP 20000', 'wallet alert SHOP'],
    text: ({ merchant, environment, currency, threshold }) =>
      threshold === null
        ? `${merchant} (${environment}) is not told any more that its ${currency} wallet is low.`
        : `${merchant} (${environment}) is told when its ${currency} wallet is below ${threshold}.`,
  }),
  commandOf(listAlertsOperation, {
    arguments: ['merchant'],
    examples: ['wallet alerts SHOP'],
    text: (alerts) =>
      table(
        alerts,
        [
          { title: 'ENV', of: (row) => row.environment },
          { title: 'CURRENCY', of: (row) => row.currency },
          { title: 'TOLD BELOW', of: (row) => row.threshold ?? '-', right: true },
        ],
        'No wallets.',
      ),
  }),
  commandOf(openWalletOperation, {
    arguments: ['merchant', 'currency'],
    flags: { environment: environmentFlag },
    examples: ['wallet open SHOP USD', 'wallet open SHOP USD --env test'],
    text: ({ merchant, currency, environments }) =>
      environments
        .map(
          ({ environment, changed }) =>
            `${merchant} ${changed ? 'now' : 'already'} has a ${currency} wallet in ${environment}.`,
        )
        .join('\n'),
  }),
  commandOf(showStatementOperation, {
    arguments: ['merchant'],
    flags: {
      from: '--from <day>',
      to: '--to <day>',
      environment: environmentFlag,
      currency: '--currency <code>',
    },
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
    flags: {
      from: '--from <day>',
      to: '--to <day>',
      environment: environmentFlag,
      currency: '--currency <code>',
    },
    examples: ['wallet entries SHOP --from 2026-11-01 --to 2026-11-30'],
    text: ({ data, opening_balance: opening, closing_balance: closing }) => {
      const columns = [
        { title: 'TIME', of: (row: Entry) => timeText(row.time) },
        { title: 'TYPE', of: (row: Entry) => row.type },
        { title: 'AMOUNT', of: (row: Entry) => row.amount, right: true },
        { title: 'BALANCE', of: (row: Entry) => row.balance, right: true },
        { title: 'REFERENCE', of: (row: Entry) => row.reference },
      ];
      return `${table(data, columns, 'Nothing moved it.')}\n\nOpening ${opening}, closing ${closing}.`;
    },
  }),
];

type Entry = Static<typeof listEntriesOperation.output>['data'][number];

export function walletsTable(wallets: readonly Static<typeof walletOutput>[]): string {
  return table(
    wallets,
    [
      { title: 'ENV', of: (row) => row.environment },
      { title: 'CURRENCY', of: (row) => row.currency },
      { title: 'POSTED', of: (row) => row.posted, right: true },
      { title: 'HELD', of: (row) => row.held, right: true },
      { title: 'FLOOR', of: (row) => row.floor, right: true },
      { title: 'AVAILABLE', of: (row) => row.available, right: true },
    ],
    'No wallets.',
  );
}
