/**
 * Plays a customer who pays into a funding account: at a bank of play money, or at the demo's
 * simulator. Real banks take no part in it.
 */
import { Type } from 'typebox';
import type { Tasking } from '../../audit-log/acting.ts';
import { recordOperation } from '../../audit-log/audit-log-store.ts';
import type { BankDefinition } from '../../banks/bank-definition.ts';
import { invariant, OperationError } from '../../kernel/errors.ts';
import { formatAmount, parseAmount } from '../../kernel/money.ts';
import { admins, defineOperation } from '../../kernel/operation.ts';
import { amountField, amountOutput, inputOf, text } from '../../kernel/operation-fields.ts';
import { findAccountByNumber } from '../funding-account-store.ts';
import { insertNotices } from '../notice-store.ts';

type Needs = Tasking & {
  readonly banks: readonly BankDefinition[];
  readonly simulatorUrl: string | undefined;
};
type Transfer = {
  readonly account: string;
  readonly amount: string;
  readonly provider?: string;
  readonly notices: number;
};
type Paid = { readonly provider: string; readonly reference: string };

const SIMULATOR_MS = 10_000;

export const payInOperation = defineOperation({
  name: 'bank.transfer',
  kind: 'task',
  summary: 'play a customer who pays into a funding account of the demo, or of test credentials',
  roles: admins,
  withoutStepUp: true,
  route: 'POST /bank/transfers',
  document: 'operators/funding.md',
  input: inputOf({
    account: Type.String({ description: 'an account number of ten digits', pattern: '^[0-9]{10}$' }),
    amount: amountField,
    provider: Type.Optional(text('the bank, by its name: for an account that nobody has')),
    notices: Type.Integer({
      description: 'how often the bank tells of it, from 0 (never) to 100',
      minimum: 0,
      maximum: 100,
      default: 1,
    }),
  }),
  output: Type.Object({
    provider: Type.String(),
    reference: Type.String(),
    account_number: Type.String(),
    amount: amountOutput,
  }),
  run: async (needs: Needs, transfer) => {
    const amount = parseAmount(transfer.amount) ?? 0n;
    const paid = await pay(needs, transfer, amount);
    return { ...paid, account_number: transfer.account, amount: formatAmount(amount) };
  },
});

async function pay(needs: Needs, transfer: Transfer, amount: bigint): Promise<Paid> {
  const { account: accountNumber } = transfer;
  const account = await findAccountByNumber(needs.sql, accountNumber);
  if (account === undefined && transfer.provider === undefined) {
    throw new OperationError({ code: 'account_is_nobodys', account: accountNumber });
  }
  const bank = needs.banks.find(({ name }) => name === account?.provider);
  if (account === undefined || bank?.payIn === undefined) {
    const paid = await payIntoSimulator(needs, transfer, amount);
    await needs.database.transaction((tx) => recordOperation(tx, entryOf(needs, transfer, paid)));
    return paid;
  }
  const { payIn, name: provider } = bank;
  return await needs.database.transaction(async (tx) => {
    const reference = await payIn(tx, { accountNumber, currency: account.currency, amount });
    invariant(reference !== undefined, 'a transfer without a reference gets one of its own');
    // The transfer and the hint at it, together: such a bank sends no notices.
    await insertNotices(tx, provider, [reference], 'notice');
    const paid = { provider, reference };
    await recordOperation(tx, entryOf(needs, transfer, paid));
    return paid;
  });
}

function entryOf({ actor }: Needs, { account, amount }: Transfer, paid: Paid) {
  return { actor, action: 'bank.transfer', subject: `account:${account}`, after: { amount, ...paid } };
}

async function payIntoSimulator(
  { simulatorUrl: url }: Needs,
  { account, provider, notices }: Transfer,
  amount: bigint,
): Promise<Paid> {
  if (url === undefined) throw new OperationError({ code: 'no_simulated_bank' });
  const answer = await fetch(`${url}/bank/transfers`, {
    method: 'POST',
    body: JSON.stringify({ account_number: account, amount: formatAmount(amount), provider, notices }),
    signal: AbortSignal.timeout(SIMULATOR_MS),
  }).catch(() => {
    throw new OperationError({ code: 'simulator_silent', url });
  });
  const said = (await answer.json()) as Paid & { readonly errors?: readonly string[] };
  if (!answer.ok) throw new OperationError({ code: 'simulator_refuses', errors: said.errors ?? [] });
  return { provider: said.provider, reference: said.reference };
}
