// Cable TV: a bouquet, or an amount, for the smartcard of a decoder.
import type { BillRules } from './bill-rules.ts';

export const cableRules: BillRules = {
  customerId: /^[0-9]{10,11}$/,
  customerIdText: 'a smartcard or IUC number: 10 or 11 digits and nothing else',
  phone: 'optional',
};
