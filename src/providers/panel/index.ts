/** A panel of virtual top-ups: airtime, data, cable, electricity and exam PINs, by a mapping. */
import { defineProvider } from '../provider-definition.ts';
import { panelSettings, readPanel } from './settings.ts';

export const panel = defineProvider({
  name: 'panel',
  products: ['airtime', 'data', 'ELECTRICITY', 'CABLE', 'EDUCATION'],
  wholeNairaOnly: ['airtime', 'ELECTRICITY'],
  readSettings: readPanel,
  settings: panelSettings.kinds,
  connect: async (settings) => (await import('./connector.ts')).createPanel(settings),
  checkFile: async (text, place) => (await import('./check.ts')).checkPanelFile(text, place),
});
