/** Without hooks, tests are still nested, and a late error fails its own test. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const script = `
  import { test } from 'node:test';
  const later = () => new Promise((resolve) => setTimeout(resolve, 20));
  await test('outer', async () => {
    test('throws from a timer', async () => {
      setTimeout(() => { throw new Error('thrown'); }, 1);
      await later();
    });
    test('rejects unseen', async () => {
      void (async () => { await 1; throw new Error('rejected'); })();
      await later();
    });
    test('has no error', later);
  });
`;

test('nests tests, and fails the test whose timer or promise failed', async () => {
  const hooks = join(import.meta.dirname, 'without-async-hooks.ts');
  const options = [`--import=${hooks}`, '--test-reporter=tap', '--input-type=module', '--eval', script];
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, options, { env }, (_error, text) => resolve(text));
  });
  const lines = output.split('\n').filter((line) => /^ *(?:not )?ok /.test(line));
  assert.deepEqual(
    lines.map((line) => line.replace(/ # .*/, '')),
    [
      '    not ok 1 - throws from a timer',
      '    not ok 2 - rejects unseen',
      '    ok 3 - has no error',
      'not ok 1 - outer',
    ],
  );
});
