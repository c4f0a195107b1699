/**
 * A provider's list proves only the time that it covers, and nothing about orders that it lacks. So
 * an open order stays open until it is listed again, and a part of a statement does not count as
 * complete.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { keyMarks, mintDigits } from '../../../src/providers/reference-mark.ts';
import { operator } from '../../cli/harness.ts';
import { moneyOf, openBuyer } from '../../purchases/fixture.ts';
import { isBought } from '../../support/a-purchase.ts';

const MINUTE_MS = 60_000;
const op = await operator();
keyMarks(op.pepper);
after(() => op[Symbol.asyncDispose]());
const now = Date.now();
/** The time that many minutes ago. */
const ago = (minutes: number): Date => new Date(now - minutes * MINUTE_MS);
/** As VTpass writes it, in the time of Lagos. */
const lagos = (at: Date): string =>
  new Date(at.getTime() + 60 * MINUTE_MS).toISOString().slice(0, 19).replace('T', ' ');

type Row = { readonly minutes: number; readonly reference: string; readonly status?: string };

let files = 0;

/** A statement of VTpass with these orders. */
async function statement(...rows: readonly Row[]): Promise<string> {
  files += 1;
  const path = join(op.settings.OJA_DATA_DIR ?? '', `vtpass-${files}.csv`);
  const head = 'Transaction Date,Request ID,Product Name,Unique Element,Amount,Total Amount,Status';
  const lines = rows.map(
    ({ minutes, reference, status = 'delivered' }) =>
      `${lagos(ago(minutes))},${reference},MTN Airtime VTU,08031234567,1.00,0.97,${status}`,
  );
  await writeFile(path, `${[head, ...lines].join('\n')}\n`);
  return path;
}

async function reconcile(file: string, ...args: readonly string[]): Promise<void> {
  const { code, err } = await op.oja('reconcile', 'vtpass', file, ...args, '--json');
  assert.equal(code, 0, err);
}

type Provider = { readonly provider: string; readonly gaps: readonly object[] };

async function state(): Promise<{ readonly missing: readonly string[]; readonly open: number }> {
  const status = await op.json('restore', 'status');
  const providers: readonly Provider[] = status.providers;
  const missing = providers.filter(({ gaps }) => gaps.length > 0).map(({ provider }) => provider);
  return { missing, open: status.open };
}

/** A person confirms that a file covers all of the lost time. */
const whole = ['--from', ago(300).toISOString(), '--to', new Date(now).toISOString()];

/** Earlier runs do not count for this restore lock. */
async function restoreLock(): Promise<void> {
  await op.database.query("update restore_locks set lifted_at = now(), raised_at = '2026-01-01'");
  await op.database.session(async (sql) => {
    await sql.query("set session_replication_role = 'replica'");
    await sql.query("update reconciliation_runs set at = '2026-01-01'");
    await sql.query("set session_replication_role = 'origin'");
  });
  // Set at that moment, so that lists up to then are complete.
  await op.json('restore', 'lock', '--reason', 'a test', '--from', ago(180).toISOString(), '--yes');
  await op.database.query('update restore_locks set raised_at = $1 where lifted_at is null', [ago(2)]);
}

const firstHalf = { minutes: 241, reference: 'strange-1' };
const lastHalf = { minutes: 1, reference: 'strange-2' };

before(async () => {
  await op.json('route', 'set', 'live', 'airtime', '*', 'vtpass');
});

describe('an order that is not known here', () => {
  it('keeps a finding open when a later list does not have it, and keeps the restore lock closed', async () => {
    await restoreLock();
    await reconcile(await statement(firstHalf), '--apply');
    assert.deepEqual(await state(), { missing: ['vtpass'], open: 1 });
    for (const file of [await statement(lastHalf), await statement()]) await reconcile(file, ...whole);
    assert.deepEqual(await state(), { missing: [], open: 2 });
    const refused = await op.oja('restore', 'open');
    assert.deepEqual([refused.code, refused.refused], [1, 'restore_incomplete']);
  });

  it('closes a finding when a list says that the order failed, or a person dismisses it', async () => {
    await restoreLock();
    const [one, two] = ['strange-3', 'strange-4'];
    await reconcile(await statement({ ...firstHalf, reference: one }, { ...lastHalf, reference: two }));
    assert.equal((await state()).open, 2);
    await reconcile(await statement({ ...firstHalf, reference: one, status: 'reversed' }), ...whole);
    assert.equal((await state()).open, 1);
    const unsaid = await op.oja('finding', 'dismiss', 'vtpass', two, '--yes');
    assert.equal(unsaid.code, 2);
    await op.json('finding', 'dismiss', 'vtpass', two, '--reason', 'of our old system', '--yes');
    const again = await op.oja('finding', 'dismiss', 'vtpass', two, '--reason', 'again', '--yes');
    assert.equal(again.refused, 'no_finding');
    // A later list with the same order does not open it.
    await reconcile(await statement({ ...lastHalf, reference: two }), ...whole, '--apply');
    assert.equal((await state()).open, 0);
    assert.equal((await op.json('restore', 'open')).open, 0);
  });

  it('enters an order for the merchant that an operator names', async () => {
    await restoreLock();
    const buyer = await openBuyer(op.database, 1_000n);
    const [{ code } = { code: '' }] = await op.database.query<{ code: string }>(
      'select code from merchants where id = $1',
      [buyer.merchantId],
    );
    await reconcile(await statement({ ...firstHalf, reference: 'strange-5' }), ...whole, '--apply');
    const enter = ['finding', 'enter', 'vtpass', 'strange-5'];
    const unnamed = await op.oja(...enter, '--json');
    assert.deepEqual([unnamed.refused, unnamed.fields], ['input_malformed', ['merchant']]);
    const said = ['--merchant', code, '--reference', 'INV-1'];
    const unknown = await op.oja(...enter, '--merchant', 'NO-ONE', '--reference', 'INV-1');
    assert.equal(unknown.refused, 'finding_not_entered');
    assert.equal((await state()).open, 1);
    const entered = await op.json(...enter, ...said, '--network', 'MTN');
    assert.equal(entered.verdict, 'entered');
    assert.deepEqual(await moneyOf(op.database, buyer), { posted: 1_000n, held: 100n });
    assert.equal((await state()).open, 0);
    assert.equal((await op.oja(...enter, ...said)).refused, 'no_finding');
    await op.json('restore', 'open');
  });

  it('keeps the restore lock closed for an order without a reference', async () => {
    await restoreLock();
    await reconcile(await statement({ ...firstHalf, reference: '' }), ...whole);
    assert.equal((await state()).open, 1);
    const [found] = (await op.json('finding', 'list', '--verdict', 'open')).filter(
      ({ listed }: { listed: { product: null } }) => listed.product === null,
    );
    await op.json('finding', 'dismiss', 'vtpass', found.reference, '--reason', 'a test', '--yes');
    assert.equal((await op.json('restore', 'open')).open, 0);
  });
});

describe('a file', () => {
  it('a file covers the time from its first order to its last, and several files add up', async () => {
    await restoreLock();
    const buyer = await openBuyer(op.database, 1_000n);
    const bought = (number: number): string =>
      `202611221030${mintDigits({ environment: 'live', merchantId: buyer.merchantId, reference: `F-${number}` }, isBought)}`;
    const [one, two, three] = [1, 2, 3].map(bought);
    assert.ok(one && two && three);
    const early = { minutes: 241, reference: one };
    const middle = { minutes: 100, reference: two };
    await reconcile(await statement(early, middle));
    assert.deepEqual((await state()).missing, ['vtpass']);
    assert.equal((await op.oja('restore', 'open')).code, 1);
    // The rest begins after the end of the first, so there is a gap between the two.
    const late = { minutes: 0, reference: three };
    await reconcile(await statement({ minutes: 90, reference: three }, late));
    const { providers } = await op.json('restore', 'status');
    assert.equal(providers[0].gaps.length, 1);
    await reconcile(await statement(middle, { ...late, minutes: 90 }));
    assert.deepEqual((await state()).missing, []);
    await op.json('restore', 'open', '--despite-differences', '--reason', 'a test', '--yes');
  });

  it('a file without orders covers nothing until an operator names its period', async () => {
    await restoreLock();
    const empty = await statement();
    await reconcile(empty);
    await reconcile(empty, '--from', ago(300).toISOString());
    assert.deepEqual(await state(), { missing: ['vtpass'], open: 0 });
    await reconcile(empty, '--from', ago(300).toISOString(), '--to', ago(30).toISOString());
    assert.deepEqual(await state(), { missing: ['vtpass'], open: 0 });
    await reconcile(empty, ...whole);
    assert.deepEqual(await state(), { missing: [], open: 0 });
  });

  it('requires a file again when the restore lock was set for a later loss', async () => {
    await restoreLock();
    await reconcile(await statement(), ...whole);
    assert.deepEqual((await state()).missing, []);
    await op.json('restore', 'lock', '--reason', 'again', '--from', ago(5).toISOString(), '--yes');
    assert.deepEqual((await state()).missing, ['vtpass']);
  });

  it('covers no future time, and refuses an end before the start', async () => {
    await restoreLock();
    const file = await statement();
    await reconcile(file, '--from', ago(300).toISOString(), '--to', new Date(now + 7_200_000).toISOString());
    const { providers } = await op.json('restore', 'status');
    assert.ok(new Date(providers[0].listed_until) <= new Date());
    const backwards = ['--from', ago(10).toISOString(), '--to', ago(20).toISOString()];
    assert.equal((await op.oja('reconcile', 'vtpass', file, ...backwards)).refused, 'days_backwards');
    for (const day of ['2026-02-31', '2026-02-31T00:00:00Z', 'yesterday', '22']) {
      const refused = await op.oja('reconcile', 'vtpass', file, '--from', day, '--json');
      assert.deepEqual([refused.refused, refused.fields], ['input_malformed', ['from']]);
    }
  });

  it('does not enter a failed order while another provider’s list is missing', async () => {
    await restoreLock();
    await op.json('route', 'set', 'live', 'data', '*', 'vtpass');
    const buyer = await openBuyer(op.database, 1_000n);
    const of = { environment: 'live', merchantId: buyer.merchantId, reference: 'FAILED-1' } as const;
    const failed = {
      minutes: 100,
      reference: `202611221030${mintDigits(of, isBought)}`,
      status: 'failed',
    };
    await reconcile(await statement(failed), '--apply');
    assert.equal((await state()).open, 1);
    await reconcile(await statement(failed), ...whole, '--apply');
    assert.deepEqual(await state(), { missing: [], open: 0 });
  });
});
