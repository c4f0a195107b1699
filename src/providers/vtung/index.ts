/** VTU.ng and eBills.africa: airtime, data, electricity, cable and betting. */
import { defineProvider } from '../provider-definition.ts';
import { parseVtungCallback } from './callback.ts';
import { readVtung, vtungSettings } from './settings.ts';

export const vtung = defineProvider({
  name: 'vtung',
  products: ['airtime', 'data', 'ELECTRICITY', 'CABLE', 'BETTING'],
  // The betting companies have fixed ids.
  sellsWithoutCodes: ['BETTING'],
  wholeNairaOnly: ['airtime', 'ELECTRICITY', 'BETTING'],
  readSettings: readVtung,
  settings: vtungSettings.kinds,
  connect: async (settings, tokens) => (await import('./connector.ts')).createVtung(settings, tokens),
  readCallbacks: ({ pin }) =>
    pin === undefined ? undefined : ({ raw, body, headers }) => parseVtungCallback(raw, body, headers, pin),
});
