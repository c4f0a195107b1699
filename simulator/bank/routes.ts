/**
 * The bank, with the providers that have their accounts at it. Its own paths are below `/bank`: a
 * customer's payment into an account, and the books of all payments.
 */
import type { FastifyPluginAsync } from 'fastify';
import type { Simulation } from '../account.ts';
import { flutterwaveAccountRoutes } from '../flutterwave/accounts.ts';
import { json, notFound, type Reply } from '../http.ts';
import { monnifyRoutes } from '../monnify/routes.ts';
import { nairaText, parseNaira } from '../naira.ts';
import { paystackRoutes } from '../paystack/routes.ts';
import { payvesselRoutes } from '../payvessel/routes.ts';
import { Bank, type Transfer } from './bank.ts';
import { BANKS } from './notices.ts';

const NOTICES_MAX = 20;

export const bankRoutes: FastifyPluginAsync<Simulation> = async (app, { settings, faults }) => {
  const bank = await Bank.open(settings, faults);
  app.addHook('onClose', () => bank.close());
  await app.register(ownRoutes, { bank, prefix: '/bank/' });
  await app.register(monnifyRoutes, { bank, prefix: '/monnify/' });
  await app.register(paystackRoutes, { bank, prefix: '/paystack/' });
  await app.register(flutterwaveAccountRoutes, { bank, prefix: '/flutterwave/v3/' });
  await app.register(payvesselRoutes, { bank, prefix: '/payvessel/' });
};

const ownRoutes: FastifyPluginAsync<{ readonly bank: Bank }> = async (app, { bank }) => {
  app.get('/transfers', (): Reply => {
    const lines = bank.transfers().map((transfer) => `${JSON.stringify(lineOf(transfer))}\n`);
    return { kind: 'text', status: 200, type: 'application/x-ndjson', text: lines.join('') };
  });
  app.post('/transfers', ({ body }) => pay(bank, body));
  app.setNotFoundHandler(() => notFound);
};

/**
 * `notices` is how often the gateway gets the notice: 1 by default, 0 for a notice that is lost.
 */
async function pay(bank: Bank, body: unknown): Promise<Reply> {
  const { account_number, amount, provider, notices = 1 } = (body ?? {}) as Record<string, unknown>;
  const accountNumber = String(account_number ?? '');
  const kobo = parseNaira(amount);
  const account = bank.findNumber(accountNumber);
  // An account the bank no longer knows can still be paid into, by naming the provider that held
  // it.
  const heldBy = account?.provider ?? BANKS.find((name) => name === provider);
  const wrong = [
    ...(/^\d{10}$/.test(accountNumber) ? [] : ['account_number must be ten digits']),
    ...(kobo === undefined || kobo === 0n ? ['amount must be naira, above zero'] : []),
    ...(heldBy === undefined ? ['no such account: name its provider'] : []),
    ...(Number.isInteger(notices) && Number(notices) >= 0 && Number(notices) <= NOTICES_MAX
      ? []
      : [`notices must be a whole number up to ${NOTICES_MAX}`]),
  ];
  if (wrong.length > 0 || kobo === undefined || heldBy === undefined) return json({ errors: wrong }, 400);
  const made = await bank.transfer({ provider: heldBy, accountNumber, amount: kobo }, Number(notices));
  return json(lineOf(made));
}

function lineOf({ provider, reference, accountNumber, amount, at }: Transfer): object {
  return {
    provider,
    reference,
    account_number: accountNumber,
    amount: nairaText(amount),
    at: at.toISOString(),
  };
}
