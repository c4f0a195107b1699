/**
 * Lists what moved a wallet, as its merchant sees it: a correction's memo is for the house alone.
 */
import { Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import type { Clock } from '../../kernel/clock.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { amountOutput, inputOf, pageFields, pageOf, timeOutput } from '../../kernel/operation-fields.ts';
import { statementItemOutput } from '../statement-item.ts';
import { readStatement, statementInput } from './show-statement.ts';

const { memo: _, ...told } = statementItemOutput.properties;

export const listEntriesOperation = defineOperation({
  name: 'wallet.entries',
  kind: 'question',
  summary: 'list what moved a wallet over some days, with the balances, as the merchant sees it',
  roles,
  portal: { roles: ['viewer', 'finance'] },
  route: 'GET /merchants/{merchant}/wallet/entries',
  document: 'operators/console.md',
  input: inputOf({ ...statementInput.properties, limit: pageFields.limit }),
  output: pageOf(Type.Object(told), {
    from: timeOutput,
    /** The first moment that is no more part of it. */
    to: timeOutput,
    opening_balance: amountOutput,
    closing_balance: amountOutput,
  }),
  run: async (asking: Asking & { readonly clock: Clock }, { limit = 50, ...asked }) => {
    const statement = await readStatement(asking, { ...asked, limit });
    const { items, cursor, from, to, opening_balance, closing_balance } = statement;
    return {
      data: items.map(({ memo: __, ...item }) => item),
      cursor,
      from,
      to,
      opening_balance,
      closing_balance,
    };
  },
});
