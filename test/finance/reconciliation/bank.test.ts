/** Deposits against a bank: by its list of payments, and by its file. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { monnifyStatement } from '../../../src/funding/banks/monnify/statement.ts';
import { type Operator, operator, runOja } from '../../cli/harness.ts';
import { airtime } from '../../conformance/products.ts';
import { openSimulatorBench, type SimulatorBench } from '../../conformance/simulator-bench.ts';

const { time } = monnifyStatement;

let op: Operator;
let bench: SimulatorBench;
let folder: string;
before(async () => {
  op = await operator();
  bench = await openSimulatorBench(airtime);
  folder = await mkdtemp(join(tmpdir(), 'oja-bank-'));
});
after(async () => {
  await rm(folder, { recursive: true });
  await bench[Symbol.asyncDispose]();
  await op[Symbol.asyncDispose]();
});

type Paid = { readonly reference: string };

async function pay(provider: 'monnify' | 'paystack', amount: string): Promise<Paid> {
  const body = JSON.stringify({ account_number: '6000000001', provider, amount, notices: 0 });
  const answer = await fetch(`${bench.url}/bank/transfers`, { method: 'POST', body });
  return (await answer.json()) as Paid;
}

/** Stored as the gateway does it, still without an owner. */
async function deposit(
  provider: string,
  reference: string,
  gross: number,
  settled: number,
  at?: string,
  merchant?: string,
): Promise<void> {
  await op.database.query(
    `insert into deposits (
       id, provider, provider_reference, environment, currency, paid_to, merchant_id, gross, fee, settled,
       paid_at
     )
     select
       gen_random_uuid(), $1, $2, 'live', 'NGN', '6000000001', m.id, $3::bigint,
       case when m.id is null then 0 else 10000 end, $4::bigint, coalesce($5::timestamptz, now())
     from (select) one
     left join merchants m on m.code = $6`,
    [provider, reference, gross, settled, at === undefined ? null : `${at}+01`, merchant ?? null],
  );
}

const day = (count: number): string => new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);

type Found = {
  readonly kind: string;
  readonly effect: string;
  readonly provider_id: string | null;
  readonly line: number | null;
  readonly reference: string | null;
  readonly applied: string | null;
  readonly there: string;
  readonly actions: readonly { readonly input: Readonly<Record<string, string>> }[];
};
type Run = { readonly data: readonly Found[]; readonly summary: Readonly<Record<string, unknown>> };

async function reconcile(...args: string[]): Promise<readonly Found[]> {
  return (await run(...args)).data;
}

async function run(...args: string[]): Promise<Run> {
  const settings = {
    ...op.settings,
    OJA_MONNIFY_BASE_URL: `${bench.url}/monnify`,
    OJA_MONNIFY_API_KEY: 'MK_TEST_SIMULATOR',
    OJA_MONNIFY_SECRET_KEY: 'simulator-monnify-secret',
    OJA_MONNIFY_CONTRACT_CODE: '1000000001',
    OJA_PAYSTACK_BASE_URL: `${bench.url}/paystack`,
    OJA_PAYSTACK_SECRET_KEY: 'sk_test_simulator',
  };
  const ran = await runOja(settings, ['reconcile', ...args, '--json']);
  assert.equal(ran.code, 0, ran.err);
  const answer = JSON.parse(ran.out);
  return { data: answer.data, summary: answer.run.summary };
}

describe('deposits against a bank', { concurrency: 1 }, () => {
  for (const [bank, fee] of [
    ['paystack', 5_000],
    ['monnify', 1_000],
  ] as const) {
    it(`compares deposits with the list of ${bank}`, async () => {
      const [right, amount, charged, missing] = [
        await pay(bank, '5000'),
        await pay(bank, '5000'),
        await pay(bank, '5000'),
        await pay(bank, '700'),
      ];
      await deposit(bank, right.reference, 500_000, 500_000 - fee);
      await deposit(bank, amount.reference, 400_000, 400_000 - fee);
      await deposit(bank, charged.reference, 500_000, 500_000);
      await deposit(bank, `strange-${bank}`, 100, 100);
      const found = await reconcile(bank, '--from', day(-1), '--to', day(1));
      const said = found
        .filter(({ kind }) => kind !== 'deposit_unassigned')
        .map(({ kind, effect, provider_id: id }) => [kind, effect, id]);
      const wanted = [
        ['payment_missing_here', '-700.00', missing.reference],
        ['payment_amount_differs', '-1000.00', amount.reference],
        ['fee_differs', '0.00', charged.reference],
        ['payment_missing_there', '1.00', `strange-${bank}`],
      ];
      assert.deepEqual(said.sort(), wanted.sort());
      assert.equal(found.filter(({ kind }) => kind === 'deposit_unassigned').length, 3);
    });
  }

  it('reads missing deposits back on request', async () => {
    const { reference } = await pay('paystack', '900');
    const noticed = (): Promise<unknown[]> =>
      op.database.query('select 1 from bank_notices where reference = $1', [reference]);
    await reconcile('paystack', '--from', day(-1), '--to', day(1));
    assert.equal((await noticed()).length, 0);
    await reconcile('paystack', '--from', day(-1), '--to', day(1), '--apply');
    assert.equal((await noticed()).length, 1);
  });

  it('compares deposits with a file', async () => {
    const path = join(folder, 'monnify.csv');
    const now = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    await deposit('monnify', 'MNFY|file', 500_000, 499_000);
    await writeFile(
      path,
      `Paid On,Transaction Reference,Amount Paid,Settlement Amount,Payment Status\n` +
        `${now},MNFY|file,"5,000.00","4,990.00",PAID\n${now},MNFY|new,100,90,PAID\n${now},MNFY|no,1,1,EXPIRED\n`,
    );
    const found = await reconcile('monnify', path);
    const ofFile = found.filter(({ provider_id: id }) => id?.startsWith('MNFY|') && id.length < 12);
    assert.deepEqual(
      ofFile.map(({ kind, provider_id: id }) => [kind, id]),
      [
        ['deposit_unassigned', 'MNFY|file'],
        ['payment_missing_here', 'MNFY|new'],
      ],
    );
  });

  const head = 'Paid On,Transaction Reference,Amount Paid,Settlement Amount,Payment Status';
  const kinds = (found: readonly Found[]): (readonly [string, number | null, string])[] =>
    found
      .filter(({ kind }) => kind !== 'deposit_unassigned')
      .map(({ kind, line, effect }) => [kind, line, effect] as const);
  /** Far from other files, because their deposits are from today. */
  const at = '2026-03-10 10:00:00';
  async function written(...rows: readonly string[]): Promise<string> {
    const path = join(folder, 'rows.csv');
    await writeFile(path, rows.join('\n'));
    return path;
  }

  it('a comparison is never complete when a line has no id', async () => {
    const some = await run(
      'monnify',
      await written(head, `${at},,5000,4990,PAID`, `${at},N/A,70,70,PAID`, `${at},x,1,1,FAILED`),
    );
    assert.deepEqual(kinds(some.data), [
      ['payment_without_id', 2, '-5000.00'],
      ['payment_without_id', 3, '-70.00'],
    ]);
    assert.deepEqual(some.summary.explained, [{ reason: 'not_paid', lines: 1 }]);
    assert.equal(some.summary.complete, false);
    const none = await run(
      'monnify',
      await written('Paid On,Amount Paid,Payment Status', `${at},5000,PAID`, `${at},5000,PAID`),
    );
    assert.deepEqual(
      none.data.map(({ kind }) => kind),
      ['payment_without_id', 'payment_without_id'],
    );
    assert.equal(none.summary.complete, false);
  });

  it('explains lines of another channel or currency, and repeated lines', async () => {
    const text = [
      'Reference,Amount,Fees,Status,Paid At,Channel,Currency',
      `p-right,5000,50,success,${at},dedicated_nuban,NGN`,
      `p-right,5000,50,success,${at},dedicated_nuban,NGN`,
      `p-card,700,7,success,${at},card,NGN`,
      `p-dollar,20,1,success,${at},dedicated_nuban,USD`,
      `p-cedi,20,1,success,${at},dedicated_nuban,GHS`,
      `p-silent,600,6,success,${at},,`,
    ];
    await deposit('paystack', 'p-right', 500_000, 495_000, at);
    const { data, summary } = await run('paystack', await written(...text), '--apply');
    assert.deepEqual(kinds(data), [['payment_missing_here', 7, '-600.00']]);
    assert.deepEqual(summary.explained, [
      { reason: 'repeated', lines: 1 },
      { reason: 'other_currency', lines: 1 },
      { reason: 'unrelated', lines: 2 },
    ]);
    const again = await run('paystack', await written(...text), '--apply');
    assert.deepEqual(
      [data, again.data].map((found) => found.filter(({ applied }) => applied !== null).length),
      [1, 0],
      'a notice that waits is not done again',
    );
  });

  it('distinguishes two payments under one id from a repeated line', async () => {
    await deposit('monnify', 'm-double', 500_000, 500_000, at);
    const path = await written(head, `${at},m-double,5000,5000,PAID`, `${at},m-double,300,300,PAID`);
    assert.deepEqual(kinds(await reconcile('monnify', path)), [['payment_amount_differs', 2, '-300.00']]);
  });

  it('compares whole days when the file has only days', async () => {
    await deposit('monnify', 'm-evening', 80_000, 80_000, '2026-04-10 22:00:00');
    await deposit('monnify', 'm-next', 90_000, 90_000, '2026-04-11 02:00:00');
    for (const day of ['10/04/2026', '2026-04-10', '2026-04-10 00:00:00']) {
      const path = await written(head, `${day},m-none,1,1,FAILED`);
      const text = JSON.stringify({ ...monnifyStatement, time: { ...time, formats: ['iso', 'DD/MM/YYYY'] } });
      const mapping = join(folder, 'days.json');
      await writeFile(mapping, text);
      const found = await reconcile('monnify', path, '--mapping', mapping);
      assert.deepEqual(
        found.map(({ kind, provider_id: id }) => [kind, id]),
        [['payment_missing_there', 'm-evening']],
        day,
      );
    }
  });

  it('finds reversed deposits until the wallet has returned them', async () => {
    await op.json('merchant', 'create', 'BACK', 'Back');
    await op.json('wallet', 'credit', 'BACK', '100000', '--env', 'live', '--memo', 'opening');
    const day = '2026-05-10 10:00:00';
    await deposit('monnify', 'm-back', 500_000, 500_000, day, 'BACK');
    await deposit('monnify', 'm-part', 500_000, 500_000, day, 'BACK');
    await deposit('monnify', 'm-suspense', 500_000, 500_000, day);
    const path = await written(
      head,
      `${day},m-back,5000,5000,PAID`,
      `2026-05-10 11:00:00,m-back,5000,0.00,REVERSED`,
      `${day},m-part,5000,5000,PAID`,
      `2026-05-10 11:00:00,m-part,2000,,REVERSED`,
      `${day},m-suspense,5000,,REVERSED`,
      `${day},m-never,5000,,REVERSED`,
    );
    const { data: found, summary } = await run('monnify', path);
    assert.deepEqual(kinds(found), [
      ['payment_reversed', 2, '5000.00'],
      ['payment_reversed', 4, '2000.00'],
      ['payment_reversed', 6, '5000.00'],
      ['reversal_unknown_here', 7, '5000.00'],
    ]);
    assert.deepEqual([summary.paid_there, summary.paid_here], ['-2000.00', '15000.00']);
    const [whole, part] = found;
    assert.ok(
      found.every(({ kind, provider_id: id }) => kind !== 'deposit_unassigned' || id !== 'm-suspense'),
      'what was taken back is given to no merchant',
    );
    for (const [difference, amount] of [
      [whole, '-4900'],
      [part, '-2000'],
    ] as const) {
      const key = ['--env', 'live', '--memo', 'reversed', '--key', difference?.reference ?? ''];
      for (const _ of [1, 2]) await op.json('wallet', 'credit', 'BACK', amount, ...key);
    }
    const [balance] = await op.database.query<{ posted: bigint }>(
      "select w.posted from wallets w join merchants m on m.id = w.merchant_id where m.code = 'BACK' and w.environment = 'live'",
    );
    assert.equal(balance?.posted, 93_100_00n, 'each is taken back once, less the fee of the first');
    assert.deepEqual(kinds(await reconcile('monnify', path)), [
      ['payment_reversed', 6, '5000.00'],
      ['reversal_unknown_here', 7, '5000.00'],
    ]);
  });

  it('reports a reversal whose id belongs to no deposit', async () => {
    const day = '2026-05-20 10:00:00';
    await deposit('monnify', 'm-known', 700_000, 700_000, day);
    const heads = head.replace('Amount Paid', 'Payment Reference,Amount Paid');
    const paid = `${day},m-known,,7000,7000,PAID`;
    for (const [back, effect] of [
      ['m-other,m-known,-7000,-7000,REVERSED', '7000.00'],
      ['m-other,m-known,2000,,Refunded', '2000.00'],
    ] as const) {
      const path = await written(heads, paid, `2026-05-20 11:00:00,${back}`);
      for (const more of [[], ['--apply'], ['--apply']]) {
        const { data, summary } = await run('monnify', path, ...more);
        assert.deepEqual(kinds(data), [['reversal_unknown_here', 3, effect]]);
        const unknown = data.find(({ kind }) => kind === 'reversal_unknown_here');
        assert.deepEqual([unknown?.provider_id, unknown?.applied, unknown?.actions], ['m-other', null, []]);
        assert.match(unknown?.there ?? '', /m-known/);
        assert.equal(summary.complete, false);
      }
    }
    // The bank took back a payment that is not ours: nothing is left of it.
    const both = await written(heads, paid, `${day},m-x,,50,50,PAID`, `${day},m-x,,50,50,REVERSED`);
    const { data, summary } = await run('monnify', both);
    assert.deepEqual([kinds(data), summary.complete], [[], true]);
    const nothing = await written(heads, paid, `${day},m-zero,,0.00,0.00,REVERSED`);
    const explained = [{ reason: 'moved_nothing', lines: 1 }];
    assert.deepEqual((await run('monnify', nothing)).summary.explained, explained);
  });

  it('finds reversals in a file with columns of money in and out', async () => {
    const day = '2026-05-25 10:00:00';
    await deposit('monnify', 'm-sides', 700_000, 700_000, day);
    const { amount: _, net: __, fee: ___, ...columns } = monnifyStatement.columns;
    const sides = { ...columns, debit: ['Debit'], credit: ['Credit'] };
    const mapping = join(folder, 'sides.json');
    await writeFile(mapping, JSON.stringify({ ...monnifyStatement, columns: sides }));
    const path = await written(
      'Paid On,Transaction Reference,Debit,Credit,Payment Status',
      `${day},m-sides,,7000,PAID`,
      `${day},m-sides,7000,,PAID`,
      `${day},m-foreign,300,,REVERSED`,
      `${day},,200,,REVERSED`,
    );
    assert.deepEqual(kinds(await reconcile('monnify', path, '--mapping', mapping)), [
      ['payment_reversed', 2, '7000.00'],
      ['reversal_unknown_here', 4, '300.00'],
      ['payment_without_id', 5, '200.00'],
    ]);
  });

  it('finds the rest of a deposit that is reversed in parts', async () => {
    await op.json('merchant', 'create', 'PARTS', 'Parts');
    await op.json('wallet', 'credit', 'PARTS', '100000', '--env', 'live', '--memo', 'opening');
    const day = '2026-05-11 10:00:00';
    await deposit('monnify', 'm-parts', 500_000, 500_000, day, 'PARTS');
    const lines = [head, `${day},m-parts,5000,5000,PAID`];
    const back: [amount: string, rest: string, correction: string][] = [
      ['2000', '2000.00', '-2000'],
      ['500.50', '500.50', '-500.50'],
      // Now all of it is reversed, and the wallet was never credited with our fee.
      ['2499.50', '2499.50', '-2399.50'],
    ];
    const keys = new Set<string>();
    for (const [hour, [amount, rest, correction]] of back.entries()) {
      lines.push(`2026-05-11 1${hour + 1}:00:00,m-parts,${amount},,REVERSED`);
      const path = await written(...lines);
      const [found, ...others] = await reconcile('monnify', path);
      assert.deepEqual([found?.kind, found?.effect, others], ['payment_reversed', rest, []]);
      const [
        {
          input: { key = '' },
        } = { input: {} },
      ] = found?.actions ?? [];
      keys.add(key);
      const named = ['--env', 'live', '--memo', 'reversed', '--key', key];
      await op.json('wallet', 'credit', 'PARTS', correction, ...named);
      assert.deepEqual(await reconcile('monnify', path), []);
    }
    assert.equal(keys.size, back.length);
    // A later file has only a part that was taken back, and does not state the payment.
    assert.deepEqual(await reconcile('monnify', await written(head, lines[2] ?? '')), []);
    await deposit('monnify', 'm-before', 300_000, 300_000, '2026-05-12 09:00:00', 'PARTS');
    const later = await written(head, '2026-05-13 09:00:00,m-before,1000,,REVERSED');
    assert.deepEqual(kinds(await reconcile('monnify', later)), [['payment_reversed', 2, '1000.00']]);
    const more = await written(head, '2026-05-13 09:00:00,m-before,3000.50,,REVERSED');
    assert.deepEqual(kinds(await reconcile('monnify', more)), [
      ['payment_amount_differs', 2, '-0.50'],
      ['payment_reversed', 2, '3000.50'],
    ]);
    const [balance] = await op.database.query<{ posted: bigint }>(
      "select w.posted from wallets w join merchants m on m.id = w.merchant_id where m.code = 'PARTS' and w.environment = 'live'",
    );
    assert.equal(balance?.posted, 95_100_00n);
  });
});
