/** `oja merchant`: who may buy, what, and at which price. */

import type { Command } from 'commander';
import { findNetwork } from '../../catalog/find-network.ts';
import { type Environment, environments } from '../../kernel/environment.ts';
import { formatPercent } from '../../kernel/money.ts';
import { listCredentials } from '../../merchants/credential-store.ts';
import {
  findMerchant,
  listDiscounts,
  listMerchantProducts,
  type MerchantRow,
} from '../../merchants/merchant-store.ts';
import { createMerchantOperation } from '../../merchants/operations/create-merchant.ts';
import { listMerchantsOperation } from '../../merchants/operations/list-merchants.ts';
import { setDiscount } from '../../merchants/operations/set-discount.ts';
import { setProduct } from '../../merchants/operations/set-product.ts';
import {
  resumeMerchantOperation,
  suspendMerchantOperation,
} from '../../merchants/operations/suspend-merchant.ts';
import type { Product, VendProduct } from '../../products/product.ts';
import { listWallets } from '../../wallet/wallet-store.ts';
import { addCommand, type DataResult, type Run } from '../add-command.ts';
import {
  productList,
  readEnvironment,
  readProduct,
  readVendProduct,
  readWholeNumber,
  vendProductList,
} from '../arguments.ts';
import { CommandError } from '../command-error.ts';
import { formatTime, timeText } from '../format.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { pairs, table } from '../output.ts';
import type { Session } from '../session.ts';
import { addMerchantFloor } from './merchant-floor.ts';
import { addMerchantMtnLine } from './merchant-mtn-line.ts';
import { walletData, walletsTable } from './wallet.ts';

export function addMerchant(program: Command, run: Run): void {
  const group = program.command('merchant').description('merchants: who may buy, what, and at which price');
  addCommand<[string], object>(group, run, {
    name: 'show',
    description: "show a merchant's products, discounts, wallets and credentials",
    examples: ['merchant show SHOP'],
    configure: (command) => command.argument('<code>', "the merchant's code"),
    work: async (session, [code]) => await showMerchant(session, code),
  });
  addProductSwitches(group, run);
  addDiscount(group, run);
  addMerchantFloor(group, run);
  addMerchantMtnLine(group, run);
}

type EnvironmentOption = { readonly env?: Environment };

function addProductSwitches(group: Command, run: Run): void {
  for (const enabled of [true, false]) {
    const verb = enabled ? 'enable' : 'disable';
    addCommand<[string, VendProduct], EnvironmentOption>(group, run, {
      name: verb,
      description: `${verb} a product on a merchant's profile, at once`,
      examples: [`merchant ${verb} SHOP data --env live`],
      writes: true,
      configure: (command) =>
        command
          .argument('<code>', "the merchant's code")
          .argument('<product>', vendProductList, readVendProduct)
          .option('--env <environment>', 'test or live (default: both)', readEnvironment),
      work: async ({ database, actor }, [merchantCode, product], { env }) => {
        const chosen = env === undefined ? environments : [env];
        const results = await database.transaction(async (tx) => {
          const done: { environment: Environment; changed: boolean }[] = [];
          for (const environment of chosen) {
            const { changed } = await setProduct(tx, { merchantCode, environment, product, enabled }, actor);
            done.push({ environment, changed });
          }
          return done;
        });
        return {
          data: { merchant: merchantCode, product, enabled, environments: results },
          text: results
            .map(
              ({ environment, changed }) =>
                `${product} is ${changed ? 'now' : 'already'} ${verb}d in ${environment}.`,
            )
            .join('\n'),
        };
      },
    });
  }
}

function addDiscount(group: Command, run: Run): void {
  addCommand<[string, Product, string, number], { force?: boolean }>(group, run, {
    name: 'discount',
    description: 'set what a merchant pays less than face value, in test and live',
    examples: ['merchant discount SHOP airtime MTN 250'],
    writes: true,
    configure: (command) =>
      command
        .argument('<code>', "the merchant's code")
        .argument('<product>', productList, readProduct)
        .argument('<network>', 'MTN, GLO, AIRTEL, 9MOBILE or a biller')
        .argument(
          '<bps>',
          'basis points of the face value: 250 is 2.50 %; 0 ends the discount',
          readWholeNumber,
        )
        .option('--force', 'also where the purchases would be sold below cost, or for more than 20 % less'),
    work: async (
      { database, actor },
      [merchantCode, product, networkText, basisPoints],
      { force = false },
    ) => {
      const network = await findNetwork(database, product, networkText);
      const { before } = await database.transaction((tx) =>
        setDiscount(tx, { merchantCode, product, network, basisPoints }, actor, { force }),
      );
      return {
        data: {
          merchant: merchantCode,
          product,
          network,
          basis_points: basisPoints,
          basis_points_before: before,
        },
        text: `${merchantCode} pays ${formatPercent(basisPoints)} less for ${network} ${product} (before: ${formatPercent(before)}).`,
      };
    },
  });
}

async function showMerchant({ database }: Session, code: string): Promise<DataResult> {
  const merchant = await findMerchant(database, code);
  if (merchant === undefined) throw new CommandError(`there is no merchant "${code}"`);
  const products = await listMerchantProducts(database, merchant.id);
  const discounts = await listDiscounts(database, merchant.id);
  const wallets = await listWallets(database, merchant.id);
  const credentials = await listCredentials(database, merchant.id);
  const enabled = (environment: Environment): string[] =>
    products.filter((row) => row.environment === environment).map((row) => row.product);
  return {
    data: {
      ...merchantData(merchant),
      products: Object.fromEntries(environments.map((environment) => [environment, enabled(environment)])),
      discounts,
      wallets: wallets.map(walletData),
      credentials: credentials.length,
    },
    text: [
      pairs([
        ['Code', merchant.code],
        ['Name', merchant.name],
        ['Merchant id', String(merchant.id)],
        ['State', stateOf(merchant)],
        ['Since', formatTime(merchant.created_at)],
        ...environments.map(
          (environment) => [`Products, ${environment}`, enabled(environment).join(', ') || 'none'] as const,
        ),
        ['Credentials', String(credentials.length)],
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
    ].join('\n'),
  };
}

function stateOf(merchant: MerchantRow): string {
  return merchant.disabled_at === null ? 'active' : 'suspended';
}

function merchantData(merchant: MerchantRow): Record<string, unknown> {
  return {
    id: merchant.id,
    code: merchant.code,
    name: merchant.name,
    state: stateOf(merchant),
    created_at: merchant.created_at,
  };
}

export const merchantCommands: readonly OperationCommand[] = [
  commandOf(createMerchantOperation, {
    arguments: ['code', 'name'],
    examples: ['merchant create SHOP "Mama Put Stores"'],
    text: (merchant) => `Created ${merchant.code} (merchant id ${merchant.id}).`,
  }),
  commandOf(listMerchantsOperation, {
    examples: ['merchant list'],
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
