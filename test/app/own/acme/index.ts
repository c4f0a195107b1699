/**
 * A custom provider, as its owner would write it. It sells airtime. `npm run new provider` copies
 * this folder.
 */
import { defineProvider } from '../../../../src/providers/provider-definition.ts';
import { readCallback } from './mapping.ts';
import { type AcmeSettings, acmeSettings, readAcme } from './settings.ts';

export const acme = defineProvider<AcmeSettings>({
  name: 'acme',
  products: ['airtime'],
  readSettings: readAcme,
  settings: acmeSettings.kinds,
  connect: async (settings) => (await import('./connector.ts')).createAcme(settings),
  readCallbacks:
    ({ key }) =>
    (callback) =>
      readCallback(callback, key),
});
