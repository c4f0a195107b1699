// Electricity: a payment to a meter (prepaid) or an account (postpaid). The check digits of meter numbers are left alone:
// account numbers have none, and a meter whose number fails the arithmetic may exist all the same.
import type { BillRules } from './bill-rules.ts';

export const electricityRules: BillRules = {
  // Meters have 11 digits, or 13 with a long maker's code (IEC 62055-41); accounts begin at six.
  customerId: /^[0-9]{6,13}$/,
  customerIdText: 'a meter or account number: 6 to 13 digits and nothing else',
  phone: 'optional',
};
