/** Lists and shows deposits, and adds up all deposits that the filters choose. */

import { type Static, Type } from 'typebox';
import { nextDay, parseDay } from '../../core/clock.ts';
import { OperationError } from '../../core/errors.ts';
import { nullableText } from '../../core/nullable.ts';
import { defineOperation, roles } from '../../core/operation.ts';
import {
  amountOutput,
  currencyField,
  dayField,
  environmentField,
  environmentsField,
  idField,
  inputOf,
  nullableAmount,
  nullableTime,
  oneOf,
  pageFields,
  pageOf,
  text,
  timeOutput,
} from '../../core/operation-fields.ts';
import { pageOfRead } from '../../core/page.ts';
import type { Sql } from '../../db/database.ts';
import { findByCode } from '../../merchants/require-merchant.ts';
import type { Asking } from '../../oversight/log/acting.ts';
import {
  type DepositChoice,
  type DepositRow,
  findDeposit,
  listDeposits,
  sumDeposits,
} from '../deposit-store.ts';

const depositOutput = Type.Object({
  id: Type.String(),
  state: oneOf(['suspense', 'credited', 'assigned']),
  /** Null in suspense. */
  merchant: nullableText,
  environment: environmentField,
  currency: currencyField,
  gross: amountOutput,
  fee: amountOutput,
  /** What the bank reports as paid out; null when it does not report it. */
  settled: nullableAmount,
  provider: Type.String(),
  provider_reference: Type.String(),
  paid_to: Type.String(),
  paid_at: timeOutput,
  received_at: timeOutput,
  assigned_at: nullableTime,
});

function depositAnswer(row: DepositRow) {
  return { ...row, state: stateOf(row), merchant: row.merchant_code, received_at: row.created_at };
}

function stateOf(row: DepositRow): 'suspense' | 'credited' | 'assigned' {
  if (row.assigned_at !== null) return 'assigned';
  return row.merchant_code === null ? 'suspense' : 'credited';
}

const filters = {
  suspense: Type.Optional(
    Type.Boolean({ description: 'true for deposits that no merchant was credited with', default: false }),
  ),
  merchant: Type.Optional(text('the code of a merchant, to list only its deposits')),
  provider: Type.Optional(text('the name of a bank, to list only its deposits')),
  environment: environmentsField,
  day: Type.Optional({
    ...dayField,
    description: 'a day such as 2026-11-21, in Lagos, to list only deposits paid on it',
  }),
};

const filterInput = inputOf(filters);

export const listDepositsOperation = defineOperation({
  name: 'deposit.list',
  kind: 'question',
  summary: 'list deposits, newest first',
  roles,
  listsPeople: true,
  route: 'GET /deposits',
  document: 'operators/funding.md',
  input: inputOf({ ...filters, ...pageFields, cursor: Type.Optional(idField) }),
  output: pageOf(depositOutput),
  run: async ({ sql }: Asking, { limit = 50, cursor: after, ...filter }) => {
    const rows = await listDeposits(sql, { ...(await choiceOf(sql, filter)), after, limit: limit + 1 });
    return pageOfRead(rows.map(depositAnswer), limit, ({ id }) => id);
  },
});

export const sumDepositsOperation = defineOperation({
  name: 'deposit.total',
  kind: 'question',
  summary: 'total deposits by bank, environment and currency, to compare with the report of the bank',
  roles,
  route: 'GET /deposit-totals',
  document: 'operators/funding.md',
  input: filterInput,
  output: Type.Array(
    Type.Object({
      provider: Type.String(),
      environment: environmentField,
      currency: currencyField,
      deposits: Type.Integer(),
      gross: amountOutput,
      fees: amountOutput,
      settled: amountOutput,
    }),
  ),
  run: async ({ sql }: Asking, filter) => {
    return await sumDeposits(sql, await choiceOf(sql, filter));
  },
});

async function choiceOf(
  sql: Sql,
  { suspense = false, merchant, provider, environment, day }: Static<typeof filterInput>,
): Promise<DepositChoice> {
  const from = day === undefined ? undefined : parseDay(day);
  const owner = merchant === undefined ? undefined : await findByCode(sql, merchant);
  return { suspense, merchantId: owner?.id, provider, environment, from, to: from && nextDay(from) };
}

export const showDepositOperation = defineOperation({
  name: 'deposit.show',
  kind: 'question',
  summary: 'show a deposit',
  roles,
  route: 'GET /deposits/{deposit}',
  document: 'operators/funding.md',
  input: inputOf({ deposit: idField }),
  output: depositOutput,
  run: async ({ sql }: Asking, { deposit: id }) => {
    const deposit = await findDeposit(sql, id);
    if (deposit === undefined) throw new OperationError({ code: 'no_deposit', deposit: id });
    return depositAnswer(deposit);
  },
});
