/** Invalid input for the recovery after a restore is refused by its code, and changes nothing. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runOja } from '../../cli/harness.ts';
import { createTestDatabase } from '../../support/database.ts';
import { fixtureKey, folderOf } from '../../support/release-fixture.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
let settings: Readonly<Record<string, string>>;
let file: string;

before(async () => {
  const folder = await folderOf({});
  file = join(folder, 'list.csv');
  await writeFile(file, 'a,b\n1,2\n');
  settings = {
    DATABASE_URL: clone.connectionString,
    OJA_ENCRYPTION_KEY: fixtureKey,
    OJA_DATA_DIR: folder,
    OJA_PROFILE: 'demo',
  };
  const locked = await runOja(settings, ['restore', 'lock', '--reason', 'test', '--yes']);
  assert.equal(locked.code, 0, locked.err);
});

describe('recovery after a restore', () => {
  const cases: readonly (readonly [what: string, args: readonly string[], code: number, refused: string])[] =
    [
      ['an unknown provider', ['reconcile', 'vtpas', 'FILE'], 1, 'no_such_party'],
      ['a file that is not there', ['reconcile', 'vtpass', '/nowhere.csv'], 1, 'statement_at_fault'],
      ['a folder', ['reconcile', 'vtpass', '/'], 1, 'statement_at_fault'],
      ['a file of another layout', ['reconcile', 'vtpass', 'FILE'], 1, 'statement_at_fault'],
      ['a time ahead', ['reconcile', 'vtpass', 'FILE', '--from', '2999-01-01'], 1, 'days_backwards'],
      [
        'an order that is not open',
        ['finding', 'dismiss', 'vtpass', 'x', '--reason', 'x', '--yes'],
        1,
        'no_finding',
      ],
      ['to enter an order of no mark', ['finding', 'enter', 'vtpass', 'x'], 1, 'input_malformed'],
      [
        'no time of a restore lock',
        ['restore', 'lock', '--reason', 'x', '--from', '22', '--yes'],
        2,
        'input_malformed',
      ],
      [
        'a restore lock from a time ahead',
        ['restore', 'lock', '--reason', 'x', '--from', '2999-01-01T00:00:00Z', '--yes'],
        1,
        'time_ahead',
      ],
    ];
  for (const [what, args, code, refused] of cases) {
    it(`refuses ${what}`, async () => {
      const ran = await runOja(settings, [...args.map((arg) => arg.replace(/FILE$/, file)), '--json']);
      assert.deepEqual([ran.code, ran.out, ran.refused], [code, '', refused]);
    });
  }

  it('changes nothing', async () => {
    const rows = await database.query(
      "select action from audit_log where action similar to '(restore|finding|reconciliation).%'",
    );
    assert.deepEqual(rows, [{ action: 'restore.lock' }, { action: 'restore.end_access' }]);
    assert.deepEqual(await database.query('select from reconciliation_runs'), []);
  });
});
