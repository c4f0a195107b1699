/** eSIM Access: travel eSIMs. */
import { defineProvider } from '../provider-definition.ts';
import { parseEsimAccessCallback } from './callback.ts';
import {
  type EsimAccessSettings,
  esimAccessSettings,
  readEsimAccess,
  simulatedEsimAccess,
} from './settings.ts';

export const esimAccess = defineProvider<EsimAccessSettings>({
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
