/**
 * Pays play money into a merchant's test wallet over the merchants' API, with a test key and its
 * secret. The deposit is handled like a real one.
 *
 * Guarantees: a live credential is refused before anything is sent, the secret is neither stored
 * nor shown, and a reference pays once.
 */

import { OperationError } from '../../core/errors.ts';
import { defineOperation, supporters } from '../../core/operation.ts';
import { amountField, inputOf, text } from '../../core/operation-fields.ts';
import {
  requireTestCredential,
  type Tried,
  triedFields,
  triedOutput,
} from '../../merchants/credential-answer.ts';
import type { Tasking } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';

/** A deposit to make over the API. */
type TriedDeposit = {
  readonly credential: string;
  readonly secret: string;
  readonly amount: string;
  readonly reference: string;
};

/** Sends the deposit to the merchants' API. Undefined when the API does not answer. */
export type PayInOverApi = (deposit: TriedDeposit) => Promise<Tried | undefined>;

type Needs = Tasking & { readonly payInOverApi?: PayInOverApi };

export const tryDepositOperation = defineOperation({
  name: 'deposit.try',
  kind: 'task',
  summary: 'pay test money into a test wallet over the API, and show the request and the answer',
  roles: supporters,
  portal: { roles: ['developer'] },
  withoutStepUp: true,
  route: 'POST /merchants/{merchant}/deposits/try',
  document: 'merchants/portal.md',
  input: inputOf({
    ...triedFields,
    amount: { ...amountField, default: '5000' },
    reference: text('your own reference, new for each deposit', { maxLength: 60 }),
  }),
  output: triedOutput,
  run: async ({ database, actor, payInOverApi }: Needs, deposit) => {
    const { credential, merchant, amount, reference } = deposit;
    await database.transaction(async (tx) => {
      await requireTestCredential(tx, credential, merchant);
      await recordOperation(tx, {
        actor,
        action: 'deposit.try',
        subject: `credential:${credential}`,
        after: { amount, reference },
      });
    });
    const answer = await payInOverApi?.(deposit);
    if (answer === undefined) throw new OperationError({ code: 'api_silent' });
    return answer;
  },
});
