/** `oja voucher`: codes of a value that a merchant's customers redeem into eSIMs. */
import { join } from 'node:path';
import { createOption } from 'commander';
import type { Static } from 'typebox';
import {
  cancelIssueOperation,
  cancelVoucherOperation,
} from '../../wallet/vouchers/operations/cancel-voucher.ts';
import { issueVouchersOperation } from '../../wallet/vouchers/operations/issue-vouchers.ts';
import {
  listVouchersOperation,
  showVoucherOperation,
} from '../../wallet/vouchers/operations/show-voucher.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';

type Issued = Static<(typeof issueVouchersOperation)['output']>;

export const voucherCommands: readonly OperationCommand[] = [
  commandOf(issueVouchersOperation, {
    arguments: ['merchant'],
    examples: [
      'voucher issue SHOP --value 5000 --count 10 --env live',
      'voucher issue SHOP --value 5000 --count 10 --env live --file /mnt/codes.csv',
    ],
    // A code is as good as money, and Oja stores none. So they are in a file before the issue is
    // stored: whatever becomes of the terminal, who issued them has them.
    file: {
      option: createOption(
        '--file <path>',
        'a new file for the codes, written before they are issued (default: one named after the issue, in the folder vouchers of the data folder)',
      ),
      when: 'before_commit',
      defaultPath: ({ issue }) => join('vouchers', `${issue}.csv`),
      contentOf: codesFile,
      unwritten: 'no vouchers were issued',
    },
    text: issuedText,
  }),
  commandOf(listVouchersOperation, {
    arguments: ['merchant'],
    examples: ['voucher list SHOP', 'voucher list SHOP --env live --state open'],
  }),
  commandOf(showVoucherOperation, {
    arguments: ['voucher'],
    examples: ['voucher show 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10'],
  }),
  commandOf(cancelVoucherOperation, {
    arguments: ['voucher'],
    examples: ['voucher cancel 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10 --yes'],
  }),
  commandOf(cancelIssueOperation, {
    arguments: ['issue'],
    examples: ['voucher cancel-issue 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10 --yes'],
  }),
];

function codesFile({ issue, vouchers }: Issued): string {
  const lines = vouchers.map(({ id, code }) => `${issue},${id},${code}\n`);
  return `issue,voucher,code\n${lines.join('')}`;
}

function issuedText(
  { issue, merchant, environment, value, total, vouchers }: Issued,
  file: string | undefined,
): string {
  const codes = table(
    vouchers,
    [
      { title: 'ID', of: (voucher) => voucher.id },
      { title: 'CODE', of: (voucher) => voucher.code ?? '-' },
    ],
    '',
  );
  const where = file === undefined ? '' : ` They are in ${file}: delete it when the merchant has them.`;
  return (
    `${codes}\n\n${merchant} (${environment}) paid ${total} NGN for ${vouchers.length} of ${value} NGN. ` +
    `Issue ${issue}.\nThe codes are not shown again.${where}`
  );
}
