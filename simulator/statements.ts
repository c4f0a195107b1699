/**
 * Statement files as the providers export them, from the simulator's own books, and movements
 * without an order: top-ups and fees. Times are of Lagos, amounts have separators, and there is a
 * title above the header line and sums below the last line, as in real files.
 */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyPluginAsync, FastifyReply } from 'fastify';
import type { Simulation } from './account.ts';
import type { Order } from './books.ts';
import { json, type Reply, type WithQuery } from './http.ts';
import type { Told } from './lies.ts';
import { nairaText, parseNaira } from './naira.ts';

const MOVEMENTS = ['top_up', 'charge'] as const;

export const statementRoutes: FastifyPluginAsync<Simulation> = async (app, simulation) => {
  const { books, lies } = simulation;
  app.get('/lies', () => json(lies));
  app.put('/lies', ({ body }) => {
    const wrong = lies.replace(body);
    return wrong.length > 0 ? json({ errors: wrong }, 400) : json(lies);
  });
  app.delete('/lies', () => {
    lies.clear();
    return json(lies);
  });
  app.post('/movements', ({ body }) => move(simulation, body));
  for (const [provider, layout] of Object.entries(LAYOUTS)) {
    app.get<WithQuery>(`/statements/${provider}.csv`, ({ query }, reply) => {
      const orders = books.orders(provider);
      return sendCsv(
        reply,
        csvOf(simulation.settings.balance, orders, lies.tell(provider, orders), layout, query),
      );
    });
  }
};

/** Money that is added to our account at the provider, or taken from it, without an order. */
async function move({ books }: Simulation, body: unknown): Promise<Reply> {
  const { provider, kind, amount, words } = (body ?? {}) as Record<string, unknown>;
  const movement = MOVEMENTS.find((known) => known === kind);
  const kobo = parseNaira(amount);
  if (movement === undefined || kobo === undefined || kobo === 0n || typeof provider !== 'string') {
    return json({ errors: ['give provider, kind (top_up or charge) and amount above zero'] }, 400);
  }
  const now = new Date();
  const id = randomUUID().slice(0, 13);
  const order: Order = {
    provider,
    reference: `movement-${id}`,
    movement,
    product: movement,
    recipient: '',
    amount: kobo,
    cost: movement === 'top_up' ? -kobo : kobo,
    acceptedAt: now,
    status: 'delivered',
    finalAt: now,
    detail: { id, transactionId: id, words: typeof words === 'string' ? words : '', subAccount: '' },
  };
  await books.accept(order);
  return json({ provider, id, kind: movement, amount: nairaText(kobo) });
}

type Layout = {
  readonly delimiter: ',' | ';';
  readonly head: readonly string[];
  readonly row: (order: Told, balance: bigint) => readonly string[];
};

const VTPASS_STATUS = { pending: 'pending', delivered: 'delivered', failed: 'failed' } as const;
const NOMBA_STATUS = { pending: 'PENDING_BILLING', delivered: 'SUCCESS', failed: 'REFUND' } as const;
const WORDS = { top_up: 'Wallet Funding', charge: 'Charge' } as const;

const LAYOUTS: Readonly<Record<string, Layout>> = {
  vtpass: {
    delimiter: ',',
    head: [
      'S/N',
      'Transaction Date',
      'Request ID',
      'Transaction ID',
      'Transaction Type',
      'Product Name',
      'Unique Element',
      'Amount',
      'Commission',
      'Total Amount',
      'Balance',
      'Status',
    ],
    row: (order, balance) => [
      lagos(order.acceptedAt),
      order.movement === undefined ? order.reference : '',
      order.detail.transactionId ?? '',
      order.movement === undefined ? (order.detail.type ?? '') : WORDS[order.movement],
      order.detail.productName ?? order.detail.words ?? '',
      order.recipient,
      `₦${grouped(order.amount)}`,
      order.movement === undefined ? grouped(order.amount - order.cost) : '',
      grouped(order.cost < 0n ? -order.cost : order.cost),
      grouped(balance),
      isReversed(order) ? 'reversed' : VTPASS_STATUS[order.status],
    ],
  },
  nomba: {
    delimiter: ';',
    head: [
      'S/N',
      'Time Created',
      'ID',
      'Merchant Tx Ref',
      'Type',
      'Customer Biller ID',
      'Amount',
      'Fixed Charge',
      'Wallet Balance',
      'Status',
    ],
    row: (order, balance) => [
      lagos(order.acceptedAt),
      order.detail.id ?? '',
      order.movement === undefined ? order.reference : '',
      order.movement === undefined ? (order.detail.type ?? '') : WORDS[order.movement],
      order.recipient,
      grouped(order.amount),
      order.movement === undefined ? '0.00' : '',
      grouped(balance),
      NOMBA_STATUS[order.status],
    ],
  },
};

function isReversed({ detail, status, told }: Told): boolean {
  return told === 'reversed' || (status === 'failed' && detail.reversed === 'yes');
}

/** Oldest first. The first balance is the float before the period. */
function* csvOf(
  start: bigint,
  all: readonly Order[],
  told: readonly Told[],
  { delimiter, head, row }: Layout,
  query: URLSearchParams,
): Generator<string> {
  const from = Date.parse(query.get('from') ?? '') || 0;
  const to = Date.parse(query.get('to') ?? '') || Number.POSITIVE_INFINITY;
  const isIn = ({ acceptedAt }: Order): boolean => acceptedAt.getTime() >= from && acceptedAt.getTime() < to;
  const before = all.filter(({ acceptedAt }) => acceptedAt.getTime() < from);
  const line = (cells: readonly string[]): string =>
    `${cells.map((cell) => quoted(cell, delimiter)).join(delimiter)}\r\n`;
  const moved = (order: Order): bigint => (order.status === 'failed' ? 0n : order.cost);
  let balance = start - before.reduce((sum, order) => sum + moved(order), 0n);
  yield `\uFEFF${line(['Transactions', '', ''])}${line(['Opening Balance', grouped(balance)])}\r\n${line(head)}`;
  let number = 0;
  for (const order of told.filter(isIn).toSorted((a, b) => a.acceptedAt.getTime() - b.acceptedAt.getTime())) {
    number += 1;
    balance -= moved(order);
    yield line([String(number), ...row(order, balance)]);
  }
  yield `${line(['Closing Balance', grouped(balance)])}${line(['Total', String(number), 'transactions'])}`;
}

const ROWS_AT_ONCE = 500;

function sendCsv(reply: FastifyReply, rows: Generator<string>): Readable {
  reply.type('text/csv; charset=utf-8');
  return Readable.from(inBlocks(rows));
}

function* inBlocks(rows: Generator<string>): Generator<string> {
  let block: string[] = [];
  for (const row of rows) {
    block.push(row);
    if (block.length < ROWS_AT_ONCE) continue;
    yield block.join('');
    block = [];
  }
  yield block.join('');
}

function quoted(cell: string, delimiter: string): string {
  return cell.includes(delimiter) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** `1,234.50` */
function grouped(kobo: bigint): string {
  const [whole = '', decimals] = nairaText(kobo).split('.');
  return `${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${decimals}`;
}

/** `2026-11-22 13:05:09` in Lagos. */
function lagos(at: Date): string {
  return new Date(at.getTime() + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
}
