/** Payvessel: static virtual accounts in naira. */
import { defineBank } from '../bank-definition.ts';
import { readPayvessel, simulatedPayvessel } from './settings.ts';

export const payvessel = defineBank({
  name: 'payvessel',
  currencies: ['NGN'],
  keyedByEmail: false,
  readSettings: readPayvessel,
  simulatedSettings: simulatedPayvessel,
  connect: async (settings) => (await import('./connector.ts')).createPayvessel(settings),
});
