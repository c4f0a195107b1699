/**
 * The bank of test credentials. Every registration gets an account at once, in any currency, and
 * `POST /v1/test/deposits` pays into it. It sends no notices and lists no payments: the transfer
 * itself stores a notice.
 */
import { createHash } from 'node:crypto';
import type { Sql } from '../../../db/database.ts';
import type { BankAccount, BankConnector } from '../funding-provider.ts';
import { findSandboxTransfer } from './sandbox-store.ts';

export function createSandboxBank(sql: Sql): BankConnector {
  return {
    openAccount: async ({ reference, identity }) => ({
      kind: 'active',
      account: accountOf(reference, `${identity.firstName} ${identity.lastName}`),
    }),
    lookUpAccount: async ({ reference, identity }) => ({
      kind: 'active',
      account: accountOf(reference, `${identity.firstName} ${identity.lastName}`),
    }),
    findPayment: async (reference) => {
      const transfer = await findSandboxTransfer(sql, reference);
      if (transfer === undefined) return { kind: 'not_paid', reason: 'no such transfer' };
      return {
        kind: 'paid',
        payment: {
          reference,
          paidTo: { kind: 'number', value: transfer.account_number },
          amount: transfer.amount,
          currency: transfer.currency,
          paidAt: transfer.at,
        },
      };
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
}

/** Derives the account from its reference. Its number begins with 99, unlike any real bank's. */
function accountOf(reference: string, holder: string): BankAccount {
  const digits =
    BigInt(`0x${createHash('sha256').update(reference).digest('hex').slice(0, 15)}`) % 100_000_000n;
  return {
    number: `99${digits.toString().padStart(8, '0')}`,
    name: `TEST ${holder}`.toUpperCase(),
    bankName: 'Oja Sandbox Bank',
  };
}
