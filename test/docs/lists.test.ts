/** Lists that name everything of a kind: the decisions, and the commands. */
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
  const [, list = ''] = /^## Decisions\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text) ?? [];
  return [...list.matchAll(/^- .*(?:\n {2}.*)*/gm)].map(([entry]) => entry.replace(/\s+/g, ' '));
}

describe('the list of decisions', () => {
  it('has each record of the folder once, in order, under its own title', () => {
    const records = readdirSync(join(root, 'docs', 'decisions')).toSorted();
    const wanted = records.map((name) => {
      const path = `docs/decisions/${name}`;
      const [, number, title] = /^# (\d{4}): (.+)\n/.exec(read(path)) ?? [];
      assert.ok(number !== undefined && name.startsWith(`${number}-`), `${path} opens with its number`);
      return `- [${number}](${path}): ${title}`;
    });
    assert.deepEqual(entriesOf(read('ARCHITECTURE.md')), wanted);
  });

  it('would be seen to end before another heading', () => {
    const text =
      '## Decisions\n\nWhy:\n\n- [1](a.md): One\n  thing\n- [2](b.md): Two\n\n## Then\n\n- three\n';
    assert.deepEqual(entriesOf(text), ['- [1](a.md): One thing', '- [2](b.md): Two']);
  });
});

/** `wallet show`, `wallet credit` of "[`wallet show`, `credit`](#wallets)". */
function namedIn(cell: string): string[] {
  let group = '';
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => {
    const words = name.split(' ');
    if (words.length === 1 && group !== '') return `${group} ${name}`;
    group = words.slice(0, -1).join(' ');
    return name;
  });
}

describe('the table of commands', () => {
  it('has each command, and no other', () => {
    const cells = [...read('docs/operators/cli.md').matchAll(/^\| (\[`[^|]*) \| /gm)];
    const named = cells.flatMap(([, cell = '']) => namedIn(cell));
    const commands = leavesOf(buildProgram(() => Promise.resolve(), idleDoctor()));
    // The gateway itself is started without the command line.
    assert.deepEqual(named.toSorted(), ['start', ...commands.map(({ path }) => path)].toSorted());
  });

  it('names a group once for its commands', () => {
    assert.deepEqual(namedIn('`wallet show`, `credit`, `merchant floor`'), [
      'wallet show',
      'wallet credit',
      'merchant floor',
    ]);
  });
});
