/** Paystack's dedicated accounts: in one step, which takes a while, or in three, and at once. */
import type { Bank, BankAccount } from '../bank/bank.ts';
import { json, type Reply } from '../http.ts';
import { type Customer, type Customers, idOf } from './customers.ts';
import { accountFields, customerFields, good, isThere, refusal } from './replies.ts';

/** Refused by a notice, some time later. */
const UNKNOWN_BVN = '00000000000';

type Fields = Readonly<Record<string, unknown>>;

function textOf(body: unknown): (name: string) => string {
  const fields = (body ?? {}) as Fields;
  return (name) => String(fields[name] ?? '');
}

export async function assign(bank: Bank, body: unknown): Promise<Reply> {
  const text = textOf(body);
  for (const name of ['email', 'first_name', 'last_name', 'phone', 'preferred_bank', 'country']) {
    if (text(name) === '') return refusal(`${name} is required`, 400);
  }
  if (!/^\+\d{7,15}$/.test(text('phone'))) return refusal('phone must be in international format', 400);
  const known = bank.findAccount('paystack', text('email').toLowerCase());
  const account = await bank.openAccount({
    provider: 'paystack',
    key: text('email').toLowerCase(),
    name: `${text('first_name')} ${text('last_name')}`,
    email: text('email'),
    bvn: text('bvn') === '' ? undefined : text('bvn'),
    readyAt: new Date(Date.now() + bank.settings.assignMs),
    failed: text('bvn') === UNKNOWN_BVN,
  });
  if (known === undefined) bank.notifier.tellAccount(account);
  return good('Assign dedicated account in progress');
}

export function makeCustomer(customers: Customers, body: unknown): Reply {
  const text = textOf(body);
  if (!text('email').includes('@')) return refusal('Email is required', 400);
  const customer = customers.make({
    email: text('email'),
    firstName: text('first_name'),
    lastName: text('last_name'),
    phone: text('phone'),
  });
  const fields = customerFields(customer);
  return good('Customer created', { ...fields, identified: false, identifications: null });
}

/** The last of the three steps: the customer is named by code or number. */
export async function openAccount(bank: Bank, customers: Customers, body: unknown): Promise<Reply> {
  const customer = customers.find(textOf(body)('customer'));
  if (customer === undefined) return refusal('Customer not found', 404);
  const account = await bank.openAccount({
    provider: 'paystack',
    key: customer.email.toLowerCase(),
    name: `${customer.firstName} ${customer.lastName}`.trim(),
    email: customer.email,
    bvn: undefined,
    readyAt: new Date(),
    failed: false,
  });
  return good('NUBAN successfully created', accountFields(account));
}

/** A list of the existing ones. */
export function accountList(bank: Bank, query: URLSearchParams): Reply {
  const wanted = query.get('customer');
  const there = bank.accounts('paystack').filter((account) => isThere(account, new Date()));
  const rows = there.filter((account) => wanted === null || idOf(account) === wanted);
  const meta = { total: rows.length, skipped: 0, perPage: 50, page: 1, pageCount: 1 };
  return good('Managed accounts successfully retrieved', rows.map(accountFields), meta);
}

export function accountById(bank: Bank, id: string): Reply {
  const account = bank.accounts('paystack').find((one: BankAccount) => idOf(one) === id);
  return isThere(account, new Date())
    ? good('Customer retrieved', accountFields(account))
    : refusal('Dedicated account not found', 404);
}

export function identified(customer: Customer | undefined): Reply {
  return customer === undefined
    ? refusal('Customer not found', 404)
    : json({ status: true, message: 'Customer Identification in progress' }, 202);
}
