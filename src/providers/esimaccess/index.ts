/** eSIM Access: travel eSIMs. */
import { defineProvider } from '../provider-definition.ts';
import { parseEsimAccessCallback } from './callback.ts';
import { esimAccessSettings, readEsimAccess, simulatedEsimAccess } from './settings.ts';

export const esimAccess = defineProvider({
  name: 'esimaccess',
  products: ['ESIM'],
  readSettings: readEsimAccess,
  settings: esimAccessSettings.kinds,
  simulated: simulatedEsimAccess,
  connect: async (settings) => (await import('./connector.ts')).createEsimAccess(settings),
  readCallbacks:
    () =>
    ({ body }) =>
      parseEsimAccessCallback(body),
});
