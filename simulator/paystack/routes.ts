/** Paystack's paths below `/paystack`: customers, dedicated accounts and transactions. */
import type { IncomingMessage } from 'node:http';
import type { Bank, BankAccount } from '../bank/bank.ts';
import { underFaults } from '../bank/misbehave.ts';
import { type Reply, readJson } from '../http.ts';
import { customerId, customerReply, good, refusal, transactionOf } from './replies.ts';

const KEY = 'Bearer sk_test_simulator';
const CUSTOMER = /^\/customer\/([^/]+)$/;
const VERIFY = /^\/transaction\/verify\/([^/]+)$/;
/** Nobody's: the account is refused by a notice, some time later. */
const UNKNOWN_BVN = '00000000000';

export async function answerPaystack(bank: Bank, request: IncomingMessage, url: URL): Promise<Reply> {
  const body = await readJson(request);
  const path = url.pathname.slice('/paystack'.length);
  if (request.headers.authorization !== KEY) return refusal('Invalid key', 401);
  if (`${request.method} ${path}` === 'POST /dedicated_account/assign') {
    return await underFaults(bank, 'paystack', 'account', () => assign(bank, body));
  }
  if (request.method !== 'GET') return refusal('Not Found', 404);
  return await underFaults(bank, 'paystack', 'requery', async () => read(bank, path, url.searchParams));
}

async function assign(bank: Bank, body: unknown): Promise<Reply> {
  const fields = (body ?? {}) as Record<string, unknown>;
  const text = (name: string): string => String(fields[name] ?? '');
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

function read(bank: Bank, path: string, query: URLSearchParams): Reply {
  if (path === '/transaction') return listOf(bank, query);
  const reference = VERIFY.exec(path)?.[1];
  if (reference !== undefined) {
    const transfer = bank.findTransfer('paystack', decodeURIComponent(reference));
    return transfer === undefined
      ? refusal('Transaction reference not found', 404)
      : good('Verification successful', transactionOf(bank, transfer));
  }
  const email = decodeURIComponent(CUSTOMER.exec(path)?.[1] ?? '').toLowerCase();
  const account = bank.findAccount('paystack', email);
  return account === undefined ? refusal('Customer not found', 404) : customerReply(account, new Date());
}

function listOf(bank: Bank, query: URLSearchParams): Reply {
  const perPage = Number(query.get('perPage') ?? 50);
  const skip = (Number(query.get('page') ?? 1) - 1) * perPage;
  const from = new Date(query.get('from') ?? 0);
  const isTheirs = (account: BankAccount | undefined): boolean =>
    account !== undefined && String(customerId(account)) === query.get('customer');
  const rows = bank
    .transfers()
    .filter(({ provider, at, accountNumber }) => {
      return provider === 'paystack' && at >= from && isTheirs(bank.findNumber(accountNumber));
    })
    .reverse();
  return good(
    'Transactions retrieved',
    rows.slice(skip, skip + perPage).map((transfer) => transactionOf(bank, transfer)),
  );
}
