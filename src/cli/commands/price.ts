/** `oja price`: what a merchant pays. */
import { listPricesOperation } from '../../catalog/operations/list-prices.ts';
import { formatPercent } from '../../kernel/money.ts';
import { commandOf, environmentFlag, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';

export const priceCommands: readonly OperationCommand[] = [
  commandOf(listPricesOperation, {
    arguments: ['merchant'],
    flags: { environment: environmentFlag },
    examples: ['price list SHOP', 'price list SHOP --product data --env test'],
    text: ({ data }) =>
      table(
        data,
        [
          { title: 'PRODUCT', of: (row) => row.product },
          { title: 'NETWORK', of: (row) => row.network },
          { title: 'PLAN', of: (row) => row.plan_code ?? '-' },
          { title: 'NAME', of: (row) => row.name },
          { title: 'FACE VALUE', of: faceText, right: true },
          { title: 'CURRENCY', of: (row) => row.currency },
          { title: 'DISCOUNT', of: (row) => formatPercent(row.basis_points), right: true },
          { title: 'PAYS (NGN)', of: (row) => row.price ?? '-', right: true },
        ],
        'No product is enabled.',
      ),
  }),
];

function faceText({ min, max }: { readonly min: string | null; readonly max: string | null }): string {
  if (min === null || max === null) return 'any';
  return min === max ? min : `${min} to ${max}`;
}
