/** Every line of a statement is accounted for, even if it has no id or shares one. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { formatAmount } from '../../../src/core/money.ts';
import { createLinesTable } from '../../../src/finance/reconciliation/reported-lines-store.ts';
import { loadList } from '../../../src/finance/reconciliation/statement-source.ts';
import { readLinePages } from '../../../src/providers/statements/read-pages.ts';
import type { StatementLine } from '../../../src/providers/statements/statement-line.ts';
import { operator } from '../../cli/harness.ts';
import { playDay } from '../../support/played-day.ts';
import { type ReportedDay, type ReportedLine, reportDay } from '../../support/reported-statement.ts';
import { type Layout, layoutMapping, layoutText } from '../../support/statement-layouts.ts';

const cli = await operator();
const { database } = cli;
const playedDay = '2026-03-03';
let folder: string;
let reported: ReportedDay;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oja-lines-'));
  await writeFile(join(folder, 'mapping.json'), JSON.stringify(layoutMapping('.')));
  await playDay(database, { day: playedDay, purchases: 90, seed: 3 });
  const whole = await reportDay(database, 'vtpass', playedDay);
  const sent = new Set(
    whole.lines.filter(({ type }) => type === 'Airtime').map(({ reference }) => reference),
  );
  reported = { ...whole, lines: whole.lines.filter(({ reference }) => sent.has(reference)) };
});
after(async () => {
  await rm(folder, { recursive: true });
  await cli[Symbol.asyncDispose]();
});

type Difference = Readonly<Record<'kind' | 'effect' | 'amount' | 'there', string>> & {
  readonly reference: string | null;
  readonly applied: string | null;
};
type Run = {
  readonly differences: readonly Difference[];
  readonly summary: Readonly<Record<string, unknown>>;
  readonly from: string;
  readonly to: string;
};

async function reconcile(text: string, ...more: readonly string[]): Promise<Run> {
  const file = join(folder, 'statement.csv');
  await writeFile(file, text);
  const mapping = more.includes('--mapping') ? [] : ['--mapping', join(folder, 'mapping.json')];
  const ran = await cli.oja('reconcile', 'vtpass', file, ...mapping, ...more, '--json');
  assert.equal(ran.code, 0, ran.err);
  const { run, data } = JSON.parse(ran.out);
  return { ...run, differences: data };
}

const found = ({ differences }: Run): string[] =>
  differences.map(({ kind, effect }) => `${kind} ${effect}`).sort();

const booked = async (day: string): Promise<{ kind: string; amount: bigint }[]> =>
  await database.query<{ kind: string; amount: bigint }>(
    `select kind, amount
     from float_movements
     where moved_at >= $1::timestamptz
     and moved_at < $1::timestamptz + interval '1 day'
     order by kind, amount`,
    [`${day}T00:00:00+01:00`],
  );

const head = 'Date,Reference,ID,Type,Amount,Status';

describe('equal movements', { concurrency: 1 }, () => {
  for (const [index, id] of ['', 'S1', 'N/A'].entries()) {
    it(`books equal movements once each if their id is "${id}"`, async () => {
      const day = `2026-06-1${index}`;
      const line = (type: string, amount: string): string =>
        `${day} 10:00:00,,${id},${type},${amount},completed`;
      const text = [
        head,
        'Opening Balance,0.00',
        line('Wallet Funding', '200000'),
        line('Charge', '50'),
        line('Wallet Funding', '200000'),
        line('Charge', '50'),
        line('Charge', '60'),
        'Closing Balance,399840.00',
      ].join('\n');
      const wanted = [
        'charge_unbooked 50.00',
        'charge_unbooked 50.00',
        'charge_unbooked 60.00',
        'top_up_unbooked -200000.00',
        'top_up_unbooked -200000.00',
      ];
      const first = await reconcile(text, '--apply');
      assert.deepEqual(found(first), wanted);
      assert.equal(first.summary.unexplained, '0.00');
      assert.deepEqual(
        (await booked(day)).map(({ amount }) => amount),
        [50_00n, 50_00n, 60_00n, 200_000_00n, 200_000_00n],
      );
      const second = await reconcile(text, '--apply');
      assert.deepEqual([found(second), second.summary.complete], [[], true]);
      assert.equal((await booked(day)).length, 5);
      const more = text.replace(/Closing.*/, line('Charge', '50'));
      assert.deepEqual(found(await reconcile(more)), ['charge_unbooked 50.00'], 'a third one is another');
    });
  }

  it('books no movement of a file whose balances contradict its amounts', async () => {
    const heads = 'Date,Reference,ID,Type,Amount,Fee,Balance,Status';
    const line = (second: number, kind: string, sums: string): string =>
      `2026-06-20 10:00:0${second},,M${second},${kind},${sums},completed`;
    const rows = (...lines: readonly string[]): string => [heads, ...lines, ''].join('\n');
    const before = line(1, 'Charge', '10,,1000');
    const taken = line(3, 'Charge', '20,,10980');
    const contradicted = await reconcile(
      rows(before, line(2, 'Wallet Funding', '10000,50,11000'), taken),
      '--apply',
    );
    assert.deepEqual(found(contradicted), [
      'balance_does_not_follow 0.00',
      'charge_unbooked 10.00',
      'charge_unbooked 20.00',
      'top_up_unbooked -9950.00',
    ]);
    assert.deepEqual(await booked('2026-06-20'), []);
    await reconcile(rows(before, line(2, 'Wallet Funding', '10050,50,11000'), taken), '--apply');
    assert.deepEqual(
      (await booked('2026-06-20')).map(({ amount }) => amount),
      [10_00n, 20_00n, 10_000_00n],
    );
  });

  it('books a repeated text instead of an id as another movement on another day', async () => {
    const day = (date: string): string => `${head}\n${date} 10:00:00,,SYSTEM,Charge,50,completed\n`;
    for (const date of ['2026-07-01', '2026-07-10']) {
      assert.deepEqual(found(await reconcile(day(date), '--apply')), ['charge_unbooked 50.00']);
      assert.deepEqual(found(await reconcile(day(date), '--apply')), []);
    }
  });

  it('finds movements again in a file without ids, or with days only', async () => {
    const rows = (id: string, at: string): string =>
      `${head}\n${at},,${id},Charge,70,completed\n${at},,${id && `${id}b`},Charge,70,completed\n`;
    await reconcile(rows('c1', '2026-07-20 10:00:00'), '--apply');
    for (const [id, at] of [
      ['', '2026-07-20 10:00:00'],
      ['', '2026-07-20'],
      ['c1', '2026-07-20'],
    ] as const) {
      assert.deepEqual(found(await reconcile(rows(id, at))), [], `${id} ${at}`);
    }
    await reconcile(rows('', '2026-07-25 10:00:00'), '--apply');
    assert.deepEqual(found(await reconcile(rows('d1', '2026-07-25 10:00:00'))), []);
    assert.deepEqual(found(await reconcile(rows('', '2026-07-25'))), []);
    assert.equal(found(await reconcile(rows('', '2026-07-25 12:00:00'))).length, 2);
  });

  it('matches movements with manual bookings within two days', async () => {
    const book = (at: string, ...more: readonly string[]): Promise<unknown> =>
      cli.json('float', 'top-up', 'vtpass', '31000', '--at', `${at}+01:00`, ...more);
    await book('2026-08-09T23:00:00');
    const line = (at: string): string =>
      `${head}\n${at},,x-${at.slice(8, 10)},Wallet Funding,31000,completed\n`;
    assert.deepEqual(found(await reconcile(line('2026-08-10 10:00:00'))), []);
    assert.deepEqual(found(await reconcile(line('2026-08-13 10:00:00'))), ['top_up_unbooked -31000.00']);
    await book('2026-08-20T09:00:00');
    for (const day of ['2026-08-18', '2026-08-18 00:00:00', '2026-08-21']) {
      assert.deepEqual(found(await reconcile(line(day))), [], day);
    }
    for (const day of ['2026-08-17', '2026-08-23']) {
      assert.deepEqual(found(await reconcile(line(day))), ['top_up_unbooked -31000.00'], day);
    }
    const named = await reconcile(line('2026-08-10 10:00:00').replace('31000', '31001'));
    assert.deepEqual(
      found(named),
      ['top_up_unbooked -31001.00'],
      'what lies outside the file is not reported',
    );
  });
});

describe('orders', { concurrency: 1 }, () => {
  const own: Layout = { ids: 'own', times: 'seconds', amounts: 'total', decimal: '.', isMangled: false };
  const alone = (): ReportedLine => {
    const line = reported.lines.find(
      ({ status, reference, at }) =>
        status === 'delivered' &&
        reported.lines.filter((one) => one.reference === reference).length === 1 &&
        at.getUTCHours() > 7 &&
        at.getUTCHours() < 19,
    );
    assert.ok(line);
    return line;
  };

  it('counts each order without a reference as unknown', async () => {
    const text = `${head}\n2026-09-01 10:00:00,,,Airtime,97,delivered\n2026-09-01 10:00:00,,,Airtime,97,delivered\n`;
    assert.deepEqual(found(await reconcile(text)), ['unknown_here 97.00', 'unknown_here 97.00']);
  });

  it('counts a repeated order as two deliveries, unless both have one id', async () => {
    const line = alone();
    const twice = { ...reported, lines: [...reported.lines, line] };
    const more = [`delivered_twice ${formatAmount(line.cost)}`];
    assert.deepEqual(found(await reconcile(layoutText(twice, { ...own, ids: 'none' }))), more);
    assert.deepEqual(found(await reconcile(layoutText(reported, { ...own, ids: 'none' }))), []);
    const once = await reconcile(layoutText(twice, own).replace(/Closing.*\n/, ''));
    assert.deepEqual(found(once), []);
    const back = { ...line, type: 'Reversal', status: 'reversed' } as const;
    const taken = { ...reported, lines: [...twice.lines, back] };
    assert.deepEqual(found(await reconcile(layoutText(taken, { ...own, ids: 'none' }))), []);
  });

  it('reports a reversal whose reference belongs to no order', async () => {
    const line = alone();
    const back = { ...line, type: 'Reversal', status: 'reversed', reference: 'RVSL-1', id: 'R1' } as const;
    const text = layoutText({ ...reported, lines: [...reported.lines, back] }, own).replace(
      /Closing.*\n/,
      '',
    );
    for (const more of [[], ['--apply'], ['--apply']]) {
      const { differences, summary } = await reconcile(text, ...more);
      assert.deepEqual(
        differences.map(({ kind, effect, amount, reference, applied }) => [
          ...[kind, effect, amount, reference, applied],
        ]),
        [['reversal_unknown_here', '0.00', formatAmount(line.cost), 'RVSL-1', null]],
      );
      assert.equal(summary.complete, false);
    }
    const whole = [
      { ...back, reference: 'theirs', id: 'R2', type: 'Airtime', status: 'delivered' } as const,
      { ...back, reference: 'theirs', id: 'R3' },
    ];
    const both = await reconcile(
      layoutText({ ...reported, lines: [...reported.lines, ...whole] }, own).replace(/Closing.*\n/, ''),
    );
    assert.deepEqual([found(both), both.summary.complete], [[], true]);
  });

  it('adds two costs under one id', async () => {
    const line = alone();
    const lines = [...reported.lines, { ...line, cost: 3_00n }];
    const text = layoutText({ ...reported, lines }, own);
    const run = await reconcile(text);
    assert.deepEqual(found(run), ['cost_differs 3.00']);
    assert.equal(run.summary.unexplained, '0.00');
  });

  it('compares the whole last day when the file has only days', async () => {
    const line = alone();
    const text = (times: Layout['times']): string =>
      layoutText({ ...reported, lines: reported.lines.filter((one) => one !== line) }, { ...own, times });
    for (const times of ['days', 'midnights'] as const) {
      const run = await reconcile(text(times));
      assert.deepEqual(found(run), [`unknown_there_success_here -${formatAmount(line.cost)}`]);
      assert.deepEqual(
        [new Date(run.from), new Date(run.to)],
        [new Date('2026-03-03T00:00:00+01:00'), new Date('2026-03-04T00:00:00+01:00')],
      );
    }
  });

  const missing = ({ differences }: Run): string[] =>
    differences.map(({ reference }) => reference ?? '').sort();
  const unfailed = (lines: readonly ReportedLine[]): string[] =>
    [...new Set(lines.flatMap(({ status, reference }) => (status === 'failed' ? [] : [reference])))].sort();

  it('compares the whole last hour when the times have no minutes', async () => {
    const line = alone();
    const hour = line.at.getTime() - (line.at.getTime() % 3_600_000);
    const sent = reported.lines.filter(({ at }) => at.getTime() < hour + 3_600_000 && at.getTime() >= hour);
    const clock = new Date(hour + 3_600_000).toISOString().slice(11, 13);
    const half = `${String(((Number(clock) + 11) % 12) + 1)} ${Number(clock) < 12 ? 'AM' : 'PM'}`;
    const mapping = layoutMapping('.');
    for (const [format, at] of [
      ['DD/MM/YYYY HH', `03/03/2026 ${clock}`],
      ['DD/MM/YYYY hh A', `03/03/2026 ${half}`],
    ] as const) {
      const time = { ...mapping.time, formats: [format] };
      await writeFile(join(folder, 'hours.json'), JSON.stringify({ ...mapping, time }));
      const named = ['--mapping', join(folder, 'hours.json')];
      const run = await reconcile(`${head}\n${at},foreign,F1,Airtime,97,failed\n`, ...named);
      assert.deepEqual(
        [new Date(run.from), new Date(run.to)],
        [new Date(hour - 60_000), new Date(hour + 3_600_000)],
      );
      assert.deepEqual(missing(run), unfailed(sent));
    }
  });

  it('compares the whole last day when only its lines have no time', async () => {
    const before = '2026-03-02 10:12:00,foreign,F1,Airtime,97,failed';
    const rows = (at: string): string => `${head}\n${before}\n${at},foreign,F2,Airtime,97,failed\n`;
    for (const at of ['2026-03-03', '2026-03-03 00:00:00', '03/03/2026 00:00']) {
      const run = await reconcile(rows(at));
      assert.deepEqual(new Date(run.to), new Date('2026-03-04T00:00:00+01:00'));
      assert.deepEqual(missing(run), unfailed(reported.lines), at);
    }
  });

  it('compares recipients in any spelling, and reports another one only with proof', async () => {
    const line = alone();
    const to = async (recipient: string): Promise<Run> => {
      const lines = reported.lines.map((one) => (one === line ? { ...one, recipient } : one));
      return await reconcile(layoutText({ ...reported, lines }, own));
    };
    const local = line.recipient.slice(3);
    const mask = `0${local.slice(0, 3)}****${local.slice(-3)}`;
    for (const same of [`${local}.0`, `0${local}`, `+234${local}`, `0${local} (5GB)`, mask, '']) {
      const run = await to(same);
      assert.deepEqual([found(run), run.summary.complete], [[], true], same);
    }
    const cut = await to(`${local.slice(0, 1)}.${local.slice(1, 6)}E+09`);
    assert.deepEqual(
      [found(cut), cut.summary.complete, cut.summary.recipients_cut],
      [[], false, 1],
      'lost digits prove nothing, and both sides are not called the same',
    );
    for (const other of [
      `${local.slice(0, -1)}${(Number(local.at(-1)) + 1) % 10}`,
      mask.replace(/.$/, (end) => `${(Number(end) + 1) % 10}`),
    ]) {
      assert.deepEqual(found(await to(other)), ['other_recipient 0.00'], other);
    }
  });
});

describe('lines without a counterpart', () => {
  it('counts uncompared lines by reason', async () => {
    const text = [
      head,
      '2026-10-01 10:00:00,,,Wallet Funding,500,failed',
      '2026-10-01 10:00:00,,,Wallet Funding,500,pending',
      '2026-10-01 10:00:00,,,Charge,0.00,completed',
      'Total,,,,500,',
    ].join('\n');
    const run = await reconcile(text);
    assert.deepEqual([found(run), run.summary.complete], [[], true]);
    assert.deepEqual(run.summary.explained, [
      { reason: 'remarks', lines: 1 },
      { reason: 'moved_nothing', lines: 3 },
    ]);
    const later = await reconcile(text, '--from', '2026-10-02', '--to', '2026-10-02');
    assert.deepEqual(later.summary.explained, [
      { reason: 'outside_period', lines: 3 },
      { reason: 'remarks', lines: 1 },
    ]);
  });

  it('does not call an empty file without a period complete', async () => {
    const run = await reconcile(`${head}\n`);
    assert.deepEqual([found(run), run.summary.complete], [[], false]);
  });
});

describe('a list', () => {
  it('counts a line that two pages repeat once, and keeps equal lines of one page', async () => {
    const at = new Date('2026-10-10T10:00:00Z');
    const line = (providerId: string | undefined, amount: bigint): StatementLine => ({
      line: 0,
      state: 'charge',
      words: 'fee',
      at,
      ...(providerId !== undefined && { providerId }),
      amount,
      currency: 'NGN',
    });
    const pages = [
      [line('a', 5n), line('a', 5n), line(undefined, 7n), line(undefined, 7n)],
      [line(undefined, 7n), line('a', 5n), line('a', 6n), line('b', 5n)],
    ];
    const period = { from: new Date(at.getTime() - 1), to: new Date(at.getTime() + 1) };
    const lines = readLinePages(
      'x',
      async (_, page = '0') => ({
        kind: 'page',
        lines: pages[Number(page)] ?? [],
        next: page === '0' ? '1' : undefined,
      }),
      period,
    );
    await database.session(async (sql) => {
      await createLinesTable(sql);
      const taken = await loadList(sql, lines, () => {});
      assert.deepEqual([taken.lines, taken.leftOut], [8, { repeated: 2 }]);
      const rows = await sql.query<{ provider_id: string | null; amount: bigint }>(
        'select provider_id, amount from reported_lines order by provider_id, amount',
      );
      assert.deepEqual(
        rows.map(({ provider_id: id, amount }) => `${id} ${amount}`),
        ['a 5', 'a 5', 'a 6', 'b 5', 'null 7', 'null 7'],
      );
    });
  });
});
