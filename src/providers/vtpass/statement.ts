/**
 * The mapping of VTpass's export of transactions. VTpass documents no layout of that file: these
 * are the names of the fields of its own replies, which its transactions page shows in the same
 * words, with the spellings that such exports commonly have. That the head line of the file has
 * these very names, its time format, and how wallet funding is called in it are not confirmed.
 */
import type { StatementMapping } from '../statements/statement-mapping.ts';

export const vtpassStatement: StatementMapping = {
  about:
    'Made from the names of the fields that VTpass documents (requestId, transactionId, unique_element, total_amount, commission, status). VTpass documents no layout of the file: the names of its head line, its time format and its words for wallet funding are not confirmed.',
  currency: 'NGN',
  columns: {
    at: ['Transaction Date', 'Date', 'Created At', 'Date Created'],
    status: ['Status', 'Transaction Status'],
    kind: ['Transaction Type', 'Type', 'Category'],
    reference: ['Request ID'],
    provider_id: ['Transaction ID'],
    product: ['Product Name', 'Product', 'Service Name', 'Service'],
    recipient: ['Unique Element', 'Beneficiary', 'Phone Number', 'Phone'],
    amount: ['Amount', 'Unit Price'],
    cost: ['Total Amount', 'Amount Charged'],
    fee: ['Convenience Fee', 'Convinience Fee'],
    commission: ['Commission'],
    balance: ['Final Balance', 'Balance After', 'Wallet Balance', 'Balance'],
  },
  time: {
    formats: [
      'iso',
      'DD/MM/YYYY HH:mm:ss',
      'DD/MM/YYYY HH:mm',
      'DD MMM YYYY hh:mm A',
      'MMM DD, YYYY hh:mm A',
    ],
    zone: 'Africa/Lagos',
  },
  kinds: {
    top_up: ['wallet funding*', 'fund wallet*', 'wallet credit*', 'deposit*'],
    charge: ['charge*', 'fee*', 'wallet debit*', 'stamp duty*', 'maintenance*'],
    reversed: ['reversal*', 'refund*'],
  },
  states: {
    delivered: ['delivered', 'successful', 'transaction successful', 'success', 'completed'],
    pending: ['pending', 'initiated', 'processing', 'transaction is processing'],
    failed: ['failed', 'transaction failed', 'unsuccessful', 'cancelled'],
    reversed: ['reversed', 'refunded', 'transaction reversal*'],
  },
  products: {
    'airtime:MTN': ['MTN Airtime*', 'MTN VTU*'],
    'airtime:GLO': ['GLO Airtime*', 'GLO VTU*'],
    'airtime:AIRTEL': ['Airtel Airtime*', 'Airtel VTU*'],
    'airtime:9MOBILE': ['9mobile Airtime*', 'Etisalat Airtime*', 'T2 Airtime*'],
  },
  opening: ['Opening Balance*'],
  closing: ['Closing Balance*'],
  footers: ['Total*', 'Generated*', 'Printed*', 'End of*'],
};
