/**
 * `oja voucher`: codes that no broken connection loses, and an issue that is cancelled as a whole.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { auditPurchases } from '../../src/audit/audit-purchases.ts';
import { hashVoucherCode, readVoucherCode } from '../../src/wallet/vouchers/voucher-code.ts';
import { until } from '../support/until.ts';
import { operator, startOja } from './harness.ts';

const folder = await mkdtemp(join(tmpdir(), 'oja-vouchers-'));
after(() => rm(folder, { recursive: true }));

const issue = ['voucher', 'issue', 'SHOP', '--value', '500', '--env', 'live', '--count'];

test('cancels all open vouchers of an issue; its codes are on file before the commit', async () => {
  await using cli = await operator();
  await cli.json('merchant', 'create', 'SHOP', 'Shop');
  await cli.json('wallet', 'credit', 'SHOP', '2500', '--env', 'live', '--memo', 'cash');
  const path = join(folder, 'codes.csv');
  const issued = await cli.json(...issue, '3', '--file', path);
  const file = await readFile(path, 'utf8');
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  for (const { id, code } of issued.vouchers) assert.ok(file.includes(`${issued.issue},${id},${code}\n`));
  const other = await cli.json(...issue, '1');
  await cli.json('voucher', 'cancel', issued.vouchers[0].id, '--yes');
  const posted = async (): Promise<string> =>
    (await cli.json('wallet', 'show', 'SHOP')).find(
      (row: { environment: string }) => row.environment === 'live',
    ).posted;
  assert.equal(await posted(), '1000.00');

  const done = await cli.json('voucher', 'cancel-issue', issued.issue, '--yes');
  assert.deepEqual([done.cancelled, done.value, done.kept.length], [2, '1000.00', 1]);
  assert.equal(await posted(), '2000.00');
  assert.equal((await cli.json('voucher', 'show', other.vouchers[0].id)).state, 'open');
  const again = await cli.json('voucher', 'cancel-issue', issued.issue, '--yes');
  assert.deepEqual([again.cancelled, again.kept.length], [0, 3]);
  const one = await cli.json('voucher', 'cancel-issue', other.issue, '--yes');
  assert.deepEqual([one.cancelled, one.value, one.kept.length], [1, '500.00', 0]);
  const kept = await cli.json('voucher', 'cancel-issue', other.issue, '--yes');
  assert.deepEqual([kept.cancelled, kept.kept.length], [0, 1]);
  const unknown = '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10';
  assert.equal((await cli.oja('voucher', 'cancel-issue', unknown)).refused, 'confirmation_needed');
  const none = await cli.oja('voucher', 'cancel-issue', unknown, '--yes');
  assert.equal(none.refused, 'no_voucher_issue');
  const { checks } = await auditPurchases(cli.database);
  assert.deepEqual(
    checks.filter((check) => !check.ok),
    [],
  );
});

test('writes codes to the data folder by default, readable only by their owner', async () => {
  await using cli = await operator();
  await cli.json('merchant', 'create', 'SHOP', 'Shop');
  await cli.json('wallet', 'credit', 'SHOP', '2500', '--env', 'live', '--memo', 'cash');
  const issued = await cli.json(...issue, '2');
  const path = join(String(cli.settings.OJA_DATA_DIR), 'vouchers', `${issued.issue}.csv`);
  assert.equal(issued.file, path);
  const lines = issued.vouchers.map(
    ({ id, code }: { id: string; code: string }) => `${issued.issue},${id},${code}\n`,
  );
  assert.equal(await readFile(path, 'utf8'), `issue,voucher,code\n${lines.join('')}`);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal((await stat(join(path, '..'))).mode & 0o777, 0o700);
  const told = await cli.oja(...issue, '1', '--key', 'order-1');
  assert.match(told.out, /\/vouchers\/\S+\.csv/);
  const again = await cli.oja(...issue, '1', '--key', 'order-1');
  assert.match(again.out, /\n\S{36} {2}-\n/);
  assert.doesNotMatch(again.out, /\.csv/);
  assert.equal(JSON.parse((await cli.oja(...issue, '1', '--key', 'order-1', '--json')).out).repeated, true);
  assert.equal((await cli.json('voucher', 'list', 'SHOP')).length, 3);
});

test('keeps the codes when the command is killed before it prints', async () => {
  await using cli = await operator();
  await cli.json('merchant', 'create', 'SHOP', 'Shop');
  await cli.json('wallet', 'credit', 'SHOP', '500000', '--env', 'live', '--memo', 'cash');
  // Its output is never read.
  const child = startOja(cli.settings, [...issue, '1000', '--json']);
  const ended = once(child, 'exit');
  const stored = await until('the issue is stored', async () => {
    const rows = await cli.database.query<{ id: string; code_hash: Buffer; issue_id: string }>(
      'select id, code_hash, issue_id from vouchers order by id',
    );
    return rows.length > 0 ? rows : undefined;
  });
  child.kill('SIGKILL');
  await ended;
  assert.equal(stored.length, 1000);
  const path = join(String(cli.settings.OJA_DATA_DIR), 'vouchers', `${stored[0]?.issue_id}.csv`);
  const [, ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n');
  const codes = new Map(lines.map((line) => line.split(',').slice(1) as [string, string]));
  for (const { id, code_hash: hash } of stored) {
    const code = readVoucherCode(codes.get(id) ?? '');
    assert.ok(code !== undefined && hashVoucherCode(cli.pepper, 'live', code).equals(hash), id);
  }
});

test('issues nothing if the codes cannot be written', async () => {
  await using cli = await operator();
  await cli.json('merchant', 'create', 'SHOP', 'Shop');
  await cli.json('wallet', 'credit', 'SHOP', '2500', '--env', 'live', '--memo', 'cash');
  const path = join(folder, 'there.csv');
  await writeFile(path, 'mine');
  const refused = await cli.oja(...issue, '3', '--file', path);
  assert.deepEqual([refused.code, refused.refused], [1, 'file_unwritable']);
  assert.equal(await readFile(path, 'utf8'), 'mine');
  assert.deepEqual(await cli.database.query('select 1 from vouchers'), []);
});
