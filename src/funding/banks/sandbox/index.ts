/** The sandbox bank. It keeps accounts of test credentials in our database and has no settings. */

import { createHash } from 'node:crypto';
import { newId } from '../../../core/ids.ts';
import type { Sql } from '../../../db/database.ts';
import { defineBank } from '../bank-definition.ts';
import type { BankAccount, BankConnector } from '../funding-provider.ts';
import { findSandboxTransfer, insertSandboxTransfer } from './sandbox-store.ts';

export const sandboxBank = defineBank({
  name: 'sandbox',
  environment: 'test',
  currencies: ['NGN', 'USD', 'EUR', 'GBP', 'CAD', 'AED'],
  keyedByEmail: false,
  readSettings: () => ({}),
  connect: (_settings, { sql }) => createSandboxBank(sql),
  payIn: async (sql, { accountNumber, currency, amount }, given = newId()) => {
    const reference = `SBX-${given}`;
    await insertSandboxTransfer(sql, { reference, account_number: accountNumber, currency, amount });
    const played = await findSandboxTransfer(sql, reference);
    const isSame =
      played?.account_number === accountNumber && played.amount === amount && played.currency === currency;
    return isSame ? reference : undefined;
  },
});

/**
 * Every registration gets an account at once, in any currency, and `POST /v1/test/deposits` pays
 * into it. The bank sends no notices and lists no payments: the transfer itself stores a notice.
 */
function createSandboxBank(sql: Sql): BankConnector {
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
