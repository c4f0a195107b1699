/** Flutterwave: permanent virtual accounts in naira. */
import { defineBank } from '../bank-definition.ts';
import { readFlutterwave, simulatedFlutterwave } from './settings.ts';

export const flutterwave = defineBank({
  name: 'flutterwave',
  currencies: ['NGN'],
  keyedByEmail: false,
  readSettings: readFlutterwave,
  simulatedSettings: simulatedFlutterwave,
  isTestAccount: ({ secretKey }) => secretKey.startsWith('FLWSECK_TEST'),
  connect: async (settings) => (await import('./connector.ts')).createFlutterwave(settings),
});
