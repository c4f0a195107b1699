/** Paystack's paths below `/paystack`: customers, dedicated accounts and transactions. */
import type { FastifyPluginAsync } from 'fastify';
import type { Bank, BankAccount } from '../bank/bank.ts';
import { underFaults } from '../bank/misbehave.ts';
import type { Reply, WithQuery } from '../http.ts';
import { customerId, customerReply, good, refusal, transactionOf } from './replies.ts';

const KEY = 'Bearer sk_test_simulator';
/** Nobody's: the account is refused by a notice, some time later. */
const UNKNOWN_BVN = '00000000000';

export const paystackRoutes: FastifyPluginAsync<{ readonly bank: Bank }> = async (app, { bank }) => {
  const read = (work: () => Reply): Promise<Reply> => underFaults(bank, 'paystack', 'requery', work);
  app.addHook('preHandler', ({ headers }, reply, done) => {
    if (headers.authorization === KEY) done();
    else reply.send(refusal('Invalid key', 401));
  });
  app.post('/dedicated_account/assign', ({ body }) =>
    underFaults(bank, 'paystack', 'account', () => assign(bank, body)),
  );
  app.get<{ Params: { readonly email: string } }>('/customer/:email(.+)', ({ params }) =>
    read(() => customerOf(bank, params.email)),
  );
  app.get<WithQuery>('/transaction', ({ query }) => read(() => listOf(bank, query)));
  app.get<{ Params: { readonly reference: string } }>('/transaction/verify/:reference(.+)', ({ params }) =>
    read(() => transferOf(bank, params.reference)),
  );
  // Whatever is read that it does not know, it takes for a customer.
  app.setNotFoundHandler(({ method }) =>
    method === 'GET' ? read(() => noCustomer) : refusal('Not Found', 404),
  );
};

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

const noCustomer = refusal('Customer not found', 404);

function customerOf(bank: Bank, email: string): Reply {
  const account = bank.findAccount('paystack', email.toLowerCase());
  return account === undefined ? noCustomer : customerReply(account, new Date());
}

function transferOf(bank: Bank, reference: string): Reply {
  const transfer = bank.findTransfer('paystack', reference);
  return transfer === undefined
    ? refusal('Transaction reference not found', 404)
    : good('Verification successful', transactionOf(bank, transfer));
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
