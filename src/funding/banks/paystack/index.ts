/** Paystack: dedicated virtual accounts in naira. */
import { defineBank } from '../bank-definition.ts';
import { readPaystack, simulatedPaystack } from './settings.ts';
import { paystackStatement } from './statement.ts';

export const paystack = defineBank({
  name: 'paystack',
  currencies: ['NGN'],
  keyedByEmail: true,
  readSettings: readPaystack,
  simulatedSettings: simulatedPaystack,
  isTestAccount: ({ secretKey }) => secretKey.startsWith('sk_test_'),
  statementMapping: paystackStatement,
  connect: async (settings) => (await import('./connector.ts')).createPaystack(settings),
});
