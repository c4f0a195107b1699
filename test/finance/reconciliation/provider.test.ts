/**
 * The books against a provider whose statement is wrong: each kind of difference is made, found
 * with its fix, and gone after it. A correct line is no difference.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'csv-parse/sync';
import { auditPurchases } from '../../../src/audit/audit-purchases.ts';
import { lineOf } from '../../../src/cli/program.ts';
import {
  type AnsweredDifference,
  correctionsOf,
} from '../../../src/finance/reconciliation/correct-difference.ts';
import { type Operator, operator, runOja, startOja } from '../../cli/harness.ts';
import { openNombaBench } from '../../conformance/nomba-bench.ts';
import type { ConnectorBench } from '../../conformance/simulator-bench.ts';
import { openVtpassBench } from '../../conformance/vtpass-bench.ts';
import { until } from '../../support/until.ts';
import { type Bought, openShop, type Shop } from './shop.ts';

type Difference = AnsweredDifference;

type Summary = Readonly<Record<string, string>>;
type Run = { readonly differences: readonly Difference[]; readonly summary: Summary; readonly id: string };

let op: Operator;
let bench: ConnectorBench;
let shop: Shop;
let folder: string;
const file = (): string => join(folder, 'statement.csv');

before(async () => {
  op = await operator();
  bench = await openVtpassBench();
  shop = await openShop(op, bench.provider);
  folder = await mkdtemp(join(tmpdir(), 'oja-reconciliation-'));
});
after(async () => {
  await rm(folder, { recursive: true });
  await bench[Symbol.asyncDispose]();
  await op[Symbol.asyncDispose]();
});

/** The program of the machine. */
const pipeMaker = 'mkfifo';

type Lie = Readonly<Record<string, string>>;

/** The provider still lists the order that was fixed here. */
const lasting: Lie[] = [];

async function lie(...rules: readonly Lie[]): Promise<void> {
  const all = [...lasting, ...rules].map((rule) => ({ provider: 'vtpass', ...rule }));
  const body = JSON.stringify({ rules: all });
  const answer = await fetch(`${bench.url}/lies`, { method: 'PUT', body });
  assert.equal(answer.status, 200, await answer.text());
}

async function move(kind: 'top_up' | 'charge', amount: string): Promise<string> {
  const body = JSON.stringify({ provider: 'vtpass', kind, amount });
  const answer = await fetch(`${bench.url}/movements`, { method: 'POST', body });
  return ((await answer.json()) as { id: string }).id;
}

async function download(): Promise<void> {
  await writeFile(file(), await (await fetch(`${bench.url}/statements/vtpass.csv`)).text());
}

async function run(...args: string[]): Promise<Run> {
  const ran = await op.oja('reconcile', ...args, '--json');
  assert.equal(ran.code, 0, ran.err);
  const { run: reported, data } = JSON.parse(ran.out);
  return { differences: data, summary: reported.summary, id: reported.id };
}

/** Against the file as the provider exports it now. */
async function reconcile(...args: string[]): Promise<Run> {
  await download();
  return await run('vtpass', file(), ...args);
}

function kindsOf({ differences }: Run): string[] {
  return differences.map(({ kind }) => kind).sort();
}

/** Runs the command of a difference. The cost of an order that is no merchant's is booked. */
async function mend(difference: Difference): Promise<void> {
  const [action] = correctionsOf({ ...difference, verdict: 'dismissed' }, 'live');
  const command = action && lineOf(action);
  assert.ok(command !== undefined);
  const words = [...command.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map(
    ([, quoted, word]) => quoted?.replaceAll("'\\''", "'") ?? word ?? '',
  );
  const ran = await op.oja(...words);
  assert.equal(ran.code, 0, `${command}\n${ran.err}`);
}

const recipient = (() => {
  let count = 0;
  return (): string => {
    count += 1;
    return `23480301${count.toString().padStart(5, '0')}`;
  };
})();

/** So that nothing is near an end of the period. */
const days = ['--from', dayIn(-1), '--to', dayIn(1)];

function dayIn(count: number): string {
  return new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);
}

/**
 * A correct purchase, then a wrong statement of it. Returns the difference, and checks that it is
 * gone after its fix.
 */
const lies: readonly {
  readonly lie: string;
  readonly more?: Readonly<Record<string, string>>;
  readonly kind: string;
  readonly effect: string;
  readonly mends?: 'by its command';
}[] = [
  { lie: 'missing', kind: 'unknown_there_success_here', effect: '-97.00' },
  { lie: 'twice', kind: 'delivered_twice', effect: '97.00', mends: 'by its command' },
  { lie: 'failed', kind: 'failed_there_success_here', effect: '-97.00', mends: 'by its command' },
  { lie: 'reversed', kind: 'failed_there_success_here', effect: '-97.00', mends: 'by its command' },
  { lie: 'pending', kind: 'pending_there_success_here', effect: '0.00' },
  { lie: 'other_amount', more: { amount: '50' }, kind: 'amount_differs', effect: '0.00' },
  {
    lie: 'other_cost',
    more: { amount: '97.01' },
    kind: 'cost_differs',
    effect: '0.01',
    mends: 'by its command',
  },
  {
    lie: 'other_cost',
    more: { amount: '90' },
    kind: 'cost_differs',
    effect: '-7.00',
    mends: 'by its command',
  },
  { lie: 'other_recipient', kind: 'other_recipient', effect: '0.00' },
  { lie: 'stranger', kind: 'unknown_here', effect: '97.00', mends: 'by its command' },
];

describe('the books against a provider, by its file', { concurrency: 1 }, () => {
  it('finds no difference when both sides agree to the kobo', async () => {
    for (let count = 0; count < 3; count += 1) await shop.buy(`right-${count}`, recipient());
    await bench.addRule({ fault: 'refused', recipient: '2348030155555' });
    await shop.buy('refused', '2348030155555', 'failed');
    const { differences, summary } = await reconcile();
    assert.deepEqual(differences, []);
    assert.equal(summary.taken, '291.00');
    assert.equal(summary.booked, '291.00');
    assert.equal(summary.unexplained, '0.00');
  });

  for (const { lie: what, more, kind, effect, mends } of lies) {
    it(`finds ${kind} if the provider reports ${what}${more === undefined ? '' : ` ${more.amount}`}`, async () => {
      const number = recipient();
      const { reference } = await shop.buy(`${what}-${number}`, number);
      const reported = { lie: what, reference, ...more };
      await lie(reported);
      const found = await reconcile(...days);
      assert.deepEqual(kindsOf(found), [kind]);
      const [difference] = found.differences;
      assert.equal(difference?.effect, effect);
      if (mends !== undefined && difference !== undefined) {
        lasting.push(reported);
        await mend(difference);
        assert.deepEqual(kindsOf(await reconcile(...days)), [], 'mended, it is no difference');
        return;
      }
      await lie();
      assert.deepEqual(kindsOf(await reconcile(...days)), [], 'reported right, it is no difference');
    });
  }

  it('finds orders that were delivered there and failed, or are pending, here', async () => {
    await lie();
    const failed = await shop.buy('failed-here', recipient(), 'failed');
    const pending = await shop.buy('pending-here', recipient(), 'pending');
    const found = await reconcile();
    const ours = found.differences.filter(({ purchase }) => purchase?.endsWith('-here'));
    assert.deepEqual(ours.map(({ kind, purchase, effect }) => [purchase, kind, effect]).sort(), [
      ['failed-here', 'delivered_there_failed_here', '97.00'],
      ['pending-here', 'delivered_there_pending_here', '97.00'],
    ]);
    const [one] = ours.filter(({ purchase }) => purchase === 'failed-here');
    assert.ok(one !== undefined && failed.id !== pending.id);
    await mend(one);
  });

  it('finds orders that are pending here and were refused or never reported there', async () => {
    const number = recipient();
    await bench.addRule({ fault: 'refused', recipient: number });
    await shop.buy('refused-there', number, 'pending');
    await shop.pretend('never-reported', 'pending');
    const found = (await reconcile(...days)).differences.filter(({ purchase }) =>
      ['refused-there', 'never-reported'].includes(purchase ?? ''),
    );
    assert.deepEqual(found.map(({ purchase, kind, effect }) => [purchase, kind, effect]).sort(), [
      ['never-reported', 'unknown_there_pending_here', '0.00'],
      ['refused-there', 'failed_there_pending_here', '0.00'],
    ]);
    await shop.buy('last', recipient());
    const edge = (await reconcile()).differences.find(({ purchase }) => purchase === 'never-reported');
    assert.equal(edge?.kind, 'at_the_edge');
  });
});

describe('applying safe fixes', { concurrency: 1 }, () => {
  let reversed: Bought;
  before(async () => {
    await move('top_up', '500000');
    await move('charge', '52.50');
    reversed = await shop.buy('taken-back', recipient());
    await lie({ lie: 'reversed', reference: reversed.reference });
  });

  const acts = (): Promise<{ action: string }[]> =>
    op.database.query(
      "select action from audit_log where action in ('float.top_up', 'float.charge', 'purchase.provider_refund') order by id",
    );

  it('changes nothing without --apply', async () => {
    const before = await acts();
    const found = await reconcile();
    assert.ok(kindsOf(found).includes('top_up_unbooked'));
    assert.ok(kindsOf(found).includes('charge_unbooked'));
    assert.deepEqual(await acts(), before);
    const [topUp] = found.differences.filter(({ kind }) => kind === 'top_up_unbooked');
    assert.equal(topUp?.effect, '-500000.00');
    assert.ok(topUp);
    const [action] = correctionsOf(topUp, 'live');
    assert.match((action && lineOf(action)) ?? '', /^float top-up vtpass 500000\.00 --reference /);
  });

  it('books top-ups, charges and reversals once', async () => {
    const before = (await acts()).length;
    const found = await reconcile('--apply');
    const applied = found.differences.filter(({ applied: done }) => done !== null).map(({ kind }) => kind);
    for (const kind of ['charge_unbooked', 'failed_there_success_here', 'top_up_unbooked']) {
      assert.ok(applied.includes(kind), kind);
    }
    assert.equal((await acts()).length, before + 3);
    const again = await reconcile('--apply');
    assert.equal((await acts()).length, before + 3, 'a second run books nothing');
    assert.ok(!kindsOf(again).includes('top_up_unbooked'));
    assert.ok(!kindsOf(again).includes('charge_unbooked'));
  });

  it('leaves books that the audit accepts', async () => {
    const results = await auditPurchases(op.database);
    const text = JSON.stringify(results, (_key, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    assert.doesNotMatch(text, /"differences":\[\{/);
  });

  it('queries the provider about pending purchases and applies its answers', async () => {
    const settings = {
      ...op.settings,
      OJA_VTPASS_BASE_URL: `${bench.url}/vtpass/api`,
      OJA_VTPASS_API_KEY: 'simulator-api-key',
      OJA_VTPASS_PUBLIC_KEY: 'PK_simulator',
      OJA_VTPASS_SECRET_KEY: 'SK_simulator',
    };
    await download();
    const ran = await runOja(settings, ['reconcile', 'vtpass', file(), '--apply', '--json']);
    assert.equal(ran.code, 0, ran.err);
    const found = (JSON.parse(ran.out).data as Difference[]).find(
      ({ purchase }) => purchase === 'pending-here',
    );
    assert.notEqual(found?.applied, null);
    assert.equal((await op.json('purchase', 'show', 'pending-here')).status, 'success');
    // Without a file, VTpass can be compared only by its answers to queries.
    await shop.buy('asked-alone', recipient(), 'pending');
    const asked = await runOja(settings, ['reconcile', 'vtpass', '--apply', '--json']);
    const alone = (JSON.parse(asked.out).data as Difference[]).find(
      ({ purchase }) => purchase === 'asked-alone',
    );
    assert.equal(alone?.kind, 'pending_here');
    assert.notEqual(alone?.applied, null);
    assert.equal((await op.json('purchase', 'show', 'asked-alone')).status, 'success');
  });
});

describe('a run', { concurrency: 1 }, () => {
  it('stores, lists and shows a run, and prints it as CSV', async () => {
    const { reference: unreported } = await shop.buy('unreported', recipient());
    await lie({ lie: 'missing', reference: unreported });
    const { id, differences } = await reconcile(...days);
    await lie();
    const [newest] = await op.json('reconciliation', 'list', '--party', 'vtpass');
    assert.deepEqual([newest.id, newest.differences], [id, differences.length]);
    const shown = await op.json('reconciliation', 'show', id);
    assert.deepEqual(shown.length, differences.length);
    const csv = await op.oja('reconciliation', 'show', id, '--csv');
    const rows: Difference[] = parse(csv.out, { columns: true });
    const money = (list: readonly Difference[]) => list.map(({ amount, effect }) => [amount, effect]);
    assert.deepEqual(money(rows), money(differences));
    assert.ok(rows.some(({ effect }) => effect === '-97.00'));
    const text = await op.oja('reconciliation', 'show', id);
    for (const { effect } of differences) assert.ok(effect === null || text.out.includes(effect), effect);
    await assert.rejects(op.database.query('delete from reconciliation_differences'));
  });

  it('refuses invalid input and stores nothing', async () => {
    const count = async (): Promise<number> => (await op.json('reconciliation', 'list')).length;
    const before = await count();
    await writeFile(join(folder, 'bad.csv'), 'Date,Amount\n2026-11-22,1\n');
    await writeFile(join(folder, 'bad.json'), '{}');
    const nonsense: readonly (readonly [args: readonly string[], code: number, refused: string])[] = [
      [['reconcile', 'vtpas', file()], 1, 'no_such_party'],
      [['reconcile', 'vtpass', join(folder, 'nothing.csv')], 1, 'statement_at_fault'],
      [['reconcile', 'vtpass', join(folder, 'bad.csv')], 1, 'statement_at_fault'],
      [['reconcile', 'vtpass', file(), '--mapping', join(folder, 'bad.json')], 1, 'statement_at_fault'],
      [['reconcile', 'vtpass', file(), '--from', '2026-11-23', '--to', '2026-11-22'], 1, 'days_backwards'],
      [['reconcile', 'vtpass', file(), '--from', '2126-11-23'], 1, 'days_backwards'],
      [['reconcile', 'vtpass', file(), '--from', 'May'], 2, 'input_malformed'],
      [['float', 'top-up', 'vtpass', '5', '--at', '2026-02-30T12:00:00Z'], 1, 'no_such_moment'],
      [['float', 'top-up', 'vtpass', '5', '--at', '2026-02-12T29:00:00Z'], 1, 'no_such_moment'],
      [['float', 'top-up', 'vtpass', '5', '--at', '2126-02-12T12:00:00Z'], 1, 'moment_to_come'],
      [['float', 'top-up', 'vtpass', '0'], 2, 'input_malformed'],
      [['reconcile', 'reloadly', file()], 1, 'no_statement_mapping'],
      [['reconciliation', 'show', '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10'], 1, 'no_reconciliation'],
    ];
    for (const [args, code, refused] of nonsense) {
      const ran = await op.oja(...args);
      assert.deepEqual([ran.code, ran.refused], [code, refused], `${args.join(' ')}\n${ran.out}${ran.err}`);
    }
    const production = { ...op.settings, OJA_PROFILE: 'production' };
    const alone = await runOja(production, ['reconcile', 'vtpass', '--from', '2026-11-22']);
    assert.equal(alone.refused, 'party_not_configured');
    assert.equal(await count(), before);
  });

  it('leaves nothing of a killed run, and the next run is right', async () => {
    await download();
    const text = await readFile(file(), 'utf8');
    const pipe = join(folder, 'pipe.csv');
    execFileSync(pipeMaker, [pipe]);
    const stored = (): Promise<unknown[]> =>
      op.database.query('select id from reconciliation_runs order by id');
    const tables = (): Promise<unknown[]> =>
      op.database.query("select from pg_class where relname = 'reported_lines' and relpersistence = 't'");
    const before = await stored();
    const killed = startOja(op.settings, ['reconcile', 'vtpass', pipe, '--apply', '--json']);
    const ended = once(killed, 'exit');
    // Half of it comes, and the rest does not before the end.
    const half = await open(pipe, 'w');
    await half.write(text.slice(0, text.length / 2));
    await until('the half is taken in', async () => (await tables()).length === 1);
    killed.kill('SIGKILL');
    await ended;
    await half.close();
    await until('its tables are gone', async () => (await tables()).length === 0);
    assert.deepEqual(await stored(), before);
    const { differences, summary } = await reconcile();
    const effects = differences.reduce((sum, { effect }) => sum + Math.round(Number(effect) * 100), 0);
    const apart = Math.round((Number(summary.net_there) - Number(summary.net_here)) * 100);
    assert.equal(effects + Math.round(Number(summary.under_way) * 100), apart);
    assert.equal(summary.unexplained, '0.00');
    assert.equal((await stored()).length, before.length + 1);
  });

  it('shows how files are read, as a mapping to start from', async () => {
    const ran = await op.oja('reconciliation', 'mapping', 'vtpass');
    await writeFile(join(folder, 'ours.json'), ran.out);
    await reconcile('--mapping', join(folder, 'ours.json'));
  });
});

describe('the books against a provider that has a list', () => {
  it('compares the list of a provider page by page, in any order', async () => {
    await using nomba = await openNombaBench();
    const own = await operator();
    const there = await openShop(own, nomba.provider);
    const from = new Date(Date.now() + 3_600_000).toISOString().slice(0, 10);
    for (let count = 0; count < 105; count += 1) {
      await there.buy(`listed-${count}`, await nomba.arrange('success'), 'success', 10_000n);
    }
    await there.buy('failed-here', await nomba.arrange('success'), 'failed');
    const settings = {
      ...own.settings,
      OJA_NOMBA_BASE_URL: `${nomba.url}/nomba`,
      OJA_NOMBA_ACCOUNT_ID: '00000000-0000-4000-8000-00000000a001',
      OJA_NOMBA_CLIENT_ID: '00000000-0000-4000-8000-00000000c001',
      OJA_NOMBA_CLIENT_SECRET: 'simulator-client-secret-0123456789abcdefghij',
    };
    const ran = await runOja(settings, ['reconcile', 'nomba', '--from', from, '--json']);
    assert.equal(ran.code, 0, ran.err);
    const { run: reported, data } = JSON.parse(ran.out);
    assert.equal(reported.source, 'list');
    assert.deepEqual(
      data.map(({ kind }: Difference) => kind),
      ['delivered_there_failed_here'],
    );
    assert.equal(reported.summary.booked, '10500.00');
    await own[Symbol.asyncDispose]();
  });
});
