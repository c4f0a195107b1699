/**
 * Every error that a statement of a day can have, and the reconciliation's expected finding: the
 * kind, the amount, the resulting difference between both sides, and whether a command fixes it.
 */
import type { Operator } from '../cli/harness.ts';
import { movementLine, type ReportedDay, type ReportedLine } from './reported-statement.ts';

export type Expected = {
  /** The order's, or the provider's id of the movement. */
  readonly reference: string;
  readonly kind: string;
  readonly amount: bigint;
  readonly effect: bigint;
  /** The beginning of the correcting command. Undefined: a person must investigate first. */
  readonly mend: string | undefined;
  /** After the command it is no longer found. */
  readonly isMended: boolean;
};

export type Lied = { readonly reported: ReportedDay; readonly expected: readonly Expected[] };

type Told = Omit<Expected, 'reference'> & { readonly lines: readonly ReportedLine[] };

type Lie = {
  readonly what: string;
  /** The orders concerned. */
  readonly of: 'success' | 'failed' | 'pending';
  /** Undefined: no difference. */
  readonly tell: (line: ReportedLine) => Told | { readonly lines: readonly ReportedLine[] };
};

const CHARGE = 'float charge vtpass';
const REFUND = 'purchase provider-refund';

const stays = { mend: undefined, isMended: false } as const;
const mendedBy = (mend: string) => ({ mend, isMended: true }) as const;

const lies: readonly Lie[] = [
  {
    what: 'is missing',
    of: 'success',
    tell: ({ cost }) => ({
      lines: [],
      kind: 'unknown_there_success_here',
      amount: cost,
      effect: -cost,
      ...stays,
    }),
  },
  { what: 'is there twice under one id', of: 'success', tell: (line) => ({ lines: [line, line] }) },
  {
    what: 'is there twice under two ids',
    of: 'success',
    tell: (line) => ({
      lines: [line, { ...line, id: `${line.id}B` }],
      kind: 'delivered_twice',
      amount: line.cost,
      effect: line.cost,
      ...mendedBy(CHARGE),
    }),
  },
  {
    what: 'was taken back of two, and stands under an id of its own',
    of: 'success',
    tell: (line) => ({
      lines: [
        line,
        { ...line, id: `${line.id}B` },
        { ...line, id: `${line.id}C`, type: 'Reversal', status: 'reversed' },
      ],
    }),
  },
  {
    what: 'has another amount',
    of: 'success',
    tell: (line) => ({
      lines: [{ ...line, faceValue: line.faceValue + 100_00n }],
      kind: 'amount_differs',
      amount: line.faceValue + 100_00n,
      effect: 0n,
      ...stays,
    }),
  },
  {
    what: 'cost a kobo more',
    of: 'success',
    tell: (line) => ({
      lines: [{ ...line, cost: line.cost + 1n }],
      kind: 'cost_differs',
      amount: 1n,
      effect: 1n,
      ...mendedBy(CHARGE),
    }),
  },
  {
    what: 'has more commission',
    of: 'success',
    tell: (line) => ({
      lines: [{ ...line, cost: line.cost - 7_00n }],
      kind: 'cost_differs',
      amount: 7_00n,
      effect: -7_00n,
      ...mendedBy(REFUND),
    }),
  },
  {
    what: 'went to another recipient',
    of: 'success',
    tell: (line) => ({
      lines: [
        {
          ...line,
          recipient: `23491${line.recipient.slice(5)}`.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
        },
      ],
      kind: 'other_recipient',
      amount: line.faceValue,
      effect: 0n,
      mend: 'purchase refund',
      isMended: false,
    }),
  },
  ...(['failed', 'reversed'] as const).map((status) => ({
    what: `${status} there, success here`,
    of: 'success' as const,
    tell: (line: ReportedLine) => ({
      lines: [{ ...line, status }],
      kind: 'failed_there_success_here',
      amount: line.cost,
      effect: -line.cost,
      ...mendedBy(REFUND),
    }),
  })),
  {
    what: 'pending there, success here',
    of: 'success',
    tell: (line) => ({
      lines: [{ ...line, status: 'pending' }],
      kind: 'pending_there_success_here',
      amount: line.cost,
      effect: 0n,
      ...stays,
    }),
  },
  {
    what: 'delivered there, failed here',
    of: 'failed',
    tell: (line) => ({
      lines: [{ ...line, status: 'delivered' }],
      kind: 'delivered_there_failed_here',
      amount: line.cost,
      effect: line.cost,
      ...mendedBy(CHARGE),
    }),
  },
  {
    what: 'pending there, failed here',
    of: 'failed',
    tell: (line) => ({
      lines: [{ ...line, status: 'pending' }],
      kind: 'pending_there_failed_here',
      amount: line.cost,
      effect: line.cost,
      ...stays,
    }),
  },
  { what: 'failed on both sides, and is missing', of: 'failed', tell: () => ({ lines: [] }) },
  {
    what: 'delivered there, pending here',
    of: 'pending',
    tell: (line) => ({
      lines: [{ ...line, status: 'delivered' }],
      kind: 'delivered_there_pending_here',
      amount: line.cost,
      effect: line.cost,
      ...mendedBy('purchase settle'),
    }),
  },
  {
    what: 'failed there, pending here',
    of: 'pending',
    tell: (line) => ({
      lines: [{ ...line, status: 'failed' }],
      kind: 'failed_there_pending_here',
      amount: line.cost,
      effect: 0n,
      mend: 'purchase query',
      isMended: false,
    }),
  },
];

/**
 * Each kind of lie about `count` orders, or as many as are pending. Each concerns a different
 * order.
 */
export function lie(reported: ReportedDay, count: number): Lied {
  const expected: Expected[] = [];
  const free = freeLines(reported);
  const replaced = new Map<ReportedLine, readonly ReportedLine[]>();
  const pending = Math.min(count, Math.floor(free.pending.length / 3));
  for (const { what, of, tell } of lies) {
    const times = of === 'pending' ? pending : count;
    if (times === 0) throw new Error(`nothing for "${what}"`);
    for (let index = 0; index < times; index += 1) {
      const line = free[of].shift();
      if (line === undefined) throw new Error(`no order is left for "${what}"`);
      const said = tell(line);
      replaced.set(line, said.lines);
      if ('kind' in said) {
        const { lines: _, ...rest } = said;
        expected.push({ reference: line.reference, ...rest });
      }
    }
  }
  const lines = reported.lines.flatMap((line) => replaced.get(line) ?? [line]);
  const sample = reported.lines.find(({ status }) => status === 'delivered');
  if (sample === undefined) throw new Error('something was delivered');
  const strangers = Array.from({ length: count }, (_, index) => {
    const line = { ...sample, id: `stranger-${index}`, reference: `elsewhere-${index}` };
    expected.push({
      reference: line.reference,
      kind: 'unknown_here',
      amount: line.cost,
      effect: line.cost,
      ...mendedBy(CHARGE),
    });
    return line;
  });
  return { reported: { ...reported, lines: [...lines, ...strangers] }, expected };
}

const EDGE_MS = 10 * 60_000;

/** Orders with a single line, away from both ends of the day. Few of them are pending. */
function freeLines({ lines }: ReportedDay): Record<Lie['of'], ReportedLine[]> {
  const seen = new Map<string, number>();
  for (const { reference } of lines) seen.set(reference, (seen.get(reference) ?? 0) + 1);
  const times = lines.map(({ at }) => at.getTime());
  const [first, last] = times.reduce(
    ([least, most], time) => [Math.min(least, time), Math.max(most, time)],
    [Number.MAX_SAFE_INTEGER, 0],
  );
  const alone = lines.filter(({ reference, at }) => {
    const isInside = at.getTime() - first > EDGE_MS && last - at.getTime() > EDGE_MS;
    return seen.get(reference) === 1 && isInside;
  });
  return {
    success: alone.filter(({ status }) => status === 'delivered'),
    failed: alone.filter(({ status }) => status === 'failed'),
    pending: lines.filter(({ status }) => status === 'pending'),
  };
}

/** Moves money at the provider in all ways that agree with the books, and in all that do not. */
export async function lieAboutMovements(
  { json }: Operator,
  reported: ReportedDay,
  day: string,
): Promise<Lied> {
  const at = `${day}T12:00:00+01:00`;
  const of = (kind: 'top_up' | 'charge', id: string, amount: bigint): ReportedLine =>
    movementLine(kind, { id, at: new Date(at), amount });
  const topUp = (amount: string, ...more: readonly string[]): Promise<unknown> =>
    json('float', 'top-up', 'vtpass', amount, '--at', at, ...more);
  await topUp('250000', '--reference', 'right');
  await topUp('260000');
  await topUp('100000', '--reference', 'too-much');
  await topUp('40000', '--reference', 'never-came');
  const reason = ['--reason', 'messages'];
  await json('float', 'charge', 'vtpass', '52.50', '--at', at, '--reference', 'fee-right', ...reason);
  await json('float', 'charge', 'vtpass', '50', '--at', at, '--reference', 'fee-too-little', ...reason);
  const lines = [
    of('top_up', 'right', 250_000_00n),
    of('top_up', 'booked-without', 260_000_00n),
    of('top_up', 'too-much', 99_000_00n),
    of('top_up', 'unbooked', 500_000_00n),
    of('charge', 'fee-right', 52_50n),
    of('charge', 'fee-too-little', 52_50n),
    of('charge', 'fee-unbooked', 1_25n),
  ];
  const differs = { kind: 'movement_differs', isMended: true } as const;
  const expected: Expected[] = [
    { ...differs, reference: 'too-much', amount: 99_000_00n, effect: 1_000_00n, mend: CHARGE },
    { ...differs, reference: 'fee-too-little', amount: 52_50n, effect: 2_50n, mend: CHARGE },
    {
      reference: 'never-came',
      kind: 'movement_unknown_there',
      amount: 40_000_00n,
      effect: 40_000_00n,
      ...stays,
    },
    {
      reference: 'unbooked',
      kind: 'top_up_unbooked',
      amount: 500_000_00n,
      effect: -500_000_00n,
      ...mendedBy('float top-up vtpass'),
    },
    {
      reference: 'fee-unbooked',
      kind: 'charge_unbooked',
      amount: 1_25n,
      effect: 1_25n,
      ...mendedBy(CHARGE),
    },
  ];
  return { reported: { ...reported, lines: [...reported.lines, ...lines] }, expected };
}
