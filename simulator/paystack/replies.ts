/** Paystack's replies and its notices. */
import type { Bank, BankAccount, Transfer } from '../bank/bank.ts';
import { json, type Reply } from '../http.ts';

export function good(message: string, data?: unknown): Reply {
  return json({ status: true, message, ...(data !== undefined && { data }) });
}

export function refusal(message: string, status: number): Reply {
  return json({ status: false, message, type: 'validation_error', code: 'invalid' }, status);
}

/** A number that follows from the account, as Paystack's ids of customers are numbers. */
export function customerId(account: BankAccount): number {
  return Number(account.number.slice(2));
}

function customerOf(account: BankAccount): Record<string, unknown> {
  return {
    id: customerId(account),
    customer_code: `CUS_sim${account.number}`,
    email: account.email,
    first_name: account.name.split(' ')[0],
    last_name: account.name.split(' ').slice(1).join(' '),
  };
}

function dedicatedAccount(account: BankAccount): Record<string, unknown> {
  return {
    bank: { name: 'Test Bank', id: 24, slug: 'test-bank' },
    account_name: account.name.toUpperCase(),
    account_number: account.number,
    assigned: true,
    currency: 'NGN',
    active: true,
    id: customerId(account),
  };
}

export function customerReply(account: BankAccount, now: Date): Reply {
  const isThere = !account.failed && account.readyAt <= now;
  return good('Customer retrieved', {
    ...customerOf(account),
    identified: isThere,
    dedicated_account: isThere ? dedicatedAccount(account) : null,
  });
}

/** Paystack's own fee: 1 %, at most 300 naira. */
function feesOf({ amount }: Transfer): bigint {
  const share = amount / 100n;
  return share < 30_000n ? share : 30_000n;
}

export function transactionOf(bank: Bank, transfer: Transfer): Record<string, unknown> {
  const account = bank.findNumber(transfer.accountNumber);
  return {
    id: Number.parseInt(transfer.reference.slice(0, 10), 16),
    domain: 'test',
    status: 'success',
    reference: transfer.reference,
    amount: Number(transfer.amount),
    channel: 'dedicated_nuban',
    currency: 'NGN',
    paid_at: transfer.at.toISOString(),
    fees: Number(feesOf(transfer)),
    customer: account === undefined ? {} : customerOf(account),
    metadata: JSON.stringify({ receiver_account_number: transfer.accountNumber, receiver_bank: 'Test Bank' }),
    authorization: {
      channel: 'dedicated_nuban',
      brand: 'Managed Account',
      sender_name: 'SIMULATED PAYER',
      receiver_bank_account_number: transfer.accountNumber,
      receiver_bank: 'Test Bank',
    },
  };
}

export function chargeEvent(bank: Bank, transfer: Transfer): Record<string, unknown> {
  return { event: 'charge.success', data: transactionOf(bank, transfer) };
}

export function accountEvent(account: BankAccount): Record<string, unknown> {
  const customer = customerOf(account);
  return account.failed
    ? {
        event: 'dedicatedaccount.assign.failed',
        data: { customer, dedicated_account: null, identification: { status: 'failed' } },
      }
    : {
        event: 'dedicatedaccount.assign.success',
        data: {
          customer,
          dedicated_account: dedicatedAccount(account),
          identification: { status: 'success' },
        },
      };
}
