/** Reloadly: gift cards. */
import { defineProvider } from '../provider-definition.ts';
import { parseReloadlyCallback } from './callback.ts';
import { type ReloadlySettings, readReloadly, reloadlySettings, simulatedReloadly } from './settings.ts';

export const reloadly = defineProvider<ReloadlySettings>({
  name: 'reloadly',
  products: ['GIFTCARD'],
  readSettings: readReloadly,
  settings: reloadlySettings.kinds,
  simulated: simulatedReloadly,
  connect: async (settings) => (await import('./connector.ts')).createReloadly(settings),
  readCallbacks: ({ signingSecret: key }) =>
    key === undefined ? undefined : (callback) => parseReloadlyCallback(callback, key, callback.receivedAt),
});
