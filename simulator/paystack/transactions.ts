/** Paystack's list of transactions: of all customers, or of one on request. */
import type { Bank, Transfer } from '../bank/bank.ts';
import type { Reply } from '../http.ts';
import { type Customer, type Customers, codeOf, customerOf, idOf } from './customers.ts';
import { customerFields, good, refusal, transactionId, transactionOf } from './replies.ts';

const PER_PAGE = 50;
const PER_PAGE_MAX = 100;

/** Newest first. Both spellings of a key are accepted; unknown keys are ignored. */
export function listOf(bank: Bank, query: URLSearchParams): Reply {
  const rows = bank
    .transfers()
    .filter((transfer) => transfer.provider === 'paystack' && isAskedFor(bank, transfer, query))
    .toReversed();
  const perPage = Math.min(whole(query.get('per_page') ?? query.get('perPage')) ?? PER_PAGE, PER_PAGE_MAX);
  return query.get('use_cursor') === 'true'
    ? byCursor(bank, rows, perPage, query)
    : byPage(bank, rows, perPage, whole(query.get('page')) ?? 1);
}

function byPage(bank: Bank, rows: readonly Transfer[], perPage: number, page: number): Reply {
  const skipped = (page - 1) * perPage;
  const pageCount = Math.ceil(rows.length / perPage);
  const meta = { total: rows.length, skipped, perPage, page: String(page), pageCount: String(pageCount) };
  return listed(bank, rows.slice(skipped, skipped + perPage), meta);
}

function byCursor(bank: Bank, rows: readonly Transfer[], perPage: number, query: URLSearchParams): Reply {
  const from = whole(query.get('next')) ?? 0;
  const next = from + perPage < rows.length ? String(from + perPage) : null;
  return listed(bank, rows.slice(from, from + perPage), { next, previous: null, perPage });
}

function listed(bank: Bank, rows: readonly Transfer[], meta: object): Reply {
  const data = rows.map((transfer) => rowOf(bank, transfer));
  return good('Transactions retrieved', data, meta);
}

/** A transaction in a list: not every row has the channel and the payer. */
function rowOf(bank: Bank, transfer: Transfer): object {
  const { channel, currency, authorization, metadata, paid_at, paidAt, ...row } = transactionOf(
    bank,
    transfer,
  );
  const isBare = transactionId(transfer) % 3 === 0;
  return isBare
    ? { ...row, paid_at: null }
    : { ...row, channel, currency, authorization, metadata, paid_at, paidAt };
}

function isAskedFor(bank: Bank, { at, accountNumber }: Transfer, query: URLSearchParams): boolean {
  const account = bank.findNumber(accountNumber);
  const wanted = query.get('customer') ?? query.get('customer_code');
  const number = query.get('virtual_account_number');
  const time = (name: string, fallback: number): number => Date.parse(query.get(name) ?? '') || fallback;
  return (
    (wanted === null || (account !== undefined && isNamed(customerOf(account), wanted))) &&
    (number === null || number === accountNumber) &&
    at.getTime() >= time('from', 0) &&
    at.getTime() <= time('to', Number.POSITIVE_INFINITY)
  );
}

function isNamed(customer: Customer, name: string): boolean {
  return idOf(customer) === name || codeOf(customer) === name;
}

/** An unknown reference is 400, as Paystack has been seen to answer. */
export function verified(bank: Bank, reference: string): Reply {
  const transfer = bank.findTransfer('paystack', reference);
  return transfer === undefined
    ? refusal('Transaction reference not found.', 400)
    : good('Verification successful', transactionOf(bank, transfer));
}

export function fetched(bank: Bank, id: string): Reply {
  const transfer = bank
    .transfers()
    .find((one) => one.provider === 'paystack' && transactionId(one) === Number(id));
  return transfer === undefined
    ? refusal('Transaction ID or reference is invalid', 404)
    : good('Transaction retrieved', transactionOf(bank, transfer));
}

/** All customers, in pages. */
export function customerList(customers: Customers, query: URLSearchParams): Reply {
  const all = customers.all();
  const perPage = Math.min(whole(query.get('per_page') ?? query.get('perPage')) ?? PER_PAGE, PER_PAGE_MAX);
  const page = whole(query.get('page')) ?? 1;
  const skipped = (page - 1) * perPage;
  const rows = all.slice(skipped, skipped + perPage).map(customerFields);
  const meta = { total: all.length, skipped, perPage, page, pageCount: Math.ceil(all.length / perPage) };
  return good('Customers retrieved', rows, meta);
}

function whole(text: string | null): number | undefined {
  return text !== null && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}
