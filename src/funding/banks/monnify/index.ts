/** Monnify: reserved accounts in naira. */
import { defineBank } from '../bank-definition.ts';
import { readMonnify, simulatedMonnify } from './settings.ts';
import { monnifyStatement } from './statement.ts';

export const monnify = defineBank({
  name: 'monnify',
  currencies: ['NGN'],
  keyedByEmail: false,
  readSettings: readMonnify,
  simulatedSettings: simulatedMonnify,
  isTestAccount: ({ apiKey }) => apiKey.startsWith('MK_TEST_'),
  statementMapping: monnifyStatement,
  connect: async (settings) => (await import('./connector.ts')).createMonnify(settings),
});
