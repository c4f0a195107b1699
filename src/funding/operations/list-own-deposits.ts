/** Lists a merchant's deposits as the merchant sees them. */

import { Type } from 'typebox';
import { nextDay, parseDay } from '../../core/clock.ts';
import { defineOperation, roles } from '../../core/operation.ts';
import {
  amountOutput,
  currencyField,
  dayField,
  environmentField,
  environmentsField,
  idField,
  inputOf,
  merchantField,
  pageFields,
  pageOf,
  timeOutput,
} from '../../core/operation-fields.ts';
import { pageOfRead } from '../../core/page.ts';
import { findByCode } from '../../merchants/require-merchant.ts';
import type { Asking } from '../../oversight/log/acting.ts';
import { listDeposits } from '../deposit-store.ts';

const ownDepositOutput = Type.Object({
  id: Type.String(),
  environment: environmentField,
  currency: currencyField,
  gross: amountOutput,
  fee: amountOutput,
  /** The amount that the wallet was credited with. */
  net: amountOutput,
  paid_to: Type.String(),
  paid_at: timeOutput,
  credited_at: timeOutput,
});

export const listOwnDepositsOperation = defineOperation({
  name: 'deposit.credited',
  kind: 'question',
  summary:
    'list the bank deposits that a merchant was credited with, newest first, as the merchant sees them',
  roles,
  portal: { roles: ['viewer', 'finance'] },
  route: 'GET /merchants/{merchant}/deposits',
  document: 'operators/merchants.md',
  input: inputOf({
    merchant: merchantField,
    environment: environmentsField,
    day: Type.Optional({
      ...dayField,
      description: 'a day such as 2026-11-21, in Lagos, to list only deposits paid on it',
    }),
    ...pageFields,
    cursor: Type.Optional({ ...idField, description: 'the cursor of the previous page' }),
  }),
  output: pageOf(ownDepositOutput),
  run: async ({ sql }: Asking, { merchant: code, environment, day, limit = 50, cursor: after }) => {
    const { id: merchantId } = await findByCode(sql, code);
    const from = day === undefined ? undefined : parseDay(day);
    const rows = await listDeposits(sql, {
      suspense: false,
      merchantId,
      provider: undefined,
      environment,
      from,
      to: from && nextDay(from),
      after,
      limit: limit + 1,
    });
    return pageOfRead(
      rows.map((row) => ({
        ...row,
        net: row.gross - row.fee,
        credited_at: row.assigned_at ?? row.created_at,
      })),
      limit,
      ({ id }) => id,
    );
  },
});
