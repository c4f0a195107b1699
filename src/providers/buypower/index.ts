/** BuyPower: electricity and cable. */
import { defineProvider } from '../provider-definition.ts';
import { type BuypowerSettings, buypowerSettings, readBuypower } from './settings.ts';

export const buypower = defineProvider<BuypowerSettings>({
  name: 'buypower',
  products: ['ELECTRICITY', 'CABLE'],
  // Amounts are text of naira. Kobo are not documented, and a paid amount is never rounded.
  wholeNairaOnly: ['ELECTRICITY', 'CABLE'],
  readSettings: readBuypower,
  settings: buypowerSettings.kinds,
  connect: async (settings) => (await import('./connector.ts')).createBuypower(settings),
});
