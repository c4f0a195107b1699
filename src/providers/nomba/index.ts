/** Nomba: airtime, data, electricity, cable and betting. */
import { defineProvider } from '../provider-definition.ts';
import { parseNombaCallback } from './callback.ts';
import { type NombaSettings, nombaSettings, readNomba, simulatedNomba } from './settings.ts';
import { nombaStatement } from './statement.ts';

export const nomba = defineProvider<NombaSettings>({
  name: 'nomba',
  products: ['airtime', 'data', 'ELECTRICITY', 'CABLE', 'BETTING'],
  wholeNairaOnly: ['ELECTRICITY', 'CABLE', 'BETTING'],
  readSettings: readNomba,
  settings: nombaSettings.kinds,
  statementMapping: nombaStatement,
  simulated: simulatedNomba,
  connect: async (settings) => (await import('./connector.ts')).createNomba(settings),
  readCallbacks: ({ signatureKey: key }) =>
    key === undefined ? undefined : ({ body, headers }) => parseNombaCallback(body, headers, key),
});
