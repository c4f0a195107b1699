/** `oja merchant`: who may buy, what, and at which price. */
import type { Static } from 'typebox';
import { setDiscountOperation } from '../../catalog/operations/discount-merchant.ts';
import { formatPercent } from '../../kernel/money.ts';
import { createMerchantOperation } from '../../merchants/operations/create-merchant.ts';
import { listMerchantsOperation } from '../../merchants/operations/list-merchants.ts';
import { disableProductOperation, enableProductOperation } from '../../merchants/operations/set-product.ts';
import {
  resumeMerchantOperation,
  suspendMerchantOperation,
} from '../../merchants/operations/suspend-merchant.ts';
import { setFloorOperation } from '../../wallet/operations/set-floor.ts';
import { showMerchantOperation } from '../../wallet/operations/show-merchant.ts';
import { timeText } from '../format.ts';
import { commandOf, environmentFlag, type OperationCommand } from '../operation-command.ts';
import { pairs, table } from '../output.ts';
import { walletsTable } from './wallet.ts';

export const merchantCommands: readonly OperationCommand[] = [
  commandOf(createMerchantOperation, {
    arguments: ['code', 'name'],
    examples: ['merchant create SHOP "Mama Put Stores"'],
    text: (merchant) => `Created ${merchant.code} (merchant id ${merchant.id}).`,
  }),
  commandOf(listMerchantsOperation, {
    examples: ['merchant list', 'merchant list --find mama'],
    text: ({ data }) =>
      table(
        data,
        [
          { title: 'ID', of: (merchant) => String(merchant.id), right: true },
          { title: 'CODE', of: (merchant) => merchant.code },
          { title: 'NAME', of: (merchant) => merchant.name },
          { title: 'STATE', of: (merchant) => merchant.state },
          { title: 'SINCE', of: (merchant) => timeText(merchant.created_at) },
        ],
        'No merchants.',
      ),
  }),
  commandOf(showMerchantOperation, {
    arguments: ['merchant'],
    examples: ['merchant show SHOP'],
    text: merchantText,
  }),
  commandOf(enableProductOperation, {
    command: 'merchant enable',
    arguments: ['merchant', 'product'],
    flags: { environment: environmentFlag },
    examples: ['merchant enable SHOP data --env live'],
    text: productText,
  }),
  commandOf(disableProductOperation, {
    command: 'merchant disable',
    arguments: ['merchant', 'product'],
    flags: { environment: environmentFlag },
    examples: ['merchant disable SHOP data --env live'],
    text: productText,
  }),
  commandOf(setDiscountOperation, {
    command: 'merchant discount',
    arguments: ['merchant', 'product', 'network', 'basis_points'],
    examples: ['merchant discount SHOP airtime MTN 250'],
    text: ({ merchant, product, network, basis_points: now, basis_points_before: before }) =>
      `${merchant} pays ${formatPercent(now)} less for ${network} ${product} (before: ${formatPercent(before)}).`,
  }),
  commandOf(setFloorOperation, {
    command: 'merchant floor',
    arguments: ['merchant', 'floor'],
    flags: { environment: environmentFlag },
    examples: ['merchant floor SHOP -50000', 'merchant floor SHOP 0 --env test'],
    text: ({ merchant, environment, currency, floor, floor_before: before, billing_mode: mode, available }) =>
      `${merchant} (${environment}) can be spent to ${floor} ${currency} (before: ${before}) and is ${mode}; ` +
      `${available} ${currency} is available.`,
  }),
  commandOf(suspendMerchantOperation, {
    arguments: ['merchant'],
    examples: ['merchant suspend SHOP'],
    text: stateText,
  }),
  commandOf(resumeMerchantOperation, {
    arguments: ['merchant'],
    examples: ['merchant resume SHOP'],
    text: stateText,
  }),
];

function stateText({
  merchant,
  changed,
  state,
}: {
  merchant: string;
  changed: boolean;
  state: string;
}): string {
  return `${merchant} is ${changed ? 'now' : 'already'} ${state}.`;
}

function productText({
  product,
  enabled,
  environments,
}: Static<(typeof enableProductOperation)['output']>): string {
  return environments
    .map(
      ({ environment, changed }) =>
        `${product} is ${changed ? 'now' : 'already'} ${enabled ? 'enabled' : 'disabled'} in ${environment}.`,
    )
    .join('\n');
}

function merchantText(merchant: Static<(typeof showMerchantOperation)['output']>): string {
  const { products, wallets, discounts } = merchant;
  return [
    pairs([
      ['Code', merchant.code],
      ['Name', merchant.name],
      ['Merchant id', String(merchant.id)],
      ['State', merchant.state],
      ['Since', timeText(merchant.created_at)],
      ['Products, test', products.test.join(', ') || 'none'],
      ['Products, live', products.live.join(', ') || 'none'],
      ['Credentials', String(merchant.credentials)],
    ]),
    '',
    walletsTable(wallets),
    '',
    table(
      discounts,
      [
        { title: 'PRODUCT', of: (row) => row.product },
        { title: 'NETWORK', of: (row) => row.network },
        { title: 'DISCOUNT', of: (row) => formatPercent(row.basis_points), right: true },
      ],
      'No discounts.',
    ),
  ].join('\n');
}
