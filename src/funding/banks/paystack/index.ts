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
  statementMapping: paystackStatement,
  connect: async (settings) => (await import('./connector.ts')).createPaystack(settings),
});
