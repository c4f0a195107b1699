/**
 * A statement as text for people and as JSON, in pieces, so that a long one is never held whole.
 */

import type { Database } from '../db/database.ts';
import { formatDay, formatRfc3339 } from '../kernel/clock.ts';
import { formatAmount } from '../kernel/money.ts';
import { eachLine, type Period, type Statement, type StatementLine } from '../wallet/statement.ts';
import { formatTime } from './format.ts';

export type StatementHead = {
  readonly merchant: string;
  readonly environment: string;
  readonly currency: string;
  readonly period: Period;
};

const TIME_WIDTH = 19;
const KIND_WIDTH = 10;
const AMOUNT_WIDTH = 16;

export async function* statementText(
  database: Database,
  statement: Statement,
  head: StatementHead,
): AsyncGenerator<string> {
  const { opening, closing } = statement;
  const { from, to } = head.period;
  yield `Statement of ${head.merchant}, ${head.environment}, in ${head.currency}, ${formatDay(from)} to ${formatDay(lastMoment(to))} (Lagos)\n\n`;
  yield textLine('TIME', 'TYPE', 'AMOUNT', 'BALANCE', 'REFERENCE');
  yield textLine(formatTime(from), 'opening', '', formatAmount(opening), '');
  for await (const lines of eachLine(database, statement)) {
    yield lines
      .map(({ at, kind, amount, balance, reference }) =>
        textLine(formatTime(at), kind, formatAmount(amount), formatAmount(balance), reference),
      )
      .join('');
  }
  yield textLine(formatTime(to), 'closing', '', formatAmount(closing), '');
}

export async function* statementJson(
  database: Database,
  statement: Statement,
  head: StatementHead,
): AsyncGenerator<string> {
  const { merchant, environment, currency, period } = head;
  const start = JSON.stringify({
    merchant,
    environment,
    currency,
    from: formatRfc3339(period.from),
    to: formatRfc3339(period.to),
    opening_balance: formatAmount(statement.opening),
    closing_balance: formatAmount(statement.closing),
  });
  yield `{"data":${start.slice(0, -1)},"items":[`;
  let separator = '\n';
  for await (const lines of eachLine(database, statement)) {
    yield separator + lines.map((line) => JSON.stringify(itemOf(line))).join(',\n');
    separator = ',\n';
  }
  yield '\n]}}\n';
}

function itemOf({ at, kind, reference, subjectId, amount, balance }: StatementLine): object {
  return {
    time: formatRfc3339(at),
    type: kind,
    reference,
    internal_reference: subjectId,
    amount: formatAmount(amount),
    balance: formatAmount(balance),
  };
}

function textLine(time: string, kind: string, amount: string, balance: string, reference: string): string {
  const cells = [
    time.padEnd(TIME_WIDTH),
    kind.padEnd(KIND_WIDTH),
    amount.padStart(AMOUNT_WIDTH),
    balance.padStart(AMOUNT_WIDTH),
    reference,
  ];
  return `${cells.join('  ').trimEnd()}\n`;
}

function lastMoment(end: Date): Date {
  return new Date(end.getTime() - 1);
}
