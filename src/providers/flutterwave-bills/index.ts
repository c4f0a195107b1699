/** Flutterwave's bills: airtime, data, electricity and cable. */
import { defineProvider } from '../provider-definition.ts';
import { parseFlutterwaveCallback } from './callback.ts';
import { flutterwaveBillsSettings, readFlutterwaveBills } from './settings.ts';

export const flutterwaveBills = defineProvider({
  name: 'flutterwave-bills',
  products: ['airtime', 'data', 'ELECTRICITY', 'CABLE'],
  // Amounts are numbers of naira. Kobo are not documented, and a paid amount is never rounded.
  wholeNairaOnly: ['airtime', 'data', 'ELECTRICITY', 'CABLE'],
  readSettings: readFlutterwaveBills,
  settings: flutterwaveBillsSettings.kinds,
  connect: async (settings) => (await import('./connector.ts')).createFlutterwaveBills(settings),
  readCallbacks: ({ secretHash }) =>
    secretHash === undefined
      ? undefined
      : ({ body, headers, raw }) => parseFlutterwaveCallback(body, headers, raw, secretHash),
});
