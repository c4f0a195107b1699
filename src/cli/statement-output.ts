/** Prints a wallet statement as text, CSV or JSON, page by page. */
import type { Static } from 'typebox';
import { formatDay } from '../core/clock.ts';
import type { showStatementOperation } from '../wallet/operations/show-statement.ts';
import { csvEnd, csvHead, csvItems, houseColumns } from '../wallet/statement-csv.ts';
import { timeText } from './format.ts';
import { type Form, jsonItems, printPages } from './print-pages.ts';

type Page = Static<(typeof showStatementOperation)['output']>;

const TIME_WIDTH = 19;
const KIND_WIDTH = 10;
const AMOUNT_WIDTH = 16;
const REFERENCE_WIDTH = 36;

const asText: Form<Page> = {
  head: (page) => `${titleOf(page)}\n\n${headings}${balanceLine(page.from, 'opening', page.opening_balance)}`,
  lines: ({ items }) =>
    items
      .map((item) =>
        textLine(timeText(item.time), item.type, item.amount, item.balance, item.reference, whatOf(item)),
      )
      .join(''),
  end: (page) => balanceLine(page.to, 'closing', page.closing_balance),
};

const asCsv: Form<Page> = {
  head: ({ from, opening_balance: opening }) => csvHead(houseColumns, from, opening),
  lines: ({ items }) => (items.length === 0 ? '' : csvItems(houseColumns, items)),
  end: ({ to, closing_balance: closing }) => csvEnd(houseColumns, to, closing),
};

const asJson: Form<Page> = {
  head: ({ items: _items, cursor: _cursor, ...head }) =>
    `{"data":${JSON.stringify(head).slice(0, -1)},"items":[`,
  lines: ({ items }, isFirst) => jsonItems(items, isFirst),
  end: () => '\n],"cursor":null}}\n',
};

export const printStatement = printPages<Page>({ text: asText, csv: asCsv, json: asJson });

function titleOf({ merchant, environment, currency, from, to }: Page): string {
  const lastDay = new Date(Date.parse(to) - 1);
  return `Statement of ${merchant}, ${environment}, in ${currency}, ${formatDay(new Date(from))} to ${formatDay(lastDay)} (Lagos)`;
}

const headings = textLine('TIME', 'TYPE', 'AMOUNT', 'BALANCE', 'REFERENCE', 'WHAT');

function balanceLine(time: string, kind: string, balance: string): string {
  return textLine(timeText(time), kind, '', balance, '');
}

/** Describes an entry: the product and recipient, or the memo of a correction. */
function whatOf({ product, network, recipient, memo }: Page['items'][number]): string {
  const parts = [product, network === product ? null : network, recipient, memo];
  return parts.filter((part) => part !== null && part !== '').join(' ');
}

function textLine(
  time: string,
  kind: string,
  amount: string,
  balance: string,
  reference: string,
  what = '',
): string {
  const cells = [
    time.padEnd(TIME_WIDTH),
    kind.padEnd(KIND_WIDTH),
    amount.padStart(AMOUNT_WIDTH),
    balance.padStart(AMOUNT_WIDTH),
    reference.padEnd(REFERENCE_WIDTH),
    what,
  ];
  return `${cells.join('  ').trimEnd()}\n`;
}
