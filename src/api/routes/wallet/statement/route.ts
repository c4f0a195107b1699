/**
 * GET /v1/wallet/statement: the movements of the wallet on some days, as pages of JSON or as one
 * CSV file.
 */
import { Readable } from 'node:stream';
import { formatDay, formatRfc3339, nextDay, parseDay } from '../../../../core/clock.ts';
import { isUuid } from '../../../../core/ids.ts';
import { formatAmount } from '../../../../core/money.ts';
import type { Period, StatementCursor } from '../../../../wallet/statement.ts';
import type { ServerDependencies } from '../../../dependencies.ts';
import type { Api } from '../../../plumbing/api.ts';
import { principalOf } from '../../../plumbing/authenticate.ts';
import { compressed } from '../../../plumbing/compress-answer.ts';
import { readCurrency } from '../../../plumbing/currency.ts';
import { readWholeNumbers } from '../../../plumbing/read-query.ts';
import { refuseField } from '../../../plumbing/refusal.ts';
import {
  csvAnswer,
  defaultPageSize,
  type StatementAnswer,
  type StatementQuery,
  statementAnswer,
  statementQuery,
} from './schema.ts';

export function registerStatementRoute(
  api: Api,
  { wallets, log }: Pick<ServerDependencies, 'wallets' | 'log'>,
): void {
  const schema = {
    operationId: 'getWalletStatement',
    summary: 'Read the statement of the wallet',
    description:
      'The movements of the wallet on some days, in pages, oldest first. With format=csv, or Accept: text/csv, all of them as CSV.',
    tags: ['Wallet'],
    querystring: statementQuery,
    response: { 200: statementAnswer },
    otherAnswers: { 'text/csv': csvAnswer },
    refusals: [{ code: 'no_wallet', currency: 'USD' }, { code: 'cursor_of_other_statement' }] as const,
  };
  const preValidation = async ({ query }: { query: unknown }): Promise<void> =>
    readWholeNumbers(query, ['limit']);
  api.get(
    '/v1/wallet/statement',
    { schema, preValidation, ...compressed },
    async (request, reply): Promise<StatementAnswer> => {
      const { limit = defaultPageSize, ...query } = request.query;
      const currency = readCurrency(query.currency);
      const period = periodOf(query);
      const principal = principalOf(request);
      if (wantsCsv(request.headers.accept, query.format)) {
        const pieces = Readable.from(await wallets.statementCsv(principal, currency, period));
        // The status is already sent, so the connection is closed: an incomplete statement is never
        // mistaken for a complete one.
        pieces.on('error', (error) => log.error({ err: error, reqId: request.id }, 'a statement broke off'));
        reply
          .type('text/csv; charset=utf-8')
          .header('content-disposition', `attachment; filename="${fileName(period)}"`);
        return pieces;
      }
      const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor);
      const page = await wallets.statement(principal, currency, period, { cursor, limit });
      return {
        state: 'ok',
        result: {
          opening_balance: formatAmount(page.opening),
          closing_balance: formatAmount(page.closing),
          items: page.lines.map((line) => ({
            time: formatRfc3339(line.at),
            type: line.kind,
            reference: line.reference,
            internal_reference: line.subjectId,
            amount: formatAmount(line.amount),
            balance: formatAmount(line.balance),
          })),
          next_cursor: page.next === undefined ? null : `${page.next.last}.${page.next.end}`,
        },
      };
    },
  );
}

/** `statement-2026-11-01-2026-11-30.csv`: the first and the last day. */
function fileName({ from, to }: Period): string {
  return `statement-${formatDay(from)}-${formatDay(new Date(to.getTime() - 1))}.csv`;
}

/** `format` decides. Without it, a header that prefers CSV to JSON. */
function wantsCsv(accept: string | undefined, format: StatementQuery['format']): boolean {
  if (format !== undefined) return format.toLowerCase() === 'csv';
  return accept !== undefined && /\btext\/csv\b/i.test(accept) && !/\bapplication\/json\b/i.test(accept);
}

function periodOf({ from, to }: Pick<StatementQuery, 'from' | 'to'>): Period {
  const last = readDay('to', to ?? formatDay(new Date()));
  const first = from === undefined ? last : readDay('from', from);
  if (first > last) throw refuseField('from', 'days_reversed', 'from must not be after to');
  return { from: first, to: nextDay(last) };
}

function readDay(field: string, text: string): Date {
  const day = parseDay(text);
  if (day === undefined)
    throw refuseField(field, 'day_malformed', `${field} must be a day in Lagos as "YYYY-MM-DD"`);
  return day;
}

function readCursor(text: string): StatementCursor {
  const [last = '', end = '', ...rest] = text.split('.');
  if (!isUuid(last) || !isUuid(end) || rest.length > 0) {
    throw refuseField('cursor', 'cursor_malformed', 'cursor must be the next_cursor of the previous page');
  }
  return { last, end };
}
