/** SMEPlug: airtime and data. */
import { defineProvider } from '../provider-definition.ts';
import { parseSmeplugCallback } from './callback.ts';
import { readSmeplug, smeplugSettings } from './settings.ts';

export const smeplug = defineProvider({
  name: 'smeplug',
  products: ['airtime', 'data'],
  wholeNairaOnly: ['airtime'],
  readSettings: readSmeplug,
  settings: smeplugSettings.kinds,
  connect: async (settings) => (await import('./connector.ts')).createSmeplug(settings),
  readCallbacks:
    () =>
    ({ body }) =>
      parseSmeplugCallback(body),
});
