// Cable TV: a bouquet, or an amount, for the smartcard of a decoder.
import type { BillRules } from './bill-rules.ts';

export const cableRules: BillRules = {
  // Ten or eleven on the cards; twelve on those that providers keep for tests.
  customerId: /^[0-9]{10,12}$/,
  customerIdText: 'a smartcard or IUC number: 10 to 12 digits and nothing else',
  phone: 'optional',
};
