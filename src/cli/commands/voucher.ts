/** `oja voucher`: codes of a value that a merchant's customers redeem into eSIMs. */
import { type Command, InvalidArgumentError } from 'commander';
import type { Environment } from '../../kernel/environment.ts';
import { formatAmount } from '../../kernel/money.ts';
import { findMerchant } from '../../merchants/merchant-store.ts';
import { cancelIssue } from '../../vouchers/operations/cancel-issue.ts';
import { cancelVoucher } from '../../vouchers/operations/cancel-voucher.ts';
import {
  findVoucher,
  listRedemptions,
  listVouchers,
  type RedemptionRow,
  type VoucherRow,
  type VoucherState,
} from '../../vouchers/voucher-store.ts';
import { addCommand, type Run } from '../add-command.ts';
import { readEnvironment, readId } from '../arguments.ts';
import { CommandError } from '../command-error.ts';
import { formatTime, optional } from '../format.ts';
import { pairs, table } from '../output.ts';
import { addVoucherIssue } from './voucher-issue.ts';

const VOUCHERS_LISTED_MAX = 1_000;
const states: readonly VoucherState[] = ['open', 'taken', 'redeemed', 'cancelled'];

type ListOptions = { readonly env?: Environment; readonly state?: VoucherState };

export function addVoucher(program: Command, run: Run): void {
  const group = program.command('voucher').description('vouchers: issue, list, show, cancel');
  addVoucherIssue(group, run);
  addList(group, run);
  addShow(group, run);
  addCancel(group, run);
  addCancelIssue(group, run);
}

function addList(group: Command, run: Run): void {
  addCommand<[string], ListOptions>(group, run, {
    name: 'list',
    description: `list a merchant's newest ${VOUCHERS_LISTED_MAX} vouchers`,
    examples: ['voucher list SHOP', 'voucher list SHOP --env live --state open'],
    configure: (command) =>
      command
        .argument('<merchant>', "the merchant's code")
        .option('--env <environment>', 'test or live', readEnvironment)
        .option('--state <state>', 'open, taken, redeemed or cancelled', readState),
    work: async ({ database }, [code], { env, state }) => {
      const merchant = await findMerchant(database, code);
      if (merchant === undefined) throw new CommandError(`there is no merchant "${code}"`);
      const vouchers = await listVouchers(database, {
        merchantId: merchant.id,
        environment: env,
        state,
        limit: VOUCHERS_LISTED_MAX,
      });
      return { data: vouchers.map(voucherData), text: vouchersTable(vouchers) };
    },
  });
}

function addShow(group: Command, run: Run): void {
  addCommand<[string], object>(group, run, {
    name: 'show',
    description: 'show a voucher and the orders it was taken for',
    examples: ['voucher show 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10'],
    configure: (command) => command.argument('<id>', 'its id in the list', readId('voucher')),
    work: async ({ database }, [id]) => {
      const voucher = await findVoucher(database, id);
      if (voucher === undefined) throw new CommandError(`there is no voucher ${id}`);
      const redemptions = await listRedemptions(database, voucher);
      return {
        data: { ...voucherData(voucher), orders: redemptions.map(redemptionData) },
        text: `${voucherText(voucher)}\n\n${redemptionsTable(redemptions)}`,
      };
    },
  });
}

function addCancel(group: Command, run: Run): void {
  addCommand<[string], object>(group, run, {
    name: 'cancel',
    description: 'cancel a voucher that is open: its value goes back to the wallet; this cannot be undone',
    examples: ['voucher cancel 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10'],
    writes: true,
    configure: (command) => command.argument('<id>', 'its id in the list', readId('voucher')),
    work: async ({ database, actor }, [id]) => {
      const voucher = await database.transaction((tx) => cancelVoucher(tx, id, actor));
      const { merchant_code: merchant, environment, value } = voucher;
      return {
        data: { id, merchant, environment, value: formatAmount(value), state: 'cancelled' },
        text: `The voucher is cancelled; ${formatAmount(value)} NGN went back to the wallet of ${merchant} (${environment}).`,
      };
    },
  });
}

function addCancelIssue(group: Command, run: Run): void {
  addCommand<[string], object>(group, run, {
    name: 'cancel-issue',
    description:
      'cancel all vouchers of an issue that are open: their value goes back to the wallet; this cannot be undone',
    examples: ['voucher cancel-issue 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10'],
    writes: true,
    configure: (command) =>
      command.argument('<issue>', 'its id, as issue, list --json and show say it', readId('voucher issue')),
    work: async ({ database, actor }, [issueId]) => {
      const { cancelled, kept } = await database.transaction((tx) => cancelIssue(tx, issueId, actor));
      const total = cancelled.reduce((sum, { value }) => sum + value, 0n);
      return {
        data: {
          issue: issueId,
          cancelled: cancelled.length,
          value: formatAmount(total),
          kept: kept.map(voucherData),
        },
        text:
          `${cancelled.length} vouchers are cancelled; ${formatAmount(total)} NGN went back to the wallet. ` +
          `${kept.length} were not open and stay as they are.`,
      };
    },
  });
}

function voucherData(row: VoucherRow): Record<string, unknown> {
  return {
    id: row.id,
    issue: row.issue_id,
    merchant: row.merchant_code,
    environment: row.environment,
    hint: row.hint,
    value: formatAmount(row.value),
    state: row.state,
    issued_at: row.issued_at,
    cancelled_at: row.cancelled_at,
    order: row.reference,
    order_id: row.vend_id,
    charge: row.charge === null ? null : formatAmount(row.charge),
  };
}

function vouchersTable(rows: readonly VoucherRow[]): string {
  return table(
    rows,
    [
      { title: 'ID', of: (row) => row.id },
      { title: 'ENV', of: (row) => row.environment },
      { title: 'ENDS IN', of: (row) => row.hint },
      { title: 'VALUE', of: (row) => formatAmount(row.value), right: true },
      { title: 'STATE', of: (row) => row.state },
      { title: 'ISSUED', of: (row) => formatTime(row.issued_at) },
      { title: 'ORDER', of: (row) => row.reference ?? '-' },
    ],
    'No vouchers.',
  );
}

function voucherText(row: VoucherRow): string {
  return pairs([
    ['Voucher', row.id],
    ['Issue', row.issue_id],
    ['Merchant', `${row.merchant_code} (${row.environment})`],
    ['Ends in', row.hint],
    ['Value', `${formatAmount(row.value)} NGN`],
    ['State', row.state],
    ['Issued', formatTime(row.issued_at)],
    ['Cancelled', optional(row.cancelled_at, formatTime)],
  ]);
}

function redemptionData(row: RedemptionRow): Record<string, unknown> {
  return {
    reference: row.reference,
    id: row.vend_id,
    charge: formatAmount(row.charge),
    taken_at: row.at,
    returned_at: row.returned_at,
  };
}

function redemptionsTable(rows: readonly RedemptionRow[]): string {
  return table(
    rows,
    [
      { title: 'ORDER', of: (row) => row.reference },
      { title: 'ID', of: (row) => row.vend_id },
      { title: 'CHARGE', of: (row) => formatAmount(row.charge), right: true },
      { title: 'TAKEN', of: (row) => formatTime(row.at) },
      { title: 'GIVEN BACK', of: (row) => optional(row.returned_at, formatTime) },
    ],
    'It was taken for no order.',
  );
}

function readState(text: string): VoucherState {
  const state = states.find((known) => known === text.toLowerCase());
  if (state === undefined) throw new InvalidArgumentError(`It must be one of ${states.join(', ')}.`);
  return state;
}
