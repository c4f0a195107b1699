/** Nonsense for the reconciliation of a restore is refused by name, and changes nothing. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runOja } from '../cli/harness.ts';
import { createTestDatabase } from '../support/database.ts';
import { fixtureKey, folderOf } from '../support/release-fixture.ts';

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
  const fenced = await runOja(settings, ['restore', 'fence', '--reason', 'test', '--yes']);
  assert.equal(fenced.code, 0, fenced.err);
});

describe('oja restore', () => {
  const cases: readonly (readonly [what: string, args: readonly string[], code: number, refused: string])[] =
    [
      ['no pair', ['reconcile', 'vtpass'], 2, 'usage'],
      ['no provider', ['reconcile', '=list.csv'], 2, 'usage'],
      ['no file', ['reconcile', 'vtpass='], 2, 'usage'],
      ['a file that is not there', ['reconcile', 'vtpass=/nowhere.csv'], 1, 'file_unreadable'],
      ['a folder', ['reconcile', 'vtpass=/'], 1, 'file_unreadable'],
      ['an unknown provider', ['reconcile', 'vtpas=FILE'], 1, 'no_such_provider'],
      ['a mapping of an unknown provider', ['reconcile', '--mappings', 'vtpas=FILE'], 1, 'no_such_provider'],
      ['two files of one', ['reconcile', 'vtpass=FILE', 'vtpass=FILE'], 1, 'input_malformed'],
      ['a time ahead', ['reconcile', '--from', '2999-01-01T00:00:00Z'], 1, 'time_ahead'],
      ['no time', ['reconcile', '--from', 'yesterday'], 2, 'input_malformed'],
      ['a day that is none', ['reconcile', '--from', '2026-02-31T00:00:00Z'], 2, 'input_malformed'],
      ['no time of a fence', ['fence', '--reason', 'x', '--from', '22', '--yes'], 2, 'input_malformed'],
      [
        'a fence from a time ahead',
        ['fence', '--reason', 'x', '--from', '2999-01-01T00:00:00Z', '--yes'],
        1,
        'time_ahead',
      ],
    ];
  for (const [what, args, code, refused] of cases) {
    it(`refuses ${what}`, async () => {
      const ran = await runOja(settings, [
        'restore',
        ...args.map((arg) => arg.replace(/FILE$/, file)),
        '--json',
      ]);
      assert.deepEqual([ran.code, ran.out, ran.refused], [code, '', refused]);
    });
  }

  it('has changed nothing by it', async () => {
    const rows = await database.query("select action from audit_log where action like 'restore.%'");
    assert.deepEqual(rows, [{ action: 'restore.fence' }, { action: 'restore.end_access' }]);
    assert.deepEqual(await database.query('select from reconciled_providers'), []);
  });
});
