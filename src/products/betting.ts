// Betting: money into a customer's betting account. It cannot be called back, and the operators want a mobile number.
import type { BillRules } from './bill-rules.ts';

export const bettingRules: BillRules = {
  // Most are numbers of no fixed length; user names are taken too.
  customerId: /^[A-Za-z0-9]{1,30}$/,
  customerIdText: 'a betting account id: 1 to 30 letters and digits and nothing else',
  phone: 'required',
};
