/** OGDAMS SIM hosting: airtime and data. Its orders cannot be queried. */
import { defineProvider } from '../provider-definition.ts';
import { type OgdamsSettings, ogdamsSettings, readOgdams } from './settings.ts';

export const ogdams = defineProvider<OgdamsSettings>({
  name: 'ogdams',
  products: ['airtime', 'data'],
  wholeNairaOnly: ['airtime'],
  readSettings: readOgdams,
  settings: ogdamsSettings.kinds,
  connect: async (settings) => (await import('./connector.ts')).createOgdams(settings),
  // Its webhooks are not signed, and no query can confirm them. So none is accepted.
});
