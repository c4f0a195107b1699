/** Monnify's paths below `/monnify`: access tokens, reserved accounts and the transactions on them. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Bank } from '../bank/bank.ts';
import { underFaults } from '../bank/misbehave.ts';
import { type Reply, readJson } from '../http.ts';
import { accountReply, good, refusal, transactionOf } from './replies.ts';

const BASIC = `Basic ${Buffer.from('MK_TEST_SIMULATOR:simulator-monnify-secret').toString('base64')}`;
const ACCOUNTS = '/api/v2/bank-transfer/reserved-accounts';
const ACCOUNT_TRANSACTIONS = '/api/v1/bank-transfer/reserved-accounts/transactions';
const TRANSACTION = /^\/api\/v2\/transactions\/([^/]+)$/;
const ACCOUNT = /^\/api\/v2\/bank-transfer\/reserved-accounts\/([^/]+)$/;
/** Nobody's. */
const UNKNOWN_BVN = '00000000000';

/** When each access token ends, by its text; lost when the simulator stops. */
const tokens = new Map<string, number>();

export async function answerMonnify(bank: Bank, request: IncomingMessage, url: URL): Promise<Reply> {
  const body = await readJson(request);
  const path = url.pathname.slice('/monnify'.length);
  const call = `${request.method} ${path}`;
  if (call === 'POST /api/v1/auth/login') {
    return await underFaults(bank, 'monnify', 'token', async () => logIn(bank, request));
  }
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  if ((tokens.get(token) ?? 0) < Date.now()) return refusal('99', 'Unauthorized', 401);
  if (call === `POST ${ACCOUNTS}`) {
    return await underFaults(bank, 'monnify', 'account', () => reserve(bank, body));
  }
  if (request.method !== 'GET') return refusal('99', 'Not Found', 404);
  return await underFaults(bank, 'monnify', 'requery', async () => read(bank, path, url.searchParams));
}

function logIn(bank: Bank, request: IncomingMessage): Reply {
  if (request.headers.authorization !== BASIC) return refusal('99', 'Invalid credentials', 401);
  const accessToken = randomBytes(24).toString('base64url');
  tokens.set(accessToken, Date.now() + bank.settings.tokenLifeMs);
  return good({ accessToken, expiresIn: Math.floor(bank.settings.tokenLifeMs / 1_000) });
}

async function reserve(bank: Bank, body: unknown): Promise<Reply> {
  const fields = (body ?? {}) as Record<string, unknown>;
  const text = (name: string): string => String(fields[name] ?? '');
  const bvn = text('bvn');
  if (text('contractCode') !== '1000000001') return refusal('99', 'Invalid contract code', 404);
  if (!/^\d{11}$/.test(bvn) || bvn === UNKNOWN_BVN) return refusal('R40', 'Invalid BVN', 400);
  if (text('accountName').length < 3 || !text('customerEmail').includes('@')) {
    return refusal('R41', 'Invalid customer details', 400);
  }
  if (bank.findAccount('monnify', text('accountReference')) !== undefined) {
    return refusal('R43', 'Account reference is used', 422);
  }
  if (bank.hasIdentity('monnify', bvn)) {
    return refusal('R42', 'You can not reserve more than 1 account(s) for a customer', 422);
  }
  const account = await bank.openAccount({
    provider: 'monnify',
    key: text('accountReference'),
    name: text('accountName'),
    email: text('customerEmail'),
    bvn,
    readyAt: new Date(),
    failed: false,
  });
  return accountReply(account);
}

function read(bank: Bank, path: string, query: URLSearchParams): Reply {
  if (path === ACCOUNT_TRANSACTIONS) return listOf(bank, query);
  const reference = TRANSACTION.exec(path)?.[1];
  if (reference !== undefined) {
    const transfer = bank.findTransfer('monnify', decodeURIComponent(reference));
    return transfer === undefined
      ? refusal('99', 'There is no transaction matching the reference', 404)
      : good(transactionOf(bank, transfer));
  }
  const key = decodeURIComponent(ACCOUNT.exec(path)?.[1] ?? '');
  const account = bank.findAccount('monnify', key);
  return account === undefined ? refusal('99', 'Cannot find reserved account', 404) : accountReply(account);
}

function listOf(bank: Bank, query: URLSearchParams): Reply {
  const account = bank.findAccount('monnify', query.get('accountReference') ?? '');
  if (account === undefined) return refusal('99', 'Cannot find reserved account', 404);
  const size = Number(query.get('size') ?? 10);
  const from = Number(query.get('page') ?? 0) * size;
  const all = bank
    .transfers()
    .filter(({ provider, accountNumber }) => provider === 'monnify' && accountNumber === account.number)
    .reverse();
  const content = all.slice(from, from + size).map((transfer) => transactionOf(bank, transfer));
  return good({ content, totalElements: all.length, last: from + size >= all.length });
}
