/**
 * Flutterwave's permanent virtual accounts, and the payments into them. Traps: the same `tx_ref`
 * again opens another account, every payment of an account repeats its `tx_ref`, the list has the
 * payments of all customers for any filter, and an id is a number here and text in the list.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyPluginAsync } from 'fastify';
import type { Bank, BankAccount, Transfer } from '../bank/bank.ts';
import { underFaults } from '../bank/misbehave.ts';
import { json, type Reply, type WithQuery } from '../http.ts';
import { nairaNumber } from '../naira.ts';

const KEY = 'Bearer FLWSECK_TEST-simulator';
/** The account of no customer. */
const UNKNOWN_BVN = '00000000000';
const PER_PAGE = 10;

type Fields = Record<string, unknown>;

function good(message: string, data: unknown, meta?: object): Reply {
  return json({ status: 'success', message, ...(meta && { meta }), data });
}

function refusal(message: string, status = 400): Reply {
  return json({ status: 'error', message, data: null }, status);
}

export const flutterwaveAccountRoutes: FastifyPluginAsync<{ readonly bank: Bank }> = async (
  app,
  { bank },
) => {
  const read = (work: () => Reply): Promise<Reply> => underFaults(bank, 'flutterwave', 'requery', work);
  app.addHook('preHandler', ({ headers }, reply, done) => {
    if (headers.authorization === KEY) done();
    else reply.send(refusal('Invalid authorization key', 401));
  });
  app.post('/virtual-account-numbers', ({ body }) =>
    underFaults(bank, 'flutterwave', 'account', () => open(bank, body)),
  );
  app.get<{ Params: { readonly order: string } }>('/virtual-account-numbers/:order', ({ params }) =>
    read(() => {
      const account = bank.findAccount('flutterwave', params.order);
      return account === undefined
        ? refusal('Virtual account not found', 404)
        : good('Virtual nuban fetched', accountFields(account));
    }),
  );
  app.get<{ Params: { readonly id: string } }>('/transactions/:id/verify', ({ params }) =>
    read(() => {
      const transfer = bank.findTransfer('flutterwave', params.id);
      return transfer === undefined
        ? refusal('No transaction was found for this id')
        : good('Transaction fetched successfully', transactionOf(bank, transfer));
    }),
  );
  app.get<WithQuery>('/transactions', ({ query }) => read(() => listOf(bank, query)));
  app.setNotFoundHandler(() => refusal('Not Found', 404));
};

async function open(bank: Bank, body: unknown): Promise<Reply> {
  const fields = (body ?? {}) as Fields;
  const text = (name: string): string => String(fields[name] ?? '');
  const isPermanent = fields.is_permanent === true;
  if (!text('email').includes('@')) return refusal('email is required');
  if (isPermanent && (!/^\d{11}$/.test(text('bvn')) || text('bvn') === UNKNOWN_BVN)) {
    // It quotes the request.
    return refusal(`Invalid BVN ${text('bvn')} for ${text('firstname')} ${text('lastname')}`);
  }
  const account = await bank.openAccount({
    provider: 'flutterwave',
    key: `URF_${Date.now()}_${randomUUID().slice(0, 8)}`,
    reference: text('tx_ref'),
    name: text('narration'),
    email: text('email'),
    bvn: text('bvn') === '' ? undefined : text('bvn'),
    readyAt: new Date(),
    failed: false,
  });
  return good('Virtual account created', accountFields(account));
}

function accountFields(account: BankAccount): Fields {
  return {
    // A permanent account has the same message.
    response_code: '02',
    response_message: 'Transaction in progress',
    flw_ref: `FLW-${account.number}`,
    order_ref: account.key,
    account_number: account.number,
    frequency: 'N/A',
    bank_name: 'WEMA BANK',
    created_at: account.readyAt.toISOString().slice(0, 19).replace('T', ' '),
    expiry_date: 'N/A',
    note: `Please make a bank transfer to ${account.name}`,
    amount: null,
  };
}

/** 1.4 %, at most 2,000 naira. */
function feeOf({ amount }: Transfer): bigint {
  const share = (amount * 14n) / 1_000n;
  return share < 200_000n ? share : 200_000n;
}

function transactionOf(bank: Bank, transfer: Transfer): Fields {
  const account = bank.findNumber(transfer.accountNumber);
  return {
    id: Number(transfer.reference),
    // For an account that it no longer holds, only the number is known.
    tx_ref: account?.reference ?? transfer.accountNumber,
    flw_ref: `FLW-MOCK-${transfer.reference}`,
    device_fingerprint: 'N/A',
    amount: nairaNumber(transfer.amount),
    currency: 'NGN',
    charged_amount: nairaNumber(transfer.amount),
    app_fee: nairaNumber(feeOf(transfer)),
    merchant_fee: 0,
    processor_response: 'success',
    auth_model: 'AUTH',
    ip: 'N/A',
    narration: 'SIMULATED PAYER',
    status: 'successful',
    payment_type: 'bank_transfer',
    created_at: transfer.at.toISOString(),
    account_id: 100_001,
    amount_settled: nairaNumber(transfer.amount - feeOf(transfer)),
    customer: { id: 1, name: account?.name ?? 'UNKNOWN', email: account?.email ?? '' },
  };
}

/** Newest first. `tx_ref` is ignored. */
function listOf(bank: Bank, query: URLSearchParams): Reply {
  const day = (at: Date): string => at.toISOString().slice(0, 10);
  const [from, to] = [query.get('from') ?? '', query.get('to') ?? '9'];
  const all = bank
    .transfers()
    .filter(({ provider, at }) => provider === 'flutterwave' && day(at) >= from && day(at) <= to)
    .toReversed();
  const page = Math.max(1, Number(query.get('page') ?? 1));
  const rows = all.slice((page - 1) * PER_PAGE, page * PER_PAGE).map((transfer) => {
    const { customer, ...row } = transactionOf(bank, transfer);
    return { ...row, id: transfer.reference };
  });
  return good('Transactions fetched', rows, {
    page_info: { total: all.length, current_page: page, total_pages: Math.ceil(all.length / PER_PAGE) },
  });
}

export function chargeEvent(bank: Bank, transfer: Transfer): Fields {
  return { event: 'charge.completed', data: transactionOf(bank, transfer) };
}
