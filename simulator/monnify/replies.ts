/** Monnify's replies and its notice of a transfer. */
import type { Bank, BankAccount, Transfer } from '../bank/bank.ts';
import { json, type Reply } from '../http.ts';
import { nairaNumber, nairaText } from '../naira.ts';

export function good(responseBody: unknown): Reply {
  return json({ requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody });
}

export function refusal(responseCode: string, responseMessage: string, status: number): Reply {
  return json({ requestSuccessful: false, responseMessage, responseCode }, status);
}

export function accountReply(account: BankAccount): Reply {
  return good({
    contractCode: '1000000001',
    accountReference: account.key,
    accountName: account.name,
    currencyCode: 'NGN',
    customerEmail: account.email,
    customerName: account.name,
    accounts: [
      { bankCode: '035', bankName: 'Wema Bank', accountNumber: account.number, accountName: account.name },
    ],
    collectionChannel: 'RESERVED_ACCOUNT',
    reservationReference: `SIM${account.number}`,
    reservedAccountType: 'GENERAL',
    status: 'ACTIVE',
    createdOn: lagosTime(account.readyAt),
    restrictPaymentSource: false,
  });
}

/**
 * Settled at 10 naira less, as an aggregator's fee. Amounts come as text here and as numbers in the
 * notice.
 */
export function transactionOf(bank: Bank, transfer: Transfer): Record<string, unknown> {
  const account = bank.findNumber(transfer.accountNumber);
  return {
    transactionReference: transfer.reference,
    paymentReference: transfer.reference,
    amountPaid: nairaText(transfer.amount),
    totalPayable: nairaText(transfer.amount),
    settlementAmount: nairaText(settledOf(transfer)),
    paidOn: lagosTime(transfer.at),
    paymentStatus: 'PAID',
    paymentMethod: 'ACCOUNT_TRANSFER',
    currency: 'NGN',
    // For an account that it no longer holds, only the number is known.
    product: { type: 'RESERVED_ACCOUNT', reference: account?.key ?? transfer.accountNumber },
    customer: { name: account?.name ?? 'UNKNOWN', email: account?.email ?? '' },
  };
}

/**
 * In the form of Monnify's lists: without the product and the settlement amount, and with other
 * time formats.
 */
export function rowOf(transfer: Transfer): Record<string, unknown> {
  return {
    customerDTO: { email: '', name: 'UNKNOWN', merchantCode: '' },
    paymentMethod: 'ACCOUNT_TRANSFER',
    createdOn: transfer.at.getTime(),
    completedOn: transfer.at.toISOString().replace('Z', '+0000'),
    amount: nairaNumber(transfer.amount),
    amountPaid: nairaNumber(transfer.amount),
    payableAmount: nairaNumber(transfer.amount),
    fee: nairaNumber(transfer.amount - settledOf(transfer)),
    currencyCode: 'NGN',
    paymentStatus: 'PAID',
    transactionReference: transfer.reference,
    paymentReference: transfer.reference,
    completed: true,
  };
}

export function transactionEvent(bank: Bank, transfer: Transfer): Record<string, unknown> {
  return {
    eventType: 'SUCCESSFUL_TRANSACTION',
    eventData: {
      ...transactionOf(bank, transfer),
      amountPaid: nairaNumber(transfer.amount),
      totalPayable: nairaNumber(transfer.amount),
      metaData: {},
      paymentSourceInformation: [
        { bankCode: '058', accountName: 'SIMULATED PAYER', accountNumber: '0000000000' },
      ],
      destinationAccountInformation: {
        bankCode: '035',
        bankName: 'Wema Bank',
        accountNumber: transfer.accountNumber,
      },
      cardDetails: {},
    },
  };
}

const AGGREGATOR_FEE = 1_000n;

function settledOf({ amount }: Transfer): bigint {
  return amount > AGGREGATOR_FEE ? amount - AGGREGATOR_FEE : 0n;
}

/** `2026-11-21 13:05:09.120` in Lagos, as Monnify writes times. */
function lagosTime(at: Date): string {
  return new Date(at.getTime() + 3_600_000).toISOString().slice(0, -1).replace('T', ' ');
}
