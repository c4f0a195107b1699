/** VTpass: airtime, data, electricity, cable and education PINs. */
import { defineProvider } from '../provider-definition.ts';
import { parseVtpassCallback } from './callback.ts';
import { readVtpass, simulatedVtpass, vtpassSettings } from './settings.ts';
import { vtpassStatement } from './statement.ts';

export const vtpass = defineProvider({
  name: 'vtpass',
  products: ['airtime', 'data', 'ELECTRICITY', 'CABLE', 'EDUCATION'],
  readSettings: readVtpass,
  settings: vtpassSettings.kinds,
  statementMapping: vtpassStatement,
  simulated: simulatedVtpass,
  connect: async (settings) => (await import('./connector.ts')).createVtpass(settings),
  readCallbacks:
    () =>
    ({ body }) =>
      parseVtpassCallback(body),
});
