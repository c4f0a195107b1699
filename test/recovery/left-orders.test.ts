/**
 * What a list of a provider proves after a restore: the time that it has, and nothing of the orders
 * that it does not have. So an order that is left stays until it is spoken of again, and a part of
 * a statement is not the whole.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { mintDigits } from '../../src/providers/reference-mark.ts';
import { operator } from '../cli/harness.ts';
import { isBought } from '../support/a-purchase.ts';
import { openBuyer } from '../vending/fixture.ts';

const MINUTE_MS = 60_000;
const op = await operator();
after(() => op[Symbol.asyncDispose]());
const now = Date.now();
/** A moment so many minutes ago. */
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
  return `vtpass=${path}`;
}

type Told = {
  readonly complete: boolean;
  readonly left_before: number;
  readonly providers: readonly { readonly trouble: string | null; readonly lacks: readonly object[] }[];
};

async function reconcile(...args: readonly string[]): Promise<Told> {
  const { out, err } = await op.oja('restore', 'reconcile', ...args, '--json');
  assert.ok(out.startsWith('{'), err);
  return JSON.parse(out).data;
}

async function state(): Promise<{ readonly missing: readonly string[]; readonly left: number }> {
  const { missing, left } = await op.json('restore', 'status');
  return { missing, left };
}

/** That the whole of the lost time is in a file. */
const whole = ['--files-from', ago(300).toISOString(), '--files-to', new Date(now).toISOString()];

/** A fence of its own; what the fence before left is put aside. */
async function fence(): Promise<void> {
  await op.database.query('delete from reconciled_providers');
  await op.database.query("update restore_fences set lifted_at = now(), raised_at = '2026-01-01'");
  await op.database.query("update found_orders set verdict = 'dismissed' where verdict = 'left'");
  // Raised at that moment, so that lists of up to then are whole.
  await op.json('restore', 'fence', '--reason', 'a test', '--from', ago(180).toISOString(), '--yes');
  await op.database.query('update restore_fences set raised_at = $1 where lifted_at is null', [ago(2)]);
}

const firstHalf = { minutes: 241, reference: 'strange-1' };
const lastHalf = { minutes: 1, reference: 'strange-2' };

before(async () => {
  await op.json('route', 'set', 'live', 'airtime', '*', 'vtpass');
});

describe('an order that is left', () => {
  it('stays when a later list does not have it, and keeps the fence up', async () => {
    await fence();
    await reconcile(await statement(firstHalf), '--apply');
    assert.deepEqual(await state(), { missing: ['vtpass'], left: 1 });
    for (const file of [await statement(lastHalf), await statement()]) {
      const told = await reconcile(file, ...whole, '--apply');
      assert.deepEqual([told.complete, told.left_before > 0], [false, true]);
    }
    assert.deepEqual(await state(), { missing: [], left: 2 });
    const refused = await op.oja('restore', 'open');
    assert.deepEqual([refused.code, refused.refused], [1, 'restore_incomplete']);
  });

  it('goes when a list says that nothing came of it, and when a person puts it aside', async () => {
    await fence();
    await reconcile(await statement(firstHalf, lastHalf), '--apply');
    assert.equal((await state()).left, 0, 'they were put aside');
    const [one, two] = ['strange-3', 'strange-4'];
    await reconcile(
      await statement({ ...firstHalf, reference: one }, { ...lastHalf, reference: two }),
      '--apply',
    );
    assert.equal((await state()).left, 2);
    const reversed = await statement({ ...firstHalf, reference: one, status: 'reversed' });
    await reconcile(reversed);
    assert.equal((await state()).left, 2, 'without apply nothing changes');
    await reconcile(reversed, '--apply');
    assert.equal((await state()).left, 1);
    await op.json('restore', 'dismiss', 'vtpass', two, '--reason', 'of our old system', '--yes');
    assert.equal((await op.json('restore', 'open')).left, 0);
  });
});

describe('a file', () => {
  it('proves the time from its first order to its last, and files add up', async () => {
    await fence();
    const buyer = await openBuyer(op.database, 1_000n);
    const bought = (number: number): string =>
      `202611221030${mintDigits({ environment: 'live', merchantId: buyer.merchantId, reference: `F-${number}` }, isBought)}`;
    const [one, two, three] = [1, 2, 3].map(bought);
    assert.ok(one && two && three);
    const early = { minutes: 241, reference: one };
    const middle = { minutes: 100, reference: two };
    const told = await reconcile(await statement(early, middle), '--apply');
    assert.equal(told.complete, false);
    assert.equal(told.providers[0]?.lacks.length, 1);
    assert.match(told.providers[0]?.trouble ?? '', /--files-from/);
    assert.deepEqual(await state(), { missing: ['vtpass'], left: 0 });
    assert.equal((await op.oja('restore', 'open')).code, 1);
    // The rest, which begins after the end of the first, leaves a gap between the two.
    const late = { minutes: 0, reference: three };
    await reconcile(await statement({ minutes: 90, reference: three }, late), '--apply');
    assert.deepEqual(await state(), { missing: ['vtpass'], left: 0 });
    const status = await op.json('restore', 'status');
    assert.equal(status.gaps.length, 1);
    const gap = await reconcile(await statement(middle, { ...late, minutes: 90 }), '--apply');
    assert.equal(gap.complete, true);
    assert.deepEqual(await state(), { missing: [], left: 0 });
    assert.equal((await op.json('restore', 'open')).left, 0);
  });

  it('without an order proves nothing, until somebody says which time it has', async () => {
    await fence();
    const empty = await statement();
    const told = await reconcile(empty, '--apply');
    assert.equal(told.complete, false);
    // Lists of providers are read from then on; a file says no more by it.
    await reconcile(empty, '--from', ago(300).toISOString(), '--apply');
    assert.deepEqual(await state(), { missing: ['vtpass'], left: 0 });
    const short = ['--files-from', ago(300).toISOString(), '--files-to', ago(30).toISOString()];
    await reconcile(empty, ...short, '--apply');
    assert.deepEqual(await state(), { missing: ['vtpass'], left: 0 });
    assert.equal((await reconcile(empty, ...whole)).complete, true);
    assert.deepEqual(await state(), { missing: ['vtpass'], left: 0 }, 'without apply nothing changes');
    await reconcile(empty, ...whole, '--apply');
    assert.deepEqual(await state(), { missing: [], left: 0 });
    const [entry] = await op.database.query<{ after: Record<string, unknown> }>(
      "select after from audit_log where action = 'restore.reconcile' order by id desc limit 1",
    );
    assert.equal(typeof entry?.after.files_from, 'string', 'the audit log has what was said');
  });

  it('is asked again when the fence was raised for a later loss', async () => {
    await fence();
    await reconcile(await statement(), ...whole, '--apply');
    assert.deepEqual((await state()).missing, []);
    await op.json('restore', 'fence', '--reason', 'again', '--from', ago(5).toISOString(), '--yes');
    assert.deepEqual((await state()).missing, ['vtpass']);
  });

  it('cannot have a time that is not over, or that ends before it begins', async () => {
    await fence();
    const file = await statement();
    for (const [from, to] of [
      [ago(300), new Date(now + 3_600_000)],
      [ago(10), ago(20)],
    ] as const) {
      const period = ['--files-from', from.toISOString(), '--files-to', to.toISOString()];
      const refused = await op.oja('restore', 'reconcile', file, ...period, '--apply', '--json');
      assert.notEqual(refused.code, 0);
      assert.equal(refused.refused, 'input_malformed');
      assert.match(refused.fields.join(), /^files_(?:from|to)$/);
    }
    assert.deepEqual(await state(), { missing: ['vtpass'], left: 0 });
  });

  it('of a part of the time does not let an order of another provider end as failed', async () => {
    await fence();
    await op.json('route', 'set', 'live', 'data', '*', 'vtpass');
    const buyer = await openBuyer(op.database, 1_000n);
    const of = { environment: 'live', merchantId: buyer.merchantId, reference: 'FAILED-1' } as const;
    const failed = {
      minutes: 100,
      reference: `202611221030${mintDigits(of, isBought)}`,
      status: 'failed',
    };
    await reconcile(await statement(failed), '--apply');
    assert.equal((await state()).left, 1);
    await reconcile(await statement(failed), ...whole, '--apply');
    assert.deepEqual(await state(), { missing: [], left: 0 });
  });
});
