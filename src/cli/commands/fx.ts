/** `oja fx`: what foreign currencies cost, by which gift cards and eSIMs are priced. */

import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import {
  formatRate,
  type GoodsCurrency,
  goodsCurrencies,
  parseMargin,
  parseRate,
} from '../../catalog/fx-rate.ts';
import { type FxRateEntry, listFxHistory, listFxRates } from '../../catalog/fx-rate-store.ts';
import { setFxRate } from '../../catalog/operations/set-fx-rate.ts';
import { formatPercent } from '../../kernel/money.ts';
import { addCommand, type Run } from '../add-command.ts';
import { formatTime } from '../format.ts';
import { type Column, table } from '../output.ts';

export function addFx(program: Command, run: Run): void {
  const group = program
    .command('fx')
    .description('exchange rates: what foreign currencies cost in naira, and the margin on them');
  addCommand<[GoodsCurrency, bigint], { margin?: number; force?: boolean }>(group, run, {
    name: 'set',
    description: 'set the naira a unit of a currency costs; catalogs and quotes follow at once',
    examples: ['fx set USD 1545.25 --margin 3', 'fx set GBP 2065.5'],
    writes: true,
    configure: (command) =>
      command
        .argument('<currency>', goodsCurrencies.join(', '), readGoodsCurrency)
        .argument('<rate>', 'naira for one unit, at most six decimals', readRate)
        .option(
          '--margin <percent>',
          'what is charged above the rate, 0 to 100 (default: as before, or 0)',
          readMargin,
        )
        .option('--force', 'also where it moves by more than 20 %, is not likely, or sells below cost'),
    work: async ({ database, actor }, [currency, rateMicro], { margin, force = false }) => {
      const { rate, before, changed } = await database.transaction(async (tx) => {
        const present = (await listFxRates(tx)).find((row) => row.currency === currency);
        const next = {
          currency,
          rateMicro,
          marginBasisPoints: margin ?? present?.marginBasisPoints ?? 0,
        };
        return { rate: next, ...(await setFxRate(tx, next, actor, { force })) };
      });
      const words = (one: Pick<FxRateEntry, 'rateMicro' | 'marginBasisPoints'>): string =>
        `${formatRate(one.rateMicro)} naira, margin ${formatPercent(one.marginBasisPoints)}`;
      return {
        data: {
          currency,
          rate: formatRate(rateMicro),
          margin_basis_points: rate.marginBasisPoints,
          changed,
          before: before ? toData(before) : null,
        },
        text: changed
          ? `1 ${currency} is ${words(rate)} (before: ${before ? words(before) : 'no rate'}).`
          : `1 ${currency} is ${words(rate)} already.`,
      };
    },
  });
  addCommand<[], { history?: boolean; currency?: GoodsCurrency }>(group, run, {
    name: 'list',
    description: 'list the rates that count now, or every rate there was',
    examples: ['fx list', 'fx list --history --currency USD'],
    configure: (command) =>
      command
        .option('--history', 'every rate there was, newest first (at most 1,000)')
        .option('--currency <currency>', 'of one currency', readGoodsCurrency),
    work: async ({ database }, _args, { history, currency }) => {
      const rates = history
        ? await listFxHistory(database, currency)
        : (await listFxRates(database)).filter((row) => currency === undefined || row.currency === currency);
      return {
        data: rates.map(toData),
        text: table(rates, columns, 'No rates: gift cards and eSIMs have no price, and none is sold.'),
      };
    },
  });
}

const columns: readonly Column<FxRateEntry>[] = [
  { title: 'CURRENCY', of: (row) => row.currency },
  { title: 'RATE', of: (row) => formatRate(row.rateMicro), right: true },
  { title: 'MARGIN', of: (row) => formatPercent(row.marginBasisPoints), right: true },
  { title: 'SINCE', of: (row) => formatTime(row.at) },
  { title: 'BY', of: (row) => row.actor },
];

function toData(row: FxRateEntry): Record<string, unknown> {
  return {
    currency: row.currency,
    rate: formatRate(row.rateMicro),
    margin_basis_points: row.marginBasisPoints,
    at: row.at,
    actor: row.actor,
  };
}

function readGoodsCurrency(text: string): GoodsCurrency {
  const found = goodsCurrencies.find((currency) => currency === text.toUpperCase());
  if (found === undefined) throw new InvalidArgumentError(`It must be one of ${goodsCurrencies.join(', ')}.`);
  return found;
}

function readRate(text: string): bigint {
  const rate = parseRate(text);
  if (rate === undefined) {
    throw new InvalidArgumentError('It must be naira above zero with at most six decimals, such as 1545.25.');
  }
  return rate;
}

function readMargin(text: string): number {
  const margin = parseMargin(text);
  if (margin === undefined) {
    throw new InvalidArgumentError(
      'It must be a percentage from 0 to 100 with at most two decimals, such as 3.5.',
    );
  }
  return margin;
}
