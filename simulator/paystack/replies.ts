/** Paystack's replies and its notices. */
import type { Bank, BankAccount, Transfer } from '../bank/bank.ts';
import { json, type Reply } from '../http.ts';
import { type Customer, codeOf, customerOf, idOf } from './customers.ts';

type Fields = Record<string, unknown>;

/** The number of our account there. */
const INTEGRATION = 100_001;

export function good(message: string, data?: unknown, meta?: object): Reply {
  return json({ status: true, message, ...(data !== undefined && { data }), ...(meta && { meta }) });
}

export function refusal(message: string, status: number): Reply {
  return json({ status: false, message, type: 'validation_error', code: 'invalid' }, status);
}

export function customerFields(customer: Customer): Fields {
  return {
    id: Number(idOf(customer)),
    integration: INTEGRATION,
    domain: 'test',
    customer_code: codeOf(customer),
    email: customer.email,
    first_name: customer.firstName,
    last_name: customer.lastName,
    phone: customer.phone === '' ? null : customer.phone,
    metadata: null,
    risk_action: 'default',
  };
}

export function accountFields(account: BankAccount): Fields {
  const customer = customerOf(account);
  return {
    bank: { name: 'Test Bank', id: 24, slug: 'test-bank' },
    account_name: account.name.toUpperCase(),
    account_number: account.number,
    assigned: true,
    currency: 'NGN',
    metadata: {},
    split_config: {},
    active: true,
    id: Number(idOf(customer)),
    created_at: account.readyAt.toISOString(),
    updated_at: account.readyAt.toISOString(),
    assignment: {
      integration: INTEGRATION,
      assignee_id: Number(idOf(customer)),
      assignee_type: 'Customer',
      expired: false,
      account_type: 'PAY-WITH-TRANSFER-RECURRING',
      assigned_at: account.readyAt.toISOString(),
      expired_at: null,
    },
    customer: customerFields(customer),
  };
}

export function isThere(account: BankAccount | undefined, now: Date): account is BankAccount {
  return account !== undefined && !account.failed && account.readyAt <= now;
}

export function customerReply(customer: Customer, account: BankAccount | undefined, now: Date): Reply {
  const dedicated = isThere(account, now) ? accountFields(account) : null;
  return good('Customer retrieved', {
    ...customerFields(customer),
    identified: dedicated !== null,
    identifications: null,
    dedicated_account: dedicated,
  });
}

/** Paystack's own fee: 1 %, at most 300 naira. */
function feesOf({ amount }: Transfer): bigint {
  const share = amount / 100n;
  return share < 30_000n ? share : 30_000n;
}

export function transactionId({ reference }: Pick<Transfer, 'reference'>): number {
  return Number.parseInt(reference.slice(0, 10), 16);
}

export function transactionOf(bank: Bank, transfer: Transfer): Fields {
  const account = bank.findNumber(transfer.accountNumber);
  const metadata = { receiver_account_number: transfer.accountNumber, receiver_bank: 'Test Bank' };
  const id = transactionId(transfer);
  return {
    id,
    domain: 'test',
    status: 'success',
    reference: transfer.reference,
    amount: Number(transfer.amount),
    message: null,
    gateway_response: 'Approved',
    channel: 'dedicated_nuban',
    currency: 'NGN',
    created_at: transfer.at.toISOString(),
    createdAt: transfer.at.toISOString(),
    paid_at: transfer.at.toISOString(),
    paidAt: transfer.at.toISOString(),
    fees: Number(feesOf(transfer)),
    customer: account === undefined ? {} : customerFields(customerOf(account)),
    // Text in one, an object in another.
    metadata: id % 2 === 0 ? JSON.stringify(metadata) : metadata,
    authorization: {
      channel: 'dedicated_nuban',
      card_type: 'transfer',
      brand: 'Managed Account',
      sender_name: 'SIMULATED PAYER',
      sender_bank_account_number: 'XXXXXX0000',
      receiver_bank_account_number: transfer.accountNumber,
      receiver_bank: 'Test Bank',
    },
  };
}

export function chargeEvent(bank: Bank, transfer: Transfer): Record<string, unknown> {
  return { event: 'charge.success', data: transactionOf(bank, transfer) };
}

/** An error quotes the request, and the person the bank found. */
export function accountEvent(account: BankAccount): Record<string, unknown> {
  const customer = customerFields(customerOf(account));
  return account.failed
    ? {
        event: 'dedicatedaccount.assign.failed',
        data: {
          customer,
          dedicated_account: null,
          identification: { status: 'failed' },
          reason: `BVN 00000000000 is CHIDI OKAFOR's (chidi@x.example), not ${account.name}'s`,
        },
      }
    : {
        event: 'dedicatedaccount.assign.success',
        data: { customer, dedicated_account: accountFields(account), identification: { status: 'success' } },
      };
}
