/**
 * Lists the balance of each account at the end of a day: a trial balance, whose two sides are
 * equal.
 */
import { Type } from 'typebox';
import { type Clock, formatDay } from '../../../core/clock.ts';
import { environments } from '../../../core/environment.ts';
import { formatAmount } from '../../../core/money.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import {
  amountOutput,
  currencyField,
  dayField,
  inputOf,
  oneOf,
  pageOf,
  text,
} from '../../../core/operation-fields.ts';
import { pageOfRead } from '../../../core/page.ts';
import type { Database } from '../../../db/database.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { journalAccount } from '../journal-account.ts';
import { listBalancesAt, sumBalances } from '../ledger-store.ts';
import { catchUpShortly, requireComplete } from '../read-report.ts';

export const balanceBooksOperation = defineOperation({
  name: 'books.balance',
  kind: 'question',
  summary: 'list the balance of each account at the end of a day, as debits and credits (trial balance)',
  roles,
  route: 'GET /books/balance',
  document: 'operators/reports.md',
  input: inputOf({
    at: Type.Optional({
      ...dayField,
      description: 'a day such as 2026-11-21, in Lagos; by default, today up to now',
    }),
    environment: oneOf(environments, { default: 'live' }),
    limit: Type.Optional(
      Type.Integer({
        description: 'a whole number from 1 to 1000',
        minimum: 1,
        maximum: 1_000,
        default: 1_000,
      }),
    ),
    cursor: Type.Optional(text('the cursor of the previous page')),
  }),
  output: pageOf(
    Type.Object({
      account: Type.String(),
      name: Type.String(),
      currency: currencyField,
      debit: amountOutput,
      credit: amountOutput,
    }),
    {
      /** The totals of all accounts, one for each currency. */
      totals: Type.Array(Type.Object({ currency: currencyField, debit: amountOutput, credit: amountOutput })),
    },
  ),
  run: async (
    { sql, database, clock }: Asking & { readonly database: Database; readonly clock: Clock },
    { at, environment, limit = 1_000, cursor: after },
  ) => {
    const now = clock.now();
    const day = at ?? formatDay(now);
    const days = { environment, from: day, to: day };
    if (after === undefined) await catchUpShortly(database);
    return await sql.transaction(
      async (tx) => {
        await requireComplete(tx, days, now);
        const rows = await listBalancesAt(tx, environment, day, { after, limit: limit + 1 });
        const sums = await sumBalances(tx, environment, day);
        const page = pageOfRead(rows, limit, ({ code }) => code);
        return {
          data: page.data.map((row) => ({
            account: row.code,
            name: journalAccount(row),
            currency: row.currency,
            debit: row.balance < 0n ? formatAmount(-row.balance) : '',
            credit: row.balance < 0n ? '' : formatAmount(row.balance),
          })),
          cursor: page.cursor,
          totals: [...Map.groupBy(sums, ({ currency }) => currency)].map(([currency, own]) => ({
            currency,
            debit: formatAmount(own.reduce((total, { below }) => total - below, 0n)),
            credit: formatAmount(own.reduce((total, { above }) => total + above, 0n)),
          })),
        };
      },
      { isolation: 'repeatable read', readOnly: true },
    );
  },
});
