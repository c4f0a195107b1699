/** EasyAccess: airtime and data. */
import { defineProvider } from '../provider-definition.ts';
import { parseEasyAccessCallback } from './callback.ts';
import { easyAccessSettings, readEasyAccess } from './settings.ts';

export const easyAccess = defineProvider({
  name: 'easyaccess',
  // Its orders of cable and electricity do not carry our reference, and its exam PINs are returned
  // only once, in an answer that can be lost. None of them could be recovered.
  products: ['airtime', 'data'],
  wholeNairaOnly: ['airtime'],
  readSettings: readEasyAccess,
  settings: easyAccessSettings.kinds,
  connect: async (settings) => (await import('./connector.ts')).createEasyAccess(settings),
  readCallbacks:
    () =>
    ({ body }) =>
      parseEasyAccessCallback(body),
});
