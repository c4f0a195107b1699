/**
 * The mapping of Monnify's export of transactions. Monnify documents no layout of that file: these
 * are the names of the fields of its interface, which its dashboard shows in the same words. The
 * names of the head line and the time format are not confirmed.
 */
import type { StatementMapping } from '../../../providers/statements/statement-mapping.ts';

export const monnifyStatement: StatementMapping = {
  about:
    'Made from the names of the fields that Monnify documents (transactionReference, paymentReference, amountPaid, settlementAmount, paymentStatus, paidOn). Monnify documents no layout of the file: the names of its head line and its time format are not confirmed.',
  currency: 'NGN',
  columns: {
    at: ['Paid On', 'Date Paid', 'Completed On', 'Transaction Date', 'Date'],
    status: ['Payment Status', 'Status', 'Transaction Status'],
    reference: ['Payment Reference'],
    provider_id: ['Transaction Reference', 'Transaction ID'],
    channel: ['Product Type', 'Product', 'Payment Method', 'Channel'],
    recipient: ['Destination Account Number', 'Account Number', 'Destination Account', 'Account Reference'],
    amount: ['Amount Paid', 'Amount', 'Total Payable'],
    net: ['Settlement Amount', 'Amount Settled', 'Net Amount'],
    fee: ['Fee', 'Charge', 'Transaction Fee'],
    currency: ['Currency', 'Currency Code'],
  },
  time: {
    formats: [
      'iso',
      'DD/MM/YYYY hh:mm:ss A',
      'DD/MM/YYYY hh:mm A',
      'DD/MM/YYYY HH:mm:ss',
      'MMM DD, YYYY hh:mm A',
    ],
    zone: 'Africa/Lagos',
  },
  states: {
    payment: ['paid', 'overpaid', 'partially_paid', 'successful', 'success'],
    pending: ['pending'],
    failed: ['failed', 'expired', 'cancelled', 'abandoned'],
    reversed: ['reversed', 'refunded'],
  },
  channels: [
    'reserved_account',
    'reserved account*',
    'account_transfer',
    'account transfer*',
    'bank transfer*',
  ],
  footers: ['Total*', 'Generated*'],
};
