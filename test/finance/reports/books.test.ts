/** The books as accountants import them: hledger accepts them and computes the same balances. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { parseSignedAmount } from '../../../src/core/money.ts';
import { exportBooksOperation } from '../../../src/finance/reports/operations/export-books.ts';
import { operator } from '../../cli/harness.ts';
import { playDay } from '../../support/played-day.ts';
import { rawBalances } from '../../support/raw-day.ts';
import { refusedAct } from '../../support/refusals.ts';

const day = '2026-11-10';
const cli = await operator();
const folder = mkdtempSync(join(tmpdir(), 'oja-books-'));
after(async () => {
  rmSync(folder, { recursive: true });
  await cli[Symbol.asyncDispose]();
});
const { database } = cli;
await playDay(database, { day, purchases: 300, seed: 3 });
const oneDay = ['--from', day, '--to', day];
/** The program of the machine, if it is installed. */
const hledger = 'hledger';
const hasHledger = spawnSync(hledger, ['--version']).status === 0;

const amountOf = (text: string): bigint => parseSignedAmount(text) ?? 0n;

/** Debits less credits by account, as Oja has them. */
async function ownBalances(): Promise<Map<string, bigint>> {
  const rows: { name: string; debit: string; credit: string }[] = await cli.json(
    ...['books', 'balance', '--at', day],
  );
  return new Map(rows.map(({ name, debit, credit }) => [name, amountOf(debit) - amountOf(credit)]));
}

test('balances the trial balance, with the balances of the raw rows', async () => {
  const csv = await cli.oja('books', 'balance', '--at', day, '--csv');
  const rows: { account: string; debit: string; credit: string }[] = parse(csv.out, { columns: true });
  const raw = await rawBalances(database, day);
  assert.deepEqual(
    new Map(rows.map(({ account, debit, credit }) => [account, amountOf(credit) - amountOf(debit)])),
    new Map([...raw].sort(([one], [other]) => (one < other ? -1 : 1))),
  );
  const [total] = JSON.parse((await cli.oja('books', 'balance', '--at', day, '--json')).out).totals;
  assert.equal(total.debit, total.credit);
  const sum = rows.reduce((all, { debit }) => all + amountOf(debit), 0n);
  assert.equal(amountOf(total.debit), sum);
});

test('hledger finds no error in the journal, and has our balances', {
  skip: hasHledger ? false : 'hledger is not installed',
}, async () => {
  const { out } = await cli.oja('books', 'export', ...oneDay);
  const file = join(folder, 'books.journal');
  writeFileSync(file, out);
  execFileSync(hledger, ['-f', file, 'check', '--strict']);
  const options = ['balance', '--flat', '--no-total', '--empty', '-O', 'csv'];
  const lines: { account: string; balance: string }[] = parse(
    execFileSync(hledger, ['-f', file, ...options], { encoding: 'utf8' }),
    { columns: true },
  );
  const balances = new Map(
    lines.map(({ account, balance }) => [account, amountOf(balance.replace('NGN ', ''))]),
  );
  // All balances that are brought forward come from each other.
  assert.equal(balances.get('equity:opening-balances') ?? 0n, 0n);
  balances.delete('equity:opening-balances');
  const sorted = (map: Map<string, bigint>): [string, bigint][] =>
    [...map].filter(([, balance]) => balance !== 0n).sort(([one], [other]) => (one < other ? -1 : 1));
  assert.deepEqual(sorted(balances), sorted(await ownBalances()));
});

test('exports each transfer once, whatever the page size', async () => {
  const [stored] = await database.query<{ count: number; amount: bigint }>(
    `select count(*)::integer as count, sum(amount)::bigint as amount
     from transfers
     where created_at at time zone 'UTC' >= $1::date - interval '1 hour'`,
    [day],
  );
  const { out } = await cli.oja('books', 'export', ...oneDay, '--format', 'csv');
  const rows: Record<'code' | 'amount' | 'transfers', string>[] = parse(out, { columns: true });
  const moved = rows.filter(({ code }) => code !== 'opening balance');
  assert.equal(
    moved.reduce((sum, { transfers }) => sum + Number(transfers), 0),
    stored?.count,
  );
  assert.equal(
    moved.reduce((sum, { amount }) => sum + amountOf(amount), 0n),
    stored?.amount,
  );
  const paged: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await exportBooksOperation.run(
      { sql: database, database, clock: { now: () => new Date(), elapsedMs: () => 0 } },
      {
        from: day,
        to: day,
        environment: 'live',
        format: 'csv',
        limit: 7,
        ...(cursor && { cursor }),
      },
    );
    paged.push(...page.data);
    cursor = page.cursor;
  }
  assert.equal(`${paged.join('\n')}\n`, out);
});

test('begins the journal of the next day at the end of this one', async () => {
  const { out } = await cli.oja('books', 'export', '--from', '2026-11-11', '--to', '2026-11-11');
  const opened = [...out.matchAll(/^ {4}(\S+) {2}NGN (-?[0-9.]+)$/gm)]
    .map(([, name = '', amount = '']) => [name, amountOf(amount)] as const)
    .filter(([name]) => name !== 'equity:opening-balances');
  const own = [...(await ownBalances())].filter(([, balance]) => balance !== 0n);
  assert.deepEqual(new Map(opened), new Map(own));
});

test('refuses invalid input', async () => {
  assert.equal((await cli.oja('books', 'export', '--format', 'xlsx')).code, 2);
  assert.equal((await cli.oja('books', 'balance', '--at', 'today')).code, 2);
  for (const after of [
    '["x"]',
    '["x","a","1","1"]',
    '["2026-02-31","a","1","1"]',
    '["2026-02-28","a","1234567890123456789","1"]',
  ]) {
    await assert.rejects(
      exportBooksOperation.run(
        { sql: database, database, clock: { now: () => new Date(), elapsedMs: () => 0 } },
        { from: day, to: day, environment: 'live', cursor: `{"at":"movement","after":${after}}` },
      ),
      refusedAct('no_such_cursor'),
    );
  }
});
