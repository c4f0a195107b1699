/** `oja audit-log`: who really acted, and the proof that no entry was changed. */
import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { after, test } from 'node:test';
import { operator, runOja } from './harness.ts';

const cli = await operator();
after(() => cli[Symbol.asyncDispose]());
const user = userInfo().username;

test('records the real actor in addition to the stated name', async () => {
  await cli.json('merchant', 'create', 'ONE', 'First');
  await cli.json('merchant', 'create', 'TWO', 'Second', '--actor', 'ada');
  // The actor comes from the process's environment, which can contain anything.
  const liar = await runOja({ ...cli.settings, USER: 'eve', LOGNAME: 'eve', SUDO_USER: 'eve' }, [
    ...['merchant', 'create', 'THREE', 'Third', '--actor', 'root (user:eve)'],
  ]);
  assert.equal(liar.code, 0, liar.err);
  await cli.database.query(
    "insert into audit_log (actor, action, subject) values ('old', 'test.old', 'none')",
  );
  const entries = await cli.json('audit-log', 'list');
  assert.deepEqual(
    entries.map((entry: Record<string, unknown>) => [entry.actor, entry.principal, entry.edge]),
    [
      ['old', null, null],
      ['root (user:eve)', `user:${user}`, 'cli'],
      ['ada', `user:${user}`, 'cli'],
      [user, `user:${user}`, 'cli'],
    ],
  );
  const { out } = await cli.oja('audit-log', 'list');
  const who = out.split('\n').slice(1, 5);
  for (const [index, names] of [
    ['old', '-'],
    ['root (user:eve)', `user:${user}`],
    ['ada', `user:${user}`],
    [user],
  ].entries())
    for (const name of names) assert.ok(who[index]?.includes(` ${name} `), name);
});

test('finds entries by actor, interface and time, page by page', async () => {
  const subjects = async (...args: string[]) =>
    (await cli.json('audit-log', 'list', ...args)).map((entry: { subject: string }) => entry.subject);
  assert.deepEqual(await subjects('--principal', `user:${user}`, '--by', 'ada'), ['merchant:TWO']);
  assert.deepEqual(await subjects('--edge', 'CLI', '--subject', 'merchant:ONE'), ['merchant:ONE']);
  assert.deepEqual(await subjects('--edge', 'admin'), []);
  assert.deepEqual(await subjects('--from', '2026-01-01', '--to', '2026-01-31'), []);
  assert.equal((await subjects('--from', '2026-01-01', '--action', 'merchant')).length, 3);
  const first = JSON.parse((await cli.oja('audit-log', 'list', '--limit', '3', '--json')).out);
  assert.equal(first.data.length, 3);
  const rest = JSON.parse((await cli.oja('audit-log', 'list', '--cursor', first.cursor, '--json')).out);
  assert.deepEqual([rest.data.length, rest.cursor], [1, null]);
  const { out } = await cli.oja('audit-log', 'list', '--limit', '3');
  assert.ok(out.endsWith(`--cursor ${first.cursor}\n`), out);
});

test('refuses malformed input', async () => {
  for (const [args, field] of [
    [['list', '--edge', 'telephone'], 'edge'],
    [['list', '--from', 'yesterday'], 'from'],
    [['list', '--from', '2026-02-30'], 'from'],
    [['list', '--limit', '201'], 'limit'],
    [['verify', '--entry', '1', '--hash', 'abc'], 'hash'],
  ] as const) {
    const ran = await cli.oja('audit-log', ...args, '--json');
    assert.deepEqual([ran.code, ran.out, ran.refused], [2, '', 'input_malformed'], args.join(' '));
    assert.deepEqual(ran.fields, [field], args.join(' '));
  }
  for (const [args, field] of [
    [['list', '--cursor', 'x'], 'cursor'],
    [['verify', '--entry', '1'], 'hash'],
    [['export', '--cursor', 'x'], 'cursor'],
  ] as const) {
    const ran = await cli.oja('audit-log', ...args, '--json');
    assert.deepEqual([ran.code, ran.out, ran.refused], [1, '', 'input_malformed'], args.join(' '));
    assert.deepEqual(ran.fields, [field], args.join(' '));
  }
});

test('prints all pages of an export', async () => {
  const whole = await cli.oja('audit-log', 'export');
  const paged = await cli.oja('audit-log', 'export', '--limit', '2');
  assert.equal(paged.out, whole.out);
  const lines = whole.out.trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).position),
    ['1', '2', '3', '4'],
  );
  assert.equal((await cli.oja('audit-log', 'export', '--to', '2026-01-01')).out, '');
});

test('prints the head, and exits with 1 if an entry was changed', async () => {
  const verified = await cli.json('audit-log', 'verify');
  assert.deepEqual([verified.ok, verified.entries, verified.broken], [true, '4', null]);
  const { entry, hash } = verified.head;
  const { out } = await cli.oja('audit-log', 'verify');
  assert.ok(out.includes(entry) && out.includes(hash), out);
  assert.equal((await cli.oja('audit-log', 'verify', '--entry', entry, '--hash', hash)).code, 0);
  assert.equal((await cli.oja('audit')).code, 0);
  await cli.database.transaction(async (tx) => {
    await tx.query('alter table audit_log disable trigger user');
    await tx.query("update audit_log set actor = 'eve' where subject = 'merchant:TWO'");
  });
  const found = await cli.oja('audit-log', 'verify');
  assert.equal(found.code, 1);
  const asJson = JSON.parse((await cli.oja('audit-log', 'verify', '--json')).out);
  assert.deepEqual(asJson.data.broken, { entry: '2', how: 'changed' });
  const whole = await cli.oja('audit', '--json');
  assert.equal(whole.code, 1);
  const failed = JSON.parse(whole.out).data.checks.filter((check: { ok: boolean }) => !check.ok);
  assert.deepEqual(
    failed.map(({ name, count }: { name: string; count: number }) => [name, count]),
    [['audit-log-chain', 1]],
  );
});
