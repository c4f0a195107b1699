/** Lists the vending lines at MTN of a merchant, with the balances that a provider last told. */
import { Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { formatRfc3339 } from '../../kernel/clock.ts';
import { formatAmount } from '../../kernel/money.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import {
  amountOrNull,
  inputOf,
  merchantField,
  pageFields,
  pageOf,
  timeOrNull,
} from '../../kernel/operation-fields.ts';
import { pageOfWhole } from '../../kernel/page.ts';
import { findByCode } from '../../merchants/find-by-code.ts';
import { listMtnLines } from '../mtn-line-store.ts';
import { lineEnvironmentField } from './set-mtn-line.ts';

export const listMtnLinesOperation = defineOperation({
  name: 'merchant.list_mtn_lines',
  kind: 'question',
  summary: "list a merchant's lines, with the balances that a provider last told",
  roles,
  route: 'GET /merchants/{merchant}/mtn-lines',
  document: 'operators/credit-lines.md',
  input: inputOf({ merchant: merchantField, environment: lineEnvironmentField, ...pageFields }),
  output: pageOf(
    Type.Object({
      phone: Type.String(),
      client_name: Type.String(),
      balance: amountOrNull,
      balance_at: timeOrNull,
    }),
  ),
  run: async ({ sql }: Asking, { merchant: code, environment, limit = 50, cursor }) => {
    const merchant = await findByCode(sql, code);
    const lines = await listMtnLines(sql, { merchantId: merchant.id, environment });
    const rows = lines.map((line) => ({
      phone: line.phone,
      client_name: line.client_name,
      balance: line.balance === null ? null : formatAmount(line.balance),
      balance_at: line.balance_at && formatRfc3339(line.balance_at),
    }));
    return pageOfWhole(rows, { limit, cursor }, ({ phone }) => phone);
  },
});
