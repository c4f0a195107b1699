/** `oja fx`: what foreign currencies cost, by which gift cards and eSIMs are priced. */
import { listFxRatesOperation } from '../../catalog/operations/list-fx-rates.ts';
import { setFxRateOperation } from '../../catalog/operations/set-fx-rate.ts';
import { formatPercent } from '../../kernel/money.ts';
import { timeText } from '../format.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { table } from '../output.ts';

export const fxCommands: readonly OperationCommand[] = [
  commandOf(setFxRateOperation, {
    arguments: ['currency', 'rate'],
    flags: { margin: '--margin <percent>' },
    examples: ['fx set USD 1545.25 --margin 3', 'fx set GBP 2065.5'],
    text: ({ currency, changed, before, ...rate }) =>
      changed
        ? `1 ${currency} is ${rateText(rate)} (before: ${before ? rateText(before) : 'no rate'}).`
        : `1 ${currency} is ${rateText(rate)} already.`,
  }),
  commandOf(listFxRatesOperation, {
    examples: ['fx list', 'fx list --history --currency USD'],
    text: ({ data }) =>
      table(
        data,
        [
          { title: 'CURRENCY', of: (row) => row.currency },
          { title: 'RATE', of: (row) => row.rate, right: true },
          { title: 'MARGIN', of: (row) => formatPercent(row.margin_basis_points), right: true },
          { title: 'SINCE', of: (row) => timeText(row.at) },
          { title: 'BY', of: (row) => row.actor },
        ],
        'No rates: gift cards and eSIMs have no price, and none is sold.',
      ),
  }),
];

type Rate = { readonly rate: string; readonly margin_basis_points: number };

function rateText({ rate, margin_basis_points: margin }: Rate): string {
  return `${rate} naira, margin ${formatPercent(margin)}`;
}
