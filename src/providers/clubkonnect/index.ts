/** ClubKonnect: airtime, data, electricity, cable, betting and education PINs. */
import { defineProvider } from '../provider-definition.ts';
import { clubkonnectSettings, readClubkonnect } from './settings.ts';

export const clubkonnect = defineProvider({
  name: 'clubkonnect',
  products: ['airtime', 'data', 'ELECTRICITY', 'CABLE', 'BETTING', 'EDUCATION'],
  wholeNairaOnly: ['airtime', 'ELECTRICITY', 'BETTING'],
  readSettings: readClubkonnect,
  settings: clubkonnectSettings.kinds,
  connect: async (settings) => (await import('./connector.ts')).createClubkonnect(settings),
});
