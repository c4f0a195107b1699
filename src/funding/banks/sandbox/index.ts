/** The sandbox bank. It keeps accounts of test credentials in our database and has no settings. */
import { newId } from '../../../core/ids.ts';
import { defineBank } from '../bank-definition.ts';
import { createSandboxBank } from './connector.ts';
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
