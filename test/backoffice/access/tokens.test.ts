/** Personal access tokens on the command line: made, shown once, used, revoked. */
import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import { test } from 'node:test';
import { operator, runOja } from '../../cli/harness.ts';

test('shows a token once, limits it to its roles, and refuses it after revocation', async () => {
  await using cli = await operator();
  const made = await cli.oja('token', 'create', '--role', 'support', '--name', 'ada', '--expires', '30d');
  const [token = ''] = made.out.split('\n');
  assert.match(token, /^oja_pat_[a-z0-9]{8}_[A-Za-z0-9_-]{43}$/);
  const listed = await cli.oja('token', 'list');
  assert.match(listed.out, /ada +support +active/);
  assert.ok(!listed.out.includes(token.slice(-43)));
  const stored = await cli.database.query<{ row: string }>(
    'select access_tokens::text as row from access_tokens union all select audit_log::text from audit_log',
  );
  assert.equal(stored.length, 2);
  assert.ok(stored.every(({ row }) => !row.includes(token.slice(-43))));

  await cli.json('merchant', 'create', 'SHOP', 'Shop');
  const settings = { ...cli.settings, OJA_TOKEN: token };
  const suspended = await runOja(settings, ['merchant', 'suspend', 'SHOP']);
  assert.equal(suspended.code, 0, suspended.err);
  const refused = await runOja(settings, ['merchant', 'create', 'MINE', 'Mine']);
  assert.deepEqual([refused.code, refused.out, refused.refused], [1, '', 'role_lacking']);
  const disguised = await runOja(settings, ['merchant', 'resume', 'SHOP', '--actor', 'ben']);
  assert.equal(disguised.refused, 'actor_by_token');
  const id = token.slice(8, 16);
  const entries = await cli.database.query(
    "select actor, action from audit_log where subject = 'merchant:SHOP' order by id",
  );
  assert.deepEqual(entries, [
    { actor: userInfo().username, action: 'merchant.create' },
    { actor: 'ada', action: 'merchant.suspend' },
  ]);

  assert.equal((await cli.oja('token', 'revoke', id)).code, 1, 'it asks, and nobody can be asked here');
  assert.equal((await cli.json('token', 'revoke', id, '--yes')).changed, true);
  assert.equal((await cli.json('token', 'revoke', id, '--yes')).changed, false);
  const after = await runOja(settings, ['merchant', 'resume', 'SHOP']);
  assert.equal(after.refused, 'token_wrong');
});

test('refuses a token without a role, with an unknown role, or with a too long lifetime', async () => {
  await using cli = await operator();
  const refusals: readonly [args: readonly string[], code: number, refused: string, field?: string][] = [
    [[], 2, 'usage'],
    [['--role', 'king'], 2, 'input_malformed', 'role'],
    [['--role', 'admin', '--expires', 'soon'], 2, 'input_malformed', 'expires'],
    [['--role', 'admin', '--expires', '0d'], 2, 'input_malformed', 'expires'],
    [['--role', 'admin', '--expires', '367d'], 1, 'token_life_too_long'],
    [['--role', 'admin', '--name', ' '], 2, 'input_malformed', 'name'],
  ];
  for (const [args, code, refused, field] of refusals) {
    const ran = await cli.oja('token', 'create', ...args, '--json');
    assert.deepEqual(
      [ran.code, ran.refused, ran.fields],
      [code, refused, field === undefined ? [] : [field]],
      args.join(' '),
    );
  }
  assert.equal((await cli.oja('token', 'revoke', 'nothing1', '--yes')).code, 1);
  assert.deepEqual(await cli.database.query('select 1 from access_tokens'), []);
});
