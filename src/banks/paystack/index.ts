/** Paystack: dedicated virtual accounts in naira. */
import { defineBank } from '../bank-definition.ts';
import { readPaystack, simulatedPaystack } from './settings.ts';

export const paystack = defineBank({
  name: 'paystack',
  currencies: ['NGN'],
  keyedByEmail: true,
  readSettings: readPaystack,
  simulatedSettings: simulatedPaystack,
  connect: async (settings) => (await import('./connector.ts')).createPaystack(settings),
});
