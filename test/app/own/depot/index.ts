/**
 * A custom bank, as its owner would write it. It holds accounts in naira. `npm run new bank` copies
 * this folder.
 */
import { defineBank } from '../../../../src/funding/banks/bank-definition.ts';
import { readDepot } from './settings.ts';

export const depot = defineBank({
  name: 'depot',
  currencies: ['NGN'],
  keyedByEmail: false,
  readSettings: readDepot,
  connect: async (settings) => (await import('./connector.ts')).createDepot(settings),
});
