/**
 * The mapping of Nomba's export of an account's transactions. Nomba documents no layout of that
 * file: these are the names of the fields of its own list of transactions, with the spellings that
 * such exports commonly have. The names in the header line, the time format and the texts for
 * incoming money are not confirmed.
 */
import type { StatementMapping } from '../statements/statement-mapping.ts';

export const nombaStatement: StatementMapping = {
  about:
    'Made from the names of the fields that Nomba documents for its list of transactions (id, merchantTxRef, type, status, amount, fixedCharge, timeCreated). Nomba documents no layout of the file: the names of its head line, its time format and its words for money that came in are not confirmed.',
  currency: 'NGN',
  columns: {
    at: ['Time Created', 'Date', 'Transaction Date', 'Date/Time', 'Created At'],
    status: ['Status', 'Transaction Status'],
    kind: ['Type', 'Transaction Type'],
    reference: ['Merchant Tx Ref', 'Merchant Reference', 'Merchant Transaction Reference'],
    provider_id: ['ID', 'Transaction ID', 'Transaction Reference'],
    product: ['Type', 'Transaction Type'],
    recipient: ['Customer Biller ID', 'Beneficiary', 'Customer ID'],
    amount: ['Amount', 'Transaction Amount'],
    debit: ['Debit'],
    credit: ['Credit'],
    fee: ['Fixed Charge', 'Fee', 'Charge', 'Charges'],
    balance: ['Wallet Balance', 'Balance', 'Balance After'],
    currency: ['Currency'],
  },
  time: { formats: ['iso', 'DD/MM/YYYY HH:mm:ss', 'DD MMM YYYY, hh:mm A'], zone: 'Africa/Lagos' },
  kinds: {
    top_up: ['vact_transfer', 'virtual account*', 'deposit*', 'wallet funding*', 'credit*', 'transfer in*'],
    charge: ['charge*', 'fee*', 'stamp duty*', 'maintenance*', 'withdrawal*', 'transfer out*'],
    reversed: ['reversal*', 'refund*'],
  },
  states: {
    delivered: ['success', 'successful', 'approved'],
    pending: [
      'pending_billing',
      'new',
      'pending_payment',
      'payment_successful',
      'processing*',
      'pending',
      'cancelled',
      'payment_failed',
      'reversed_by_vendor',
    ],
    failed: ['failed', 'declined'],
    reversed: ['refund', 'refunded'],
  },
  products: {
    airtime: ['topup', 'airtime*'],
    data: ['data*'],
    ELECTRICITY: ['electricity*'],
    CABLE: ['cabletv', 'cable*'],
    BETTING: ['betting*'],
  },
  opening: ['Opening Balance*'],
  closing: ['Closing Balance*'],
  footers: ['Total*', 'Generated*', 'Account Name*', 'Account Number*', 'Period*'],
};
