/** Shows a deposit: what came in, where, and whose it is. */
import type { Asking } from '../../audit-log/acting.ts';
import { OperationError } from '../../kernel/errors.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { idField, inputOf } from '../../kernel/operation-fields.ts';
import { depositAnswer, depositOutput } from '../deposit-answer.ts';
import { findDeposit } from '../deposit-store.ts';

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
