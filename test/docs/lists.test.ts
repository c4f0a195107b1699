/** The records of decisions have one form, and the list of commands is complete. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { buildProgram } from '../../src/cli/program.ts';
import { idleDoctor, leavesOf } from '../cli/command-tree.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

describe('the records of decisions', () => {
  const folder = 'docs/decisions';
  const names = readdirSync(join(root, folder)).filter((name) => name !== 'README.md');

  it('each record has a status, a date and the same three parts', () => {
    for (const name of names) {
      const text = read(`${folder}/${name}`);
      assert.match(text, /^# \d{4}: .+\n\nStatus: \w+, \d{4}-\d{2}-\d{2}\n/, name);
      assert.equal(text.slice(2, 6), name.slice(0, 4), name);
      const parts = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
      assert.deepEqual(parts, ['Context', 'Decision', 'Consequences'], name);
    }
  });
});

/** The commands that the page of operations names. A line has a second name if it differs. */
function commandsIn(page: string): string[] {
  const operations = [...page.matchAll(/^\| \[`([a-z_.]+)`\]\([^)]+\)(?:, `([a-z -]+)`)? \|/gm)].map(
    ([, name = '', command]) => command ?? name.replace('.', ' ').replaceAll('_', '-'),
  );
  const local = [...page.matchAll(/^\| `([a-z -]+)` \|/gm)].map(([, name = '']) => name);
  return [...operations, ...local];
}

describe('the table of commands', () => {
  it('the table of commands lists each command, and no other', () => {
    const commands = leavesOf(buildProgram(() => Promise.resolve(), idleDoctor()));
    assert.deepEqual(
      commandsIn(read('docs/operators/operations.md')).toSorted(),
      commands.map(({ path }) => path).toSorted(),
    );
  });

  it('reads a command by its second name if a line has one', () => {
    const page = '| [`wallet.set_alert`](x.md), `wallet alert` | a | all |\n| `start` | b |\n';
    assert.deepEqual(commandsIn(page), ['wallet alert', 'start']);
  });
});
