/**
 * Shows the statement of a wallet over some days, page by page. The pages of one reading belong
 * together: the first fixes where the statement ends.
 */

import { type Static, Type } from 'typebox';
import { type Clock, formatDay, formatRfc3339, nextDay, parseDay } from '../../core/clock.ts';
import { environments } from '../../core/environment.ts';
import { OperationError } from '../../core/errors.ts';
import { formatAmount } from '../../core/money.ts';
import { nullableText } from '../../core/nullable.ts';
import { defineOperation, roles } from '../../core/operation.ts';
import {
  amountOutput,
  currencyField,
  dayField,
  environmentField,
  inputOf,
  merchantField,
  oneOf,
  pageFields,
  pageOf,
  timeOutput,
} from '../../core/operation-fields.ts';
import { cellOf } from '../../db/in-each-cell.ts';
import { findByCode } from '../../merchants/require-merchant.ts';
import type { Asking } from '../../oversight/log/acting.ts';
import { requireWallet } from '../require-wallet.ts';
import {
  lineKinds,
  type Period,
  readStatementPage,
  type StatementCursor,
  type StatementLine,
} from '../statement.ts';
import { findWalletOf } from '../wallet-store.ts';

const statementItemOutput = Type.Object({
  time: timeOutput,
  type: oneOf(lineKinds),
  reference: Type.String(),
  internal_reference: Type.String(),
  amount: amountOutput,
  balance: amountOutput,
  /** The product and customer of a purchase; null for other lines. */
  product: nullableText,
  network: nullableText,
  recipient: nullableText,
  /** The account that a deposit was paid to. */
  paid_to: nullableText,
  /** The reason of a correction. For operators also others, such as the order of a voucher. */
  memo: nullableText,
});

export type StatementItem = Static<typeof statementItemOutput>;

/** A line of a statement in the output of operations and in CSV. */
export function statementItem({
  at,
  kind,
  reference,
  subjectId,
  amount,
  balance,
  sold,
  paidTo,
  memo,
}: StatementLine): StatementItem {
  return {
    time: formatRfc3339(at),
    type: kind,
    reference,
    internal_reference: subjectId,
    amount: formatAmount(amount),
    balance: formatAmount(balance),
    product: sold?.product ?? null,
    network: sold?.network ?? null,
    recipient: sold?.recipient ?? null,
    paid_to: paidTo ?? null,
    memo: memo ?? null,
  };
}

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

const statementInput = inputOf({
  merchant: merchantField,
  from: Type.Optional({
    ...dayField,
    description: 'a day such as 2026-11-21, the first in Lagos; without it, only the last day',
  }),
  to: Type.Optional({ ...dayField, description: 'a day such as 2026-11-30, the last; without it, today' }),
  environment: oneOf(environments, { default: 'live' }),
  currency: currencyField,
  limit: Type.Integer({
    description: 'a whole number from 1 to 1000',
    minimum: 1,
    maximum: 1_000,
    default: 50,
  }),
  cursor: Type.Optional(
    Type.String({ description: 'the cursor of the page before', pattern: `^${uuid}\\.${uuid}$` }),
  ),
});

export const showStatementOperation = defineOperation({
  name: 'wallet.statement',
  kind: 'question',
  summary:
    'list the entries of a wallet with the opening balance, the balance after each, and the closing balance',
  roles,
  route: 'GET /merchants/{merchant}/wallet/statement',
  document: 'operators/merchants.md',
  input: statementInput,
  output: Type.Object({
    merchant: Type.String(),
    environment: environmentField,
    currency: currencyField,
    from: timeOutput,
    /** The first moment after the period. */
    to: timeOutput,
    opening_balance: amountOutput,
    closing_balance: amountOutput,
    items: Type.Array(statementItemOutput),
    cursor: nullableText,
  }),
  run: readStatement,
});

/**
 * Throws OperationError: `no_merchant`, `merchant_has_no_wallet`, `days_backwards`,
 * `no_such_cursor`.
 */
async function readStatement(
  { sql, clock }: Asking & { readonly clock: Clock },
  { merchant: code, environment, currency, limit, cursor: text, ...days }: Static<typeof statementInput>,
) {
  const now = clock.now();
  const period = periodOf(days, now);
  const merchant = await findByCode(sql, code);
  const found = await findWalletOf(sql, merchant.id, environment, currency);
  const wallet = requireWallet(found, merchant, environment, currency);
  const stated = { accountId: wallet.account_id, merchantId: merchant.id, environment };
  const cursor = text === undefined ? undefined : readCursor(text);
  const page = await readStatementPage(
    await cellOf(sql, merchant.id),
    stated,
    period,
    { cursor, limit },
    now,
  );
  if (page === undefined) throw new OperationError({ code: 'no_such_cursor', cursor: text ?? '' });
  return {
    merchant: merchant.code,
    environment,
    currency,
    from: formatRfc3339(period.from),
    to: formatRfc3339(period.to),
    opening_balance: formatAmount(page.opening),
    closing_balance: formatAmount(page.closing),
    items: page.lines.map(statementItem),
    cursor: page.next === undefined ? null : `${page.next.last}.${page.next.end}`,
  };
}

type Days = Pick<Static<typeof statementInput>, 'from' | 'to'>;

function periodOf({ from: first, to: last }: Days, now: Date): Period {
  const end = parseDay(last ?? formatDay(now)) ?? now;
  const from = first === undefined ? end : (parseDay(first) ?? end);
  if (from > end) {
    throw new OperationError({ code: 'days_backwards', from: formatDay(from), to: formatDay(end) });
  }
  return { from, to: nextDay(end) };
}

function readCursor(text: string): StatementCursor {
  const [last = '', end = ''] = text.split('.');
  return { last, end };
}

const { memo: _, ...common } = statementItemOutput.properties;
const told = {
  ...common,
  /** Why the operator adjusted the balance. */
  reason: nullableText,
};

export const listEntriesOperation = defineOperation({
  name: 'wallet.entries',
  kind: 'question',
  summary: 'list the entries of a wallet in a range of days, with the balances, as the merchant sees them',
  roles,
  portal: { roles: ['viewer', 'finance'] },
  route: 'GET /merchants/{merchant}/wallet/entries',
  document: 'operators/merchants.md',
  input: inputOf({ ...statementInput.properties, limit: pageFields.limit }),
  output: pageOf(Type.Object(told), {
    from: timeOutput,
    /** The first moment after the period. */
    to: timeOutput,
    opening_balance: amountOutput,
    closing_balance: amountOutput,
  }),
  run: async (asking: Asking & { readonly clock: Clock }, { limit = 50, ...asked }) => {
    const statement = await readStatement(asking, { ...asked, limit });
    const { items, cursor, from, to, opening_balance, closing_balance } = statement;
    return {
      data: items.map(({ memo, ...item }) => ({ ...item, reason: item.type === 'correction' ? memo : null })),
      cursor,
      from,
      to,
      opening_balance,
      closing_balance,
    };
  },
});
