/** A reported day in the layouts that statements come in, and the mapping that reads them. */
import { formatAmount } from '../../src/core/money.ts';
import type { StatementMapping } from '../../src/providers/statements/statement-mapping.ts';
import type { ReportedDay, ReportedLine } from './reported-statement.ts';

export type Layout = {
  /** `shared`: every line has the same id. */
  readonly ids: 'own' | 'none' | 'shared';
  readonly times: 'seconds' | 'minutes' | 'days' | 'midnights';
  readonly amounts: 'total' | 'sides' | 'parts';
  readonly decimal: '.' | ',';
  /** Numbers in the form that a spreadsheet produces. */
  readonly isMangled: boolean;
};

export const layoutMapping = (decimal: '.' | ','): StatementMapping => ({
  about: 'of the test',
  currency: 'NGN',
  columns: {
    at: ['Date'],
    status: ['Status'],
    kind: ['Type'],
    reference: ['Reference'],
    provider_id: ['ID'],
    recipient: ['Phone'],
    amount: ['Amount'],
    cost: ['Total Amount'],
    debit: ['Debit'],
    credit: ['Credit'],
    fee: ['Fee'],
    commission: ['Commission'],
    balance: ['Balance'],
  },
  time: { formats: ['iso', 'DD/MM/YYYY', 'DD/MM/YYYY HH:mm'], zone: 'Africa/Lagos' },
  decimal,
  kinds: { top_up: ['wallet funding*'], charge: ['charge*'], reversed: ['reversal*'] },
  states: {
    delivered: ['delivered', 'completed'],
    pending: ['pending'],
    failed: ['failed'],
    reversed: ['reversed'],
  },
  opening: ['Opening*'],
  closing: ['Closing*'],
  footers: ['Total*'],
});

/** Deducted from an incoming top-up, in the layout of parts. */
const TOP_UP_FEE = 50_00n;

export function layoutText({ opening, lines }: ReportedDay, layout: Layout): string {
  const { amounts, ids, decimal } = layout;
  const delimiter = decimal === ',' ? ';' : ',';
  const heads = {
    total: ['Amount', 'Total Amount'],
    sides: ['Debit', 'Credit', 'Balance'],
    parts: ['Amount', 'Fee', 'Commission'],
  }[amounts];
  const head = ['Date', 'Reference', ...(ids === 'none' ? [] : ['ID']), 'Type', 'Phone', ...heads, 'Status'];
  const money = (amount: bigint): string => formatAmount(amount).replace('.', decimal);
  let balance = opening;
  const rows = lines.map((line) => {
    balance -= leftBy(line);
    return [
      timeText(line.at, layout.times),
      line.reference,
      ...(ids === 'none' ? [] : [ids === 'own' ? line.id : 'SHARED-1']),
      line.type,
      layout.isMangled ? mangled(line.recipient, decimal) : line.recipient,
      ...amountCells(line, amounts, balance).map(money),
      line.status,
    ];
  });
  const blank = head.map(() => '');
  const sums = (word: string, amount: bigint): string[] =>
    amounts === 'sides'
      ? [word, ...blank.slice(1, -4), money(0n), money(0n), money(amount), '']
      : [word, money(amount)];
  return `${[['Statement'], head, sums('Opening Balance', opening), ...rows, sums('Closing Balance', balance)]
    .map((cells) => cells.join(delimiter))
    .join('\n')}\n`;
}

/** The amount that left the account by the line. */
function leftBy({ status, type, cost }: ReportedLine): bigint {
  if (status === 'failed') return 0n;
  return type === 'Wallet Funding' || type === 'Reversal' ? -cost : cost;
}

function amountCells(line: ReportedLine, amounts: Layout['amounts'], balance: bigint): bigint[] {
  const { type, faceValue, cost } = line;
  const left = leftBy(line);
  if (amounts === 'sides') return [left > 0n ? left : 0n, left < 0n ? -left : 0n, balance];
  const isTopUp = type === 'Wallet Funding';
  if (amounts === 'total') return [faceValue, isTopUp ? 0n : cost];
  if (isTopUp) return [cost + TOP_UP_FEE, TOP_UP_FEE, 0n];
  return faceValue < cost ? [faceValue, cost - faceValue, 0n] : [faceValue, 0n, faceValue - cost];
}

const LAGOS_MS = 3_600_000;

function timeText(at: Date, times: Layout['times']): string {
  const lagos = new Date(at.getTime() + LAGOS_MS).toISOString();
  const [day = '', clock = ''] = lagos.slice(0, 19).split('T');
  switch (times) {
    case 'seconds':
      return `${day} ${clock}`;
    case 'minutes':
      return `${day.split('-').reverse().join('/')} ${clock.slice(0, 5)}`;
    case 'days':
      return day.split('-').reverse().join('/');
    case 'midnights':
      return `${day} 00:00:00`;
  }
}

function mangled(recipient: string, decimal: '.' | ','): string {
  return recipient === '' ? '' : `${recipient.replace(/^234/, '')}${decimal}0`;
}
