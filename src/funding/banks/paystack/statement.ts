/**
 * The mapping of Paystack's export of transactions. The names are those of the fields of its
 * interface as its dashboard's export writes them, in naira; the names of the head line and the
 * time format are not confirmed.
 */
import type { StatementMapping } from '../../../providers/statements/statement-mapping.ts';

export const paystackStatement: StatementMapping = {
  about:
    'Made from the names of the fields that Paystack documents (reference, amount, fees, status, paid_at, channel). Paystack documents no layout of the file: the names of its head line, that its amounts are in naira and its time format are not confirmed.',
  currency: 'NGN',
  columns: {
    at: ['Transaction Date', 'Paid At', 'Date', 'Date Paid'],
    status: ['Status', 'Transaction Status'],
    provider_id: ['Reference', 'Transaction Reference'],
    channel: ['Channel', 'Payment Channel', 'Payment Method'],
    recipient: ['Receiver Account Number', 'Receiver Bank Account Number', 'Account Number'],
    amount: ['Amount', 'Amount (NGN)', 'Amount Paid'],
    net: ['Settled Amount', 'Net Amount'],
    fee: ['Fees', 'Fee', 'Paystack Charges'],
    currency: ['Currency'],
  },
  time: {
    formats: ['iso', 'MMM DD, YYYY hh:mm:ss A', 'MMM DD, YYYY hh:mm A', 'DD/MM/YYYY HH:mm:ss'],
    zone: 'Africa/Lagos',
  },
  states: {
    payment: ['success', 'successful', 'paid'],
    pending: ['pending', 'ongoing', 'processing', 'queued'],
    failed: ['failed', 'abandoned'],
    reversed: ['reversed', 'refunded'],
  },
  // The channels of transfers to a dedicated account.
  channels: ['dedicated_nuban', 'dedicated nuban', 'dedicated virtual account*', 'dedicated account*'],
  footers: ['Total*', 'Generated*'],
};
