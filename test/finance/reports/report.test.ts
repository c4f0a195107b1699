/** A played day, reported: every figure is that of the raw rows, and purchases and ledger agree. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { formatAmount } from '../../../src/core/money.ts';
import { operator } from '../../cli/harness.ts';
import { playDay } from '../../support/played-day.ts';
import { type RawSums, rawBalances, rawRefunds, rawSales } from '../../support/raw-day.ts';
import { refusedAct } from '../../support/refusals.ts';

const day = '2026-11-10';
const cli = await operator();
after(() => cli[Symbol.asyncDispose]());
const { database } = cli;
await playDay(database, { day, purchases: 600 });
const oneDay = ['--from', day, '--to', day];

/** The figures that both sides must have. */
function comparable(sums: RawSums | undefined) {
  if (sums === undefined) return undefined;
  const { face_value: faceValue, charge, cost, loss, ...counts } = sums;
  return {
    ...counts,
    face_value: formatAmount(faceValue),
    charge: formatAmount(charge),
    cost: formatAmount(cost),
    loss: formatAmount(loss),
    margin: formatAmount(charge - cost),
  };
}

function pick<T extends object>(row: T, names: readonly string[]): Partial<T> {
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name))) as Partial<T>;
}

test('shows totals, refunds and balances of the raw rows, in agreement with the ledger', async () => {
  const report = await cli.json('report', ...oneDay);
  const raw = comparable((await rawSales(database, day, () => 'all')).get('all'));
  assert.ok(raw && raw.loss !== '0.00' && raw.refused > 0 && raw.took_over_30s > 0);
  const [total] = report.totals;
  assert.deepEqual(pick(total, Object.keys(raw)), raw);
  const refunds = await rawRefunds(database, day);
  assert.deepEqual(
    [total.refunded, total.provider_refunded],
    [formatAmount(refunds.merchant), formatAmount(refunds.provider)],
  );
  assert.deepEqual([report.agrees, report.added_up.complete], [true, true]);
  assert.equal(total.purchases + total.pending, 600);
  assert.ok(total.pending > 0 && total.pending_over_30s === total.pending);
  const balances = await rawBalances(database, day);
  const [position] = report.positions;
  const ofKind = (kind: string): [string, bigint][] =>
    [...balances].filter(([code]) => code.startsWith(`${kind}:`));
  const sum = (kind: string): string =>
    formatAmount(ofKind(kind).reduce((all, [, balance]) => all + balance, 0n));
  assert.deepEqual(position.owed_to_merchants.wallets, sum('wallet'));
  assert.deepEqual(position.owed_to_merchants.suspense, sum('suspense'));
  assert.deepEqual(
    position.floats.map(({ name, balance }: { name: string; balance: string }) => [name, balance]),
    ofKind('float')
      .sort()
      .map(([code, balance]) => [code.split(':')[1], formatAmount(-balance)]),
  );
});

test('answers at once from the roll-up, without a new one', async () => {
  const [before] = await database.query('select * from roll_up_checkpoints');
  const { totals, added_up: addedUp } = await cli.json('report', ...oneDay, '--at-once');
  const [after] = await database.query('select * from roll_up_checkpoints');
  assert.deepEqual(after, before);
  assert.equal(addedUp.complete, true);
  assert.deepEqual(totals, (await cli.json('report', ...oneDay)).totals);
});

test('shows the totals of each day, and leaves the roll-up to the job', async () => {
  const [before] = await database.query('select * from roll_up_checkpoints');
  const { days } = await cli.json('day', 'sales', '--from', '2026-11-09', '--to', '2026-11-11');
  const [after] = await database.query('select * from roll_up_checkpoints');
  assert.deepEqual(after, before);
  assert.deepEqual(
    days.map((one: { readonly day: string }) => one.day),
    ['2026-11-09', day, '2026-11-11'],
  );
  const totalsOf = async (one: string) =>
    (await cli.json('report', '--from', one, '--to', one, '--at-once')).totals;
  for (const { day: one, totals } of days) assert.deepEqual(totals, await totalsOf(one), one);
  assert.ok(days[1].totals[0].successes > 0);
  assert.match((await cli.oja('day', 'sales', '--from', day, '--to', day)).out, /^2026-11-10 +NGN/m);
  const many = await cli.oja('day', 'sales', '--from', '2026-10-10', '--to', day, '--json');
  assert.deepEqual([many.code, many.fields], [1, ['from']]);
  assert.equal((await cli.json('day', 'sales', '--from', '2026-10-11', '--to', day)).days.length, 31);
  assert.equal((await cli.oja('day', 'sales', '--from', day, '--to', '2026-11-09')).code, 1);
});

test('shows rows by merchant, by product and provider, and by kind, as in the raw rows', async () => {
  for (const [by, keyOf] of [
    ['merchant', ({ merchant }: { merchant: string }) => merchant],
    [
      'product,provider',
      ({ product, provider }: { product: string; provider: string | null }) =>
        `${product} ${provider ?? 'none'}`,
    ],
    ['kind', ({ kind }: { kind: string | null }) => kind ?? 'vtu'],
  ] as const) {
    const { rows } = await cli.json('report', ...oneDay, '--by', by);
    const raw = await rawSales(database, day, keyOf as never);
    const names = by.split(',');
    const reported = rows.filter((row: { purchases: number }) => row.purchases > 0);
    assert.equal(reported.length, raw.size);
    assert.ok(raw.size > 3);
    for (const row of reported) {
      const key = names.map((name) => row[name]).join(' ');
      const expected = comparable(raw.get(key));
      assert.deepEqual(pick(row, Object.keys(expected ?? {})), expected, key);
    }
  }
});

test('shows the same in text, CSV and JSON, and CSV that is safe to open', async () => {
  const { totals } = await cli.json('report', ...oneDay);
  const text = await cli.oja('report', ...oneDay);
  assert.match(text.out, /\blive\b.*\b2026-11-10\b/s);
  assert.ok(text.out.includes(totals[0].charge));
  const csv = await cli.oja('report', ...oneDay, '--by', 'merchant,network', '--csv');
  const lines = csv.out.trimEnd().split('\r\n');
  assert.match(lines[0] ?? '', /^product,network,kind,provider,merchant,currency,purchases,successes,/);
  assert.ok(lines.length > 10);
  const empty = await cli.oja('report', '--from', '2020-01-01', '--to', '2020-01-02', '--csv');
  assert.match(empty.out, /,currency,purchases,/);
});

test('shows the refunds, the durations and what is pending by kind, which add up to the totals', async () => {
  const { rows, totals } = await cli.json('report', ...oneDay, '--by', 'kind');
  const kinds = rows.map(({ kind }: { kind: string }) => kind);
  assert.deepEqual(kinds, ['corporate_gifting', 'share_and_sell', 'sme', 'vtu']);
  for (const name of ['pending', 'refunds', 'took_over_30s']) {
    const sum = rows.reduce((all: number, row: Record<string, number>) => all + (row[name] ?? 0), 0);
    assert.ok(sum > 0, name);
    assert.equal(sum, totals[0][name], name);
  }
  const refused = await cli.oja('report', ...oneDay, '--by', 'plan_kind', '--json');
  assert.deepEqual([refused.code, refused.fields], [2, ['by']]);
});

test('continues each page of rows after the previous one', async () => {
  const { showReportOperation } = await import('../../../src/finance/reports/operations/show-report.ts');
  const ask = (cursor?: string) =>
    showReportOperation.run(
      { sql: database, database, clock: { now: () => new Date(), elapsedMs: () => 0 } },
      {
        from: day,
        to: day,
        environment: 'live',
        by: 'merchant,network',
        limit: 3,
        ...(cursor && { cursor }),
      },
    );
  const whole = (await cli.json('report', ...oneDay, '--by', 'merchant,network')).rows;
  const paged = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await ask(cursor);
    assert.ok(page.rows.length <= 3);
    paged.push(...page.rows);
    cursor = page.cursor;
  }
  assert.deepEqual(paged, whole);
  await assert.rejects(ask('["a"]'), refusedAct('no_such_cursor'));
});

test('refuses and names invalid input', async () => {
  const wrong = await cli.oja('report', '--by', 'product,colour', '--json');
  assert.deepEqual([wrong.code, wrong.fields], [2, ['by']]);
  assert.equal((await cli.oja('report', '--from', '2026-02-30')).code, 2);
  const backwards = await cli.oja('report', '--from', '2026-11-11', '--to', '2026-11-10');
  assert.equal(backwards.code, 1);
});
