/**
 * Paystack's paths below `/paystack`: customers, dedicated accounts and transactions. The gateway
 * uses a few of them; the others are for other clients.
 */
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { Bank } from '../bank/bank.ts';
import { underFaults } from '../bank/misbehave.ts';
import type { Reply, WithQuery } from '../http.ts';
import { accountById, accountList, assign, identified, makeCustomer, openAccount } from './accounts.ts';
import { Customers } from './customers.ts';
import { customerReply, good, refusal } from './replies.ts';
import { customerList, fetched, listOf, verified } from './transactions.ts';

const KEY = 'Bearer sk_test_simulator';

/** One call that only reads, under the faults of such. */
type Read = (work: () => Reply) => Promise<Reply>;

export const paystackRoutes: FastifyPluginAsync<{ readonly bank: Bank }> = async (app, { bank }) => {
  const read: Read = (work) => underFaults(bank, 'paystack', 'requery', work);
  const customers = new Customers(bank);
  app.addHook('preHandler', ({ headers }, reply, done) => {
    if (headers.authorization === KEY) done();
    else reply.send(refusal('Invalid key', 401));
  });
  customerRoutes(app, bank, customers, read);
  accountRoutes(app, bank, customers, read);
  for (const end of ENDS) {
    app.get<WithQuery>(`/transaction${end}`, ({ query }) => read(() => listOf(bank, query)));
  }
  app.get<{ Params: { readonly reference: string } }>('/transaction/verify/:reference(.+)', ({ params }) =>
    read(() => verified(bank, params.reference.replace(/\/$/, ''))),
  );
  app.get<{ Params: { readonly id: string } }>('/transaction/:id(^\\d+$)', ({ params }) =>
    read(() => fetched(bank, params.id)),
  );
  // Any unknown path of a read is treated as a customer.
  app.setNotFoundHandler(({ method }) =>
    method === 'GET' ? read(() => noCustomer) : refusal('Not Found', 404),
  );
};

/** Some clients end the path of a list with a slash. */
const ENDS = ['', '/'] as const;

const noCustomer = refusal('Customer not found', 404);

function customerRoutes(app: FastifyInstance, bank: Bank, customers: Customers, read: Read): void {
  for (const end of ENDS) {
    app.post(`/customer${end}`, ({ body }) => makeCustomer(customers, body));
    app.get<WithQuery>(`/customer${end}`, ({ query }) => read(() => customerList(customers, query)));
  }
  app.get<{ Params: { readonly name: string } }>('/customer/:name(.+)', ({ params }) =>
    read(() => {
      const customer = customers.find(params.name.replace(/\/$/, ''));
      if (customer === undefined) return noCustomer;
      const account = bank.findAccount('paystack', customer.email.toLowerCase());
      return customerReply(customer, account, new Date());
    }),
  );
  app.post<{ Params: { readonly code: string } }>('/customer/:code/identification', ({ params }) =>
    identified(customers.find(params.code)),
  );
}

function accountRoutes(app: FastifyInstance, bank: Bank, customers: Customers, read: Read): void {
  const account = (work: () => Promise<Reply>): Promise<Reply> =>
    underFaults(bank, 'paystack', 'account', work);
  app.post('/dedicated_account/assign', ({ body }) => account(() => assign(bank, body)));
  for (const end of ENDS) {
    app.post(`/dedicated_account${end}`, ({ body }) => account(() => openAccount(bank, customers, body)));
    app.get<WithQuery>(`/dedicated_account${end}`, ({ query }) => read(() => accountList(bank, query)));
  }
  app.get('/dedicated_account/available_providers', () =>
    good('Dedicated account providers retrieved', [
      { provider_slug: 'test-bank', bank_id: 24, bank_name: 'Test Bank', id: 1 },
    ]),
  );
  // Lost notices are not sent again by this call.
  app.get('/dedicated_account/requery', () =>
    good('We are checking the status of your transfer. We will send you a notification once it is confirmed'),
  );
  app.get<{ Params: { readonly id: string } }>('/dedicated_account/:id(^\\d+$)', ({ params }) =>
    read(() => accountById(bank, params.id)),
  );
}
