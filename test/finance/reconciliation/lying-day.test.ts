/**
 * A whole day, closed to the kobo against a statement with every kind of error. Exactly those
 * errors are found, they explain the difference, and their commands fix those that can be fixed.
 * The report, the closed day, the ledger and the accountants' journal agree with the raw rows.
 *
 * `OJA_TEST_DAY_PURCHASES=100000` plays a larger day.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { lineOf } from '../../../src/cli/program.ts';
import { formatAmount, parseSignedAmount } from '../../../src/core/money.ts';
import {
  type AnsweredDifference,
  correctionsOf,
} from '../../../src/finance/reconciliation/correct-difference.ts';
import { operator } from '../../cli/harness.ts';
import { playDay } from '../../support/played-day.ts';
import { rawBalances, rawRefunds, rawSales } from '../../support/raw-day.ts';
import { type ReportedDay, reportDay, statementText, takenBy } from '../../support/reported-statement.ts';
import { type Expected, lie, lieAboutMovements } from '../../support/statement-lies.ts';

const day = '2026-11-10';
const oneDay = ['--from', day, '--to', day];
const wanted = process.env.OJA_TEST_DAY_PURCHASES;
const purchases = Number(wanted ?? 900);
const liesOfEach = Math.ceil(purchases / 5_000);
/** The program on this machine, if it is installed. */
const hledger = 'hledger';
const cli = await operator();
const { database } = cli;
let folder: string;
let reported: ReportedDay;
let expected: readonly Expected[];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'oja-lying-day-'));
  await timed('playing the day', () => playDay(database, { day, purchases, seed: 4 }));
});
after(async () => {
  await rm(folder, { recursive: true });
  await cli[Symbol.asyncDispose]();
});

function say(text: string): void {
  if (wanted !== undefined) console.log(text);
}

/** The time it took is printed with the results of a larger day. */
async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work();
  say(`${what}: ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
  return result;
}

type Difference = AnsweredDifference & { readonly provider_id: string | null };

type Run = {
  readonly differences: readonly Difference[];
  readonly summary: Readonly<Record<string, string>>;
};

/** The command that corrects it. The cost of an order that is no merchant's is booked. */
function commandFor(difference: Difference): string | undefined {
  const [action] = correctionsOf({ ...difference, verdict: 'dismissed' }, 'live');
  return action && lineOf(action);
}

async function reconcile(provider: string, text: string, ...more: readonly string[]): Promise<Run> {
  const file = join(folder, `${provider}.csv`);
  await writeFile(file, text);
  const ran = await cli.oja('reconcile', provider, file, ...oneDay, ...more, '--json');
  assert.equal(ran.code, 0, ran.err);
  const { run, data } = JSON.parse(ran.out);
  return { differences: data, summary: run.summary };
}

function kobo(text: string | undefined): bigint {
  const amount = text === '0.00' ? 0n : parseSignedAmount(text ?? '');
  assert.ok(amount !== undefined, `${text} is an amount`);
  return amount;
}

/** The effects of the differences plus pending orders equal the difference between both sides. */
function requireExplained({ differences, summary }: Run): void {
  const effects = differences.reduce((sum, { effect }) => sum + kobo(effect), 0n);
  assert.equal(effects + kobo(summary.under_way), kobo(summary.net_there) - kobo(summary.net_here));
}

const sortedTexts = (lines: readonly (readonly unknown[])[]): string[] =>
  lines.map((line) => line.join(' ')).sort();

function requireFound({ differences }: Run, wanted: readonly Expected[]): void {
  assert.deepEqual(
    sortedTexts(
      differences.map(({ kind, reference, provider_id: id, amount, effect }) => [
        ...[kind, reference ?? id, amount, effect],
      ]),
    ),
    sortedTexts(
      wanted.map(({ kind, reference, amount, effect }) => [
        ...[kind, reference, formatAmount(amount), formatAmount(effect)],
      ]),
    ),
  );
}

/** The words of a command as a shell reads them. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(
    ([, quoted, word]) => quoted?.replaceAll("'\\''", "'") ?? word ?? '',
  );
}

test('finds no difference in a true statement, and the balances of the raw rows', async () => {
  const mapping = join(folder, 'mapping.json');
  await writeFile(mapping, (await cli.oja('reconciliation', 'mapping', 'vtpass')).out);
  for (const provider of ['vtpass', 'nomba', 'reloadly']) {
    const truth = await reportDay(database, provider, day);
    const run = await timed(`reconciling ${truth.lines.length} lines of ${provider}`, () =>
      reconcile(provider, statementText(truth), '--mapping', mapping),
    );
    requireFound(run, []);
    requireExplained(run);
    const spent = (await rawBalances(database, day)).get(`float:${provider}:live:NGN`);
    assert.equal(kobo(run.summary.net_here), spent);
    assert.equal(kobo(run.summary.net_there), takenBy(truth.lines));
    assert.equal(run.summary.unexplained, '0.00');
    if (provider === 'vtpass') reported = truth;
  }
});

test('finds exactly the planted lies, which explain the difference', async () => {
  const lied = lie(reported, liesOfEach);
  const moved = await lieAboutMovements(cli, lied.reported, day);
  reported = moved.reported;
  expected = [...lied.expected, ...moved.expected];
  const run = await reconcile('vtpass', statementText(reported));
  requireFound(run, expected);
  requireExplained(run);
  assert.equal(kobo(run.summary.net_there), takenBy(reported.lines));
  const wanted = new Map<string | null, string | undefined>(expected.map((one) => [one.reference, one.mend]));
  for (const difference of run.differences) {
    const [begin, command] = [wanted.get(difference.reference), commandFor(difference)];
    assert.ok(
      begin === undefined ? command === undefined : command?.startsWith(begin),
      `${begin}: ${command}`,
    );
  }
});

test('finds exactly the amount that a file hides', async () => {
  const { differences, summary } = await reconcile('vtpass', statementText(reported, 1_23n));
  assert.equal(summary.unexplained, '-1.23');
  const others = differences.filter(({ kind }) => kind !== 'file_does_not_add_up');
  assert.deepEqual([others.length, differences.length], [expected.length, expected.length + 1]);
  const found = differences.find(({ kind }) => kind === 'file_does_not_add_up');
  assert.deepEqual([found?.amount, found?.effect], ['1.23', '0.00']);
  const opening = await reconcile(
    'vtpass',
    statementText({ ...reported, opening: reported.opening + 5n }).replace(
      /Closing.*/,
      `Closing Balance,${formatAmount(reported.opening - takenBy(reported.lines))}`,
    ),
  );
  assert.equal(opening.summary.unexplained, '-0.05');
});

test('names only the line whose balance does not follow from the previous line', async () => {
  const reported = await reconcile('vtpass', withBalances(undefined));
  assert.equal(reported.summary.balances_broken, '0');
  assert.ok(Number(reported.summary.balances_followed) > 2);
  const lied = await reconcile('vtpass', withBalances(3));
  assert.equal(lied.summary.balances_broken, '1');
  const broken = lied.differences.filter(({ kind }) => kind === 'balance_does_not_follow');
  assert.deepEqual(
    broken.map(({ amount, effect }) => [amount, effect]),
    [['0.07', '0.00']],
  );
});

/** A few charges with the balance after each. From line `lied` on, the balance is 7 kobo less. */
function withBalances(lied: number | undefined): string {
  let balance = 50_000_00n;
  const head = 'Transaction Date,Transaction ID,Transaction Type,Amount,Total Amount,Status,Balance';
  const rows = [1, 2, 3, 4, 5].map((index) => {
    const size = 100_00n + BigInt(index);
    balance -= size + (index === lied ? 7n : 0n);
    const [taken, left] = [formatAmount(size), formatAmount(balance)];
    return `${day}T09:0${index}:00+01:00,fee-${index},charge,${taken},${taken},delivered,${left}`;
  });
  return [head, ...rows, ''].join('\n');
}

test('uses the balances of a file only when no line is left out', async () => {
  const text = statementText({ ...reported, lines: reported.lines.slice(1) }, 1_23n);
  const { differences, summary } = await reconcile(
    'vtpass',
    text,
    '--to',
    '2026-11-09',
    '--from',
    '2026-11-09',
  );
  assert.deepEqual(differences, []);
  assert.equal(summary.unexplained, undefined);
});

test('finds a ledger that moved an amount other than the cost, as the audit does', async () => {
  const spoil = (change: string): Promise<unknown> =>
    database.session(async (sql) => {
      await sql.query('set session_replication_role = replica');
      await sql.query(
        `update transfers
         set amount = amount ${change}
         where code = 'purchase_cost'
         and (merchant_id, subject_id) = (
           select a.merchant_id, a.purchase_id
           from attempts a
           join purchase_outcomes o on o.merchant_id = a.merchant_id and o.purchase_id = a.purchase_id
           where a.provider = 'vtpass'
           and o.status = 'success'
           order by a.reference
           limit 1
         )`,
      );
    });
  await spoil('+ 100');
  const { differences } = await reconcile('vtpass', statementText(reported));
  const found = differences.filter(({ kind }) => kind === 'ledger_differs');
  assert.deepEqual(
    found.map((difference) => [difference.effect, commandFor(difference)]),
    [['0.00', 'audit']],
  );
  assert.equal((await cli.oja('audit')).code, 1);
  await spoil('- 100');
  const mended = await reconcile('vtpass', statementText(reported));
  assert.deepEqual(
    mended.differences.filter(({ kind }) => kind === 'ledger_differs'),
    [],
  );
});

test('resolves everything that the commands can resolve, and leaves nothing else', async () => {
  const { differences } = await reconcile('vtpass', statementText(reported));
  const mended = new Set(expected.filter(({ isMended }) => isMended).map(({ reference }) => reference));
  const commands = differences.filter(({ reference }) => mended.has(reference ?? ''));
  await timed(`running ${commands.length} commands`, async () => {
    for (const difference of commands) {
      const command = commandFor(difference) ?? '';
      const ran = await cli.oja(...wordsOf(command));
      assert.equal(ran.code, 0, `${command}\n${ran.err}`);
    }
  });
  const again = await reconcile('vtpass', statementText(reported));
  const left = expected.filter(({ isMended }) => !isMended);
  requireFound(again, left);
  requireExplained(again);
  // A top-up that was booked and never came is taken back.
  const back = ['--at', `${day}T12:00:00+01:00`, '--reason', 'it never came'];
  await cli.json('float', 'charge', 'vtpass', '40000', '--reference', 'never-came:more', ...back);
  const last = await reconcile('vtpass', statementText(reported));
  requireFound(
    last,
    left.filter(({ reference }) => reference !== 'never-came'),
  );
  requireExplained(last);
});

test('closes the day with the figures of the raw rows', async () => {
  const closed = await timed('closing the day', () => cli.oja('day', 'close', day));
  assert.equal(closed.code, 0, closed.err);
  const raw = (await rawSales(database, day, () => 'all')).get('all');
  const refunds = await rawRefunds(database, day);
  assert.ok(raw);
  const figures = [raw.purchases, raw.successes, raw.failures].map(String);
  const money = [raw.face_value, raw.charge, raw.cost, raw.charge - raw.cost, raw.loss];
  const wanted = [...figures, ...[...money, refunds.merchant, refunds.provider].map(formatAmount)];
  const shown = await cli.json('day', 'show', day);
  const report = await timed('reporting the day', () => cli.json('report', ...oneDay));
  for (const [total] of [shown.totals, report.totals]) {
    const { face_value: face, charge, cost, margin, loss, refunded, provider_refunded: back } = total;
    const counts = [total.purchases, total.successes, total.failures].map(String);
    assert.deepEqual([...counts, face, charge, cost, margin, loss, refunded, back], wanted);
  }
  assert.deepEqual([shown.intact, report.agrees, report.added_up.complete], [true, true, true]);
  const frozen = await database.query<{ code: string; balance: bigint }>(
    'select a.code, b.balance from closed_balances b join accounts a on a.id = b.account_id',
  );
  assert.deepEqual(
    sortedTexts(frozen.filter(({ balance }) => balance !== 0n).map(({ code, balance }) => [code, balance])),
    sortedTexts([...(await rawBalances(database, day))].filter(([, balance]) => balance !== 0n)),
  );
  say(`${raw.purchases} purchases: ${wanted.join(', ')}; ${closed.out.split('\n')[0]}`);
});

test('exports a journal that hledger accepts, with the balances of the raw rows', {
  skip: spawnSync(hledger, ['--version']).status === 0 ? false : 'hledger is not installed',
}, async () => {
  const journal = join(folder, 'books.journal');
  await writeFile(journal, (await cli.oja('books', 'export', ...oneDay)).out);
  execFileSync(hledger, ['-f', journal, 'check', '--strict']);
  const text = execFileSync(
    hledger,
    ['-f', journal, 'balance', '--flat', '--no-total', '--empty', '-O', 'csv', 'assets:floats'],
    { encoding: 'utf8' },
  );
  const balances: { account: string; balance: string }[] = parse(text, { columns: true });
  const raw = await rawBalances(database, day);
  assert.deepEqual(
    balances.map(({ account, balance }) => [account, kobo(balance.replace('NGN ', ''))]),
    ['nomba', 'reloadly', 'vtpass'].map((name) => [
      `assets:floats:${name}`,
      -(raw.get(`float:${name}:live:NGN`) ?? 0n),
    ]),
  );
});

test('leaves books that the audit accepts', async () => {
  const ran = await timed('auditing', () => cli.oja('audit'));
  assert.equal(ran.code, 0, ran.out);
});
