/** The command line on a machine that has the database's address, and not the gateway's key. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { operationCommands } from '../../src/cli/program.ts';
import { operator, runOja } from '../cli/harness.ts';

test('answers every read-only operation without the encryption key, and refuses sealing', async () => {
  await using cli = await operator();
  const created = await cli.oja('merchant', 'create', 'SHOP', 'Shop');
  assert.equal(created.code, 0, created.err);
  const settings = {
    DATABASE_URL: cli.settings.DATABASE_URL ?? '',
    OJA_DATA_DIR: join(cli.settings.OJA_DATA_DIR ?? '', 'nothing'),
  };
  const questions = operationCommands.filter(({ operation }) => operation.kind === 'question');
  let asked = 0;
  for (const { operation, path, words } of questions) {
    const required: readonly string[] = operation.input.required ?? [];
    const isMissing = (name: string) =>
      Reflect.get(operation.input.properties[name] ?? {}, 'default') === undefined;
    const needed = required.filter(isMissing);
    if (needed.some((name) => name !== 'merchant' || !words.arguments?.includes(name))) continue;
    const ran = await runOja(settings, [...path.split(' '), ...needed.map(() => 'SHOP'), '--json']);
    assert.equal(ran.code, 0, `${path}: ${ran.err}`);
    // An export prints its own lines.
    if (path !== 'audit-log export') assert.ok('data' in JSON.parse(ran.out), path);
    asked += 1;
  }
  assert.ok(asked > 15, `${asked} of ${questions.length}`);
  const sealed = await runOja(settings, ['credential', 'issue', 'SHOP', '--env', 'test']);
  assert.deepEqual([sealed.code, sealed.refused], [1, 'encryption_key_missing']);
});
