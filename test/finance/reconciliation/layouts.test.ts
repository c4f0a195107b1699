/**
 * A random day of orders, movements and reversals, written in every layout: the reconciliation
 * finds exactly the planted differences, applies the safe fixes, and a second run finds none of
 * those again.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { formatAmount } from '../../../src/core/money.ts';
import { bookMovement } from '../../../src/finance/floats/operations/book-float.ts';
import { operator } from '../../cli/harness.ts';
import { runs } from '../../support/budget.ts';
import { playDay } from '../../support/played-day.ts';
import {
  movementLine,
  type ReportedDay,
  type ReportedLine,
  reportDay,
} from '../../support/reported-statement.ts';
import { type Layout, layoutMapping, layoutText } from '../../support/statement-layouts.ts';

const cli = await operator();
const { database } = cli;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oja-layouts-'));
  for (const decimal of ['.', ','] as const) {
    await writeFile(mappingOf(decimal), JSON.stringify(layoutMapping(decimal)));
  }
});
after(async () => {
  await rm(folder, { recursive: true });
  await cli[Symbol.asyncDispose]();
});

const mappingOf = (decimal: '.' | ','): string => join(folder, decimal === '.' ? 'point.json' : 'comma.json');

type Found = { readonly kind: string; readonly effect: string };
type Run = {
  readonly data: readonly Found[];
  readonly run: { readonly summary: Readonly<Record<string, unknown>> };
};

async function reconcile(text: string, layout: Layout, ...more: readonly string[]): Promise<Run> {
  const file = join(folder, 'day.csv');
  await writeFile(file, text);
  const args = ['reconcile', 'vtpass', file, '--mapping', mappingOf(layout.decimal), ...more, '--json'];
  const ran = await cli.oja(...args);
  assert.equal(ran.code, 0, `${ran.err}\n${text.slice(0, 2_000)}`);
  return JSON.parse(ran.out);
}

const textsOf = (found: readonly Found[]): string[] =>
  found.map(({ kind, effect }) => `${kind} ${effect}`).sort();

const layouts: fc.Arbitrary<Layout> = fc.record({
  ids: fc.constantFrom('own', 'none', 'shared'),
  times: fc.constantFrom('seconds', 'minutes', 'days', 'midnights'),
  amounts: fc.constantFrom('total', 'sides', 'parts'),
  decimal: fc.constantFrom('.', ','),
  isMangled: fc.boolean(),
});

/** The number of each. Amounts are in naira. */
const plants = fc.record({
  missing: fc.boolean(),
  dearer: fc.boolean(),
  takenBack: fc.boolean(),
  stranger: fc.boolean(),
  topUps: fc.record({ right: fc.nat(3), unbooked: fc.nat(3), unreported: fc.nat(1) }),
  charges: fc.record({ right: fc.nat(3), unbooked: fc.nat(3), unreported: fc.nat(1) }),
  hour: fc.integer({ min: 1, max: 22 }),
});

type Kind = 'top_up' | 'charge';
const AMOUNTS = { top_up: 200_000_00n, charge: 50_00n } as const;
const UNTOLD = { top_up: 31_000_00n, charge: 31_00n } as const;

let days = 0;

/** Each run uses a separate day, far from the others. */
function nextDay(): string {
  days += 1;
  return new Date(Date.UTC(2026, 0, 1) + days * 7 * 86_400_000).toISOString().slice(0, 10);
}

async function book(kind: Kind, amount: bigint, at: Date, reference: string | undefined): Promise<void> {
  const movement = {
    provider: 'vtpass',
    environment: 'live',
    kind,
    amount,
    foreign: undefined,
    bank: undefined,
    reference,
    reason: 'by hand',
    movedAt: at,
  } as const;
  await database.transaction((tx) => bookMovement(tx, movement, 'tester'));
}

type Planted = { readonly reported: ReportedDay; readonly stays: Found[]; readonly applied: Found[] };

async function plantMovements(
  day: string,
  layout: Layout,
  drawn: typeof plants extends fc.Arbitrary<infer Drawn> ? Drawn : never,
): Promise<Pick<Planted, 'stays' | 'applied'> & { readonly lines: ReportedLine[] }> {
  const at = new Date(`${day}T${String(drawn.hour).padStart(2, '0')}:00:00+01:00`);
  const planted = { lines: [] as ReportedLine[], stays: [] as Found[], applied: [] as Found[] };
  for (const kind of ['top_up', 'charge'] as const) {
    const { right, unbooked, unreported } = kind === 'top_up' ? drawn.topUps : drawn.charges;
    const amount = AMOUNTS[kind];
    const sign = kind === 'top_up' ? -1n : 1n;
    for (let count = 0; count < right + unbooked; count += 1) {
      const id = `${day}-${kind}-${count}`;
      planted.lines.push(movementLine(kind, { id, at, amount }));
      if (count < right) {
        // Booked by hand at another minute, and with its id if the file has it.
        const isNamed = layout.ids === 'own' && count % 2 === 0;
        await book(kind, amount, new Date(at.getTime() - 20 * 60_000), isNamed ? id : undefined);
      } else {
        planted.applied.push({ kind: `${kind}_unbooked`, effect: formatAmount(sign * amount) });
      }
    }
    if (unreported > 0) {
      await book(kind, UNTOLD[kind], new Date(`${day}T12:00:00+01:00`), undefined);
      planted.stays.push({ kind: 'movement_unknown_there', effect: formatAmount(-sign * UNTOLD[kind]) });
    }
  }
  return planted;
}

function plantOrders(
  reported: ReportedDay,
  drawn: typeof plants extends fc.Arbitrary<infer Drawn> ? Drawn : never,
): Planted {
  const seen = Map.groupBy(reported.lines, ({ reference }) => reference);
  const hours = (at: Date): number => at.getUTCHours();
  const [one, other, third] = reported.lines.filter(
    ({ status, reference, at }) =>
      status === 'delivered' && seen.get(reference)?.length === 1 && hours(at) > 7 && hours(at) < 19,
  );
  assert.ok(one && other && third, 'the day has deliveries');
  const stays: Found[] = [];
  const applied: Found[] = [];
  let lines = [...reported.lines];
  if (drawn.missing) {
    lines = lines.filter((line) => line !== one);
    stays.push({ kind: 'unknown_there_success_here', effect: formatAmount(-one.cost) });
  }
  if (drawn.dearer) {
    lines = lines.map((line) => (line === other ? { ...line, cost: line.cost + 7n } : line));
    stays.push({ kind: 'cost_differs', effect: '0.07' });
  }
  if (drawn.takenBack) {
    lines.push({ ...third, id: `${third.id}R`, type: 'Reversal', status: 'reversed', recipient: '' });
    applied.push({ kind: 'failed_there_success_here', effect: formatAmount(-third.cost) });
  }
  if (drawn.stranger) {
    lines.push({ ...third, id: `${third.id}S`, reference: `${third.reference}-elsewhere` });
    stays.push({ kind: 'unknown_here', effect: formatAmount(third.cost) });
  }
  return { reported: { ...reported, lines }, stays, applied };
}

test('finds each planted difference once, in any layout', async () => {
  await fc.assert(
    fc.asyncProperty(layouts, plants, fc.nat(1_000), async (layout, drawn, seed) => {
      const day = nextDay();
      await playDay(database, { day, purchases: 90, seed: seed + 1, shops: `L${days}` });
      const whole = await reportDay(database, 'vtpass', day);
      const references = new Set(
        whole.lines.filter(({ type }) => type === 'Airtime').map(({ reference }) => reference),
      );
      const own = whole.lines.filter(({ reference }) => references.has(reference));
      const orders = plantOrders({ ...whole, lines: own }, drawn);
      const moved = await plantMovements(day, layout, drawn);
      const lines = [...orders.reported.lines, ...moved.lines].sort(
        (a, b) => a.at.getTime() - b.at.getTime(),
      );
      const text = layoutText({ ...orders.reported, lines }, layout);
      const stays = [...orders.stays, ...moved.stays];
      const all = [...stays, ...orders.applied, ...moved.applied];
      const period = ['--from', day, '--to', day];

      const first = await reconcile(text, layout);
      assert.deepEqual(textsOf(first.data), textsOf(all), text);
      assert.equal(first.run.summary.unexplained, '0.00', text);
      assert.equal(first.run.summary.complete, true);
      assert.deepEqual(textsOf((await reconcile(text, layout, ...period)).data), textsOf(all));
      assert.deepEqual(textsOf((await reconcile(text, layout, '--apply')).data), textsOf(all));
      const second = await reconcile(text, layout, '--apply');
      assert.deepEqual(textsOf(second.data), textsOf(stays), text);
    }),
    runs(4),
  );
});
