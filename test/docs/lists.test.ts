/** Lists that must be complete: the decisions, and the commands. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { buildProgram } from '../../src/cli/program.ts';
import { idleDoctor, leavesOf } from '../cli/command-tree.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The entries of the list, each on one line. */
function entriesOf(text: string): string[] {
  return [...text.matchAll(/^- .*(?:\n {2}.*)*/gm)].map(([entry]) => entry.replace(/\s+/g, ' '));
}

describe('the list of decisions', () => {
  const folder = 'docs/decisions';
  const names = readdirSync(join(root, folder))
    .filter((name) => name !== 'README.md')
    .toSorted();

  it('the list of decisions has each record of the folder once, in order, under its own title', () => {
    const wanted = names.map((name) => {
      const [, number, title] = /^# (\d{4}): (.+)\n/.exec(read(`${folder}/${name}`)) ?? [];
      assert.ok(number !== undefined && name.startsWith(`${number}-`), `${name} opens with its number`);
      return `- [${number}](${name}): ${title}`;
    });
    assert.deepEqual(entriesOf(read(`${folder}/README.md`)), wanted);
  });

  it('each record has a status, a date and the same three parts', () => {
    for (const name of names) {
      const text = read(`${folder}/${name}`);
      assert.match(text, /^# .+\n\nStatus: \w+, \d{4}-\d{2}-\d{2}\n/, name);
      const parts = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
      assert.deepEqual(parts, ['Context', 'Decision', 'Consequences'], name);
    }
  });

  it('reads the list as one line for each entry', () => {
    const text = 'Why:\n\n- [1](a.md): One\n  thing\n- [2](b.md): Two\n';
    assert.deepEqual(entriesOf(text), ['- [1](a.md): One thing', '- [2](b.md): Two']);
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
