/**
 * Monnify's paths below `/monnify`: access tokens, reserved accounts and the transactions on them.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyPluginAsync } from 'fastify';
import type { Bank, Transfer } from '../bank/bank.ts';
import { underFaults } from '../bank/misbehave.ts';
import type { Reply, WithQuery } from '../http.ts';
import { accountReply, good, refusal, rowOf, transactionOf } from './replies.ts';

const BASIC = `Basic ${Buffer.from('MK_TEST_SIMULATOR:simulator-monnify-secret').toString('base64')}`;
/** The account of no customer. */
const UNKNOWN_BVN = '00000000000';

/** When each access token ends, by its text; lost when the simulator stops. */
const tokens = new Map<string, number>();

type WithReference = { readonly Params: { readonly reference: string } };

export const monnifyRoutes: FastifyPluginAsync<{ readonly bank: Bank }> = async (app, { bank }) => {
  app.post('/api/v1/auth/login', ({ headers }) =>
    underFaults(bank, 'monnify', 'token', () => logIn(bank, headers)),
  );
  await app.register(withToken, { bank });
};

const withToken: FastifyPluginAsync<{ readonly bank: Bank }> = async (app, { bank }) => {
  const read = (work: () => Reply): Promise<Reply> => underFaults(bank, 'monnify', 'requery', work);
  app.addHook('preHandler', ({ headers }, reply, done) => {
    const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
    if ((tokens.get(token) ?? 0) < Date.now()) reply.send(refusal('99', 'Unauthorized', 401));
    else done();
  });
  app.post('/api/v2/bank-transfer/reserved-accounts', ({ body }) =>
    underFaults(bank, 'monnify', 'account', () => reserve(bank, body)),
  );
  app.get<WithReference>('/api/v2/bank-transfer/reserved-accounts/:reference(.+)', ({ params }) =>
    read(() => accountOf(bank, params.reference)),
  );
  app.get<WithQuery>('/api/v1/bank-transfer/reserved-accounts/transactions', ({ query }) =>
    read(() => listOf(bank, query)),
  );
  app.get<WithReference>('/api/v2/transactions/:reference(.+)', ({ params }) =>
    read(() => transferOf(bank, params.reference)),
  );
  app.get<WithQuery>('/api/v2/merchant/transactions/query', ({ query }) =>
    read(() => transferOf(bank, query.get('transactionReference') ?? query.get('paymentReference') ?? '')),
  );
  app.get<WithQuery>('/api/v1/transactions/search', ({ query }) => read(() => searchOf(bank, query)));
  // The accounts have no further banks, and no other data that these calls could change.
  for (const kind of ['/add-linked-accounts/:reference(.+)', '/:reference/kyc-info']) {
    app.put<WithReference>(`/api/v1/bank-transfer/reserved-accounts${kind}`, ({ params }) =>
      accountOf(bank, params.reference),
    );
  }
  // Any unknown path of a read is treated as a reserved account.
  app.setNotFoundHandler(({ method }) =>
    method === 'GET' ? read(() => accountOf(bank, '')) : refusal('99', 'Not Found', 404),
  );
};

function logIn(bank: Bank, headers: IncomingHttpHeaders): Reply {
  if (headers.authorization !== BASIC) return refusal('99', 'Invalid credentials', 401);
  const accessToken = randomBytes(24).toString('base64url');
  tokens.set(accessToken, Date.now() + bank.settings.tokenLifeMs);
  return good({ accessToken, expiresIn: Math.floor(bank.settings.tokenLifeMs / 1_000) });
}

async function reserve(bank: Bank, body: unknown): Promise<Reply> {
  const fields = (body ?? {}) as Record<string, unknown>;
  const text = (name: string): string => String(fields[name] ?? '');
  // Either identifies a person.
  const bvn = text('bvn') === '' ? text('nin') : text('bvn');
  if (text('contractCode') !== '1000000001') return refusal('99', 'Invalid contract code', 404);
  if (!/^\d{11}$/.test(bvn) || bvn === UNKNOWN_BVN) {
    // It quotes the request, and the person it found.
    const said = `Invalid BVN ${bvn} for ${text('customerName')} (${text('customerEmail')}): it is CHIDI OKAFOR's`;
    return refusal('R40', said, 400);
  }
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

function accountOf(bank: Bank, reference: string): Reply {
  const account = bank.findAccount('monnify', reference);
  return account === undefined ? refusal('99', 'Cannot find reserved account', 404) : accountReply(account);
}

function transferOf(bank: Bank, reference: string): Reply {
  const transfer = bank.findTransfer('monnify', reference);
  return transfer === undefined
    ? refusal('99', 'There is no transaction matching the reference', 404)
    : good(transactionOf(bank, transfer));
}

function listOf(bank: Bank, query: URLSearchParams): Reply {
  const account = bank.findAccount('monnify', query.get('accountReference') ?? '');
  if (account === undefined) return refusal('99', 'Cannot find reserved account', 404);
  return pageOf(bank, query, ({ accountNumber }) => accountNumber === account.number);
}

/** All transactions, unless a reference is given. */
function searchOf(bank: Bank, query: URLSearchParams): Reply {
  const wanted = query.get('transactionReference') ?? query.get('paymentReference');
  return pageOf(bank, query, ({ reference }) => wanted === null || reference === wanted);
}

/** Newest first. */
function pageOf(bank: Bank, query: URLSearchParams, isWanted: (transfer: Transfer) => boolean): Reply {
  const size = Math.max(1, Number(query.get('size') ?? 10));
  const from = Number(query.get('page') ?? 0) * size;
  const all = bank
    .transfers()
    .filter((transfer) => transfer.provider === 'monnify' && isWanted(transfer))
    .toReversed();
  const content = all.slice(from, from + size).map(rowOf);
  // A counter may be text, and some are missing.
  return good({
    content,
    size,
    totalElements: all.length,
    totalPages: String(Math.ceil(all.length / size)),
    first: from === 0,
  });
}
