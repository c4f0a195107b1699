/** The bank's own paths below `/bank`: a customer pays into an account, and the books of all that was paid. */
import type { IncomingMessage } from 'node:http';
import { json, type Reply, readJson } from '../http.ts';
import { nairaText, parseNaira } from '../naira.ts';
import type { Bank, Transfer } from './bank.ts';

const NOTICES_MAX = 20;

export async function answerBank(bank: Bank, request: IncomingMessage, url: URL): Promise<Reply> {
  const call = `${request.method} ${url.pathname}`;
  if (call === 'GET /bank/transfers') {
    const lines = bank.transfers().map((transfer) => `${JSON.stringify(lineOf(transfer))}\n`);
    return { kind: 'text', status: 200, type: 'application/x-ndjson', text: lines.join('') };
  }
  if (call !== 'POST /bank/transfers') return json({ message: 'Not Found' }, 404);
  return await pay(bank, await readJson(request));
}

/** `notices` says how often the gateway is told: 1 unless it is given, 0 for a notice that goes missing. */
async function pay(bank: Bank, body: unknown): Promise<Reply> {
  const { account_number, amount, provider, notices = 1 } = (body ?? {}) as Record<string, unknown>;
  const accountNumber = String(account_number ?? '');
  const kobo = parseNaira(amount);
  const account = bank.findNumber(accountNumber);
  // An account the bank no longer knows can still be paid into, by naming who kept it.
  const keeper =
    account?.provider ?? (provider === 'monnify' || provider === 'paystack' ? provider : undefined);
  const wrong = [
    ...(/^\d{10}$/.test(accountNumber) ? [] : ['account_number must be ten digits']),
    ...(kobo === undefined || kobo === 0n ? ['amount must be naira, above zero'] : []),
    ...(keeper === undefined ? ['no such account: name its provider, monnify or paystack'] : []),
    ...(Number.isInteger(notices) && Number(notices) >= 0 && Number(notices) <= NOTICES_MAX
      ? []
      : [`notices must be a whole number up to ${NOTICES_MAX}`]),
  ];
  if (wrong.length > 0 || kobo === undefined || keeper === undefined) return json({ errors: wrong }, 400);
  const made = await bank.transfer({ provider: keeper, accountNumber, amount: kobo }, Number(notices));
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
