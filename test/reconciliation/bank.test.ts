/** Deposits against a bank: by its list of payments, and by its file. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Operator, operator, runOja } from '../cli/harness.ts';
import { airtime } from '../conformance/products.ts';
import { openSimulatorBench, type SimulatorBench } from '../conformance/simulator-bench.ts';

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

/** As the gateway stores a deposit, still nobody's. */
async function deposit(provider: string, reference: string, gross: number, settled: number): Promise<void> {
  await op.database.query(
    `insert into deposits (
       id, provider, provider_reference, environment, currency, paid_to, gross, fee, settled, paid_at
     )
     values (gen_random_uuid(), $1, $2, 'live', 'NGN', '6000000001', $3, 0, $4, now())`,
    [provider, reference, gross, settled],
  );
}

const day = (count: number): string => new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10);

async function reconcile(
  ...args: string[]
): Promise<{ kind: string; effect: string; provider_id: string }[]> {
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
  return JSON.parse(ran.out).data;
}

describe('deposits against a bank', { concurrency: 1 }, () => {
  for (const [bank, fee] of [
    ['paystack', 5_000],
    ['monnify', 1_000],
  ] as const) {
    it(`are compared with the list of ${bank}`, async () => {
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

  it('are read back where they are missing here, once that is asked for', async () => {
    const { reference } = await pay('paystack', '900');
    const noticed = (): Promise<unknown[]> =>
      op.database.query('select 1 from bank_notices where reference = $1', [reference]);
    await reconcile('paystack', '--from', day(-1), '--to', day(1));
    assert.equal((await noticed()).length, 0);
    await reconcile('paystack', '--from', day(-1), '--to', day(1), '--apply');
    assert.equal((await noticed()).length, 1);
  });

  it('are compared with its file', async () => {
    const path = join(folder, 'monnify.csv');
    const now = new Date(Date.now() + 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
    await deposit('monnify', 'MNFY|file', 500_000, 499_000);
    await writeFile(
      path,
      `Paid On,Transaction Reference,Amount Paid,Settlement Amount,Payment Status\n` +
        `${now},MNFY|file,"5,000.00","4,990.00",PAID\n${now},MNFY|new,100,90,PAID\n${now},MNFY|no,1,1,EXPIRED\n`,
    );
    const found = await reconcile('monnify', path);
    const ofFile = found.filter(({ provider_id: id }) => id.startsWith('MNFY|') && id.length < 12);
    assert.deepEqual(
      ofFile.map(({ kind, provider_id: id }) => [kind, id]),
      [
        ['deposit_unassigned', 'MNFY|file'],
        ['payment_missing_here', 'MNFY|new'],
      ],
    );
  });
});
