/** The command line as a whole: help, examples, and how results are printed. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import { pairs, table, toJson } from '../../src/cli/output.ts';
import { printProgress } from '../../src/cli/print-progress.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { groupsOf, idleDoctor, leavesOf } from './command-tree.ts';

/** Commands that print by themselves, without a database. */
const localCommands = new Set(['operations', 'listen', 'start']);

test('every command has a description, a valid example and --json', () => {
  const leaves = leavesOf(buildProgram(() => Promise.resolve(), idleDoctor()));
  assert.ok(leaves.length >= 20);
  for (const { path, command } of leaves) {
    const help = helpOf(command);
    assert.match(help, /--json/, path);
    assert.ok(command.description().length > 10, path);
    assert.match(help, new RegExp(`\\./oja ${path}( |$)`, 'm'), path);
  }
});

test('every group of commands has a description', () => {
  const groups = groupsOf(buildProgram(() => Promise.resolve(), idleDoctor()));
  assert.ok(groups.length >= 40);
  for (const { path, command } of groups) assert.ok(command.description().length > 5, path);
});

const root = join(import.meta.dirname, '..', '..');

const placeholders: readonly (readonly [word: RegExp, example: string])[] = [
  [/\b(?:ID|ENDPOINT)\b/g, '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10'],
  [/\bDAY\b/g, '2026-11-21'],
  // `--success|--failed` in a table: the first of them.
  [/\\\|\S+/g, ''],
];

/** Replaces the placeholders for a reader's values. */
function filledIn(code: string): string {
  return placeholders.reduce((text, [word, example]) => text.replace(word, example), code);
}

/**
 * The commands of all documents, in blocks and in text, without parts for the shell, such as `>
 * file` and `# why`. Text may also name a command without its arguments.
 */
async function documentedCommands(named: ReadonlySet<string>): Promise<{ path: string; text: string }[]> {
  const names = (await readdir(join(root, 'docs'), { recursive: true })).filter((name) =>
    name.endsWith('.md'),
  );
  const paths = ['README.md', ...names.map((name) => join('docs', name))];
  return await Promise.all(
    paths.map(async (path) => {
      const text = await readFile(join(root, path), 'utf8');
      const codeBlock = /^ *```[^\n]*\n([\s\S]*?)^ *```/gm;
      const blocks = [...text.matchAll(codeBlock)].map(([, block = '']) => block.replace(/\\\n\s*/g, ''));
      const inText = [...text.replace(codeBlock, '').matchAll(/`(\.\/oja [^`<]+)`/g)]
        .map(([, code = '']) => filledIn(code.replace(/\s+/g, ' ')))
        .filter((code) => !named.has(code.replace('./oja ', '')))
        .map((code) => `${code}\n`);
      const lines = [...blocks, ...inText]
        .join('')
        .matchAll(/^ *(?:\$ )?\.\/oja ((?:"[^"]*"|'[^']*'|[^"'#<>|&\n])*)/gm);
      return { path, text: [...lines].map(([, line = '']) => `$ ./oja ${line.trim()}`).join('\n') };
    }),
  );
}

test('every example of the help and of the documents can be parsed', async () => {
  const leaves = leavesOf(buildProgram(() => Promise.resolve(), idleDoctor()));
  const help = leaves.map(({ path, command }) => ({ path, text: helpOf(command) }));
  const documents = await documentedCommands(new Set(leaves.map(({ path }) => path)));
  assert.ok(documents.filter(({ text }) => text !== '').length > 20);
  const wrong: string[] = [];
  for (const { path, text } of [...help, ...documents]) {
    for (const [, line] of text.matchAll(/^(?: {2}|\$ )\.\/oja (.*)$/gm)) {
      if (localCommands.has(line?.split(' ')[0] ?? '') || line?.includes('…')) continue;
      const typed = words(line ?? '');
      // On a terminal, an irreversible command asks for confirmation. Here it needs `--yes`.
      const isUnderstood = (await timesRun(typed)) === 1 || (await timesRun([...typed, '--yes'])) === 1;
      if (!isUnderstood) wrong.push(`${path}: ${line}`);
    }
  }
  assert.deepEqual(wrong, []);
});

async function timesRun(typed: readonly string[]): Promise<number> {
  let ran = 0;
  const note = (): void => {
    ran += 1;
  };
  const checkFile = async () => {
    note();
    return [];
  };
  const program = buildProgram(() => Promise.resolve(note()), idleDoctor(note), { checkFile });
  // Other commands need an answer to continue. It is enough that the line was parsed.
  await program.parseAsync(typed, { from: 'user' }).catch(() => undefined);
  return ran;
}

test('a table is aligned by its widest values, amounts to the right', () => {
  const rows = [
    { name: 'ọjà', amount: '5.00' },
    { name: 'a longer name', amount: '1000.00' },
  ];
  const columns = [
    { title: 'NAME', of: (row: (typeof rows)[number]) => row.name },
    { title: 'AMOUNT', of: (row: (typeof rows)[number]) => row.amount, right: true },
  ];
  assert.equal(
    table(rows, columns, 'none'),
    ['NAME            AMOUNT', 'ọjà               5.00', 'a longer name  1000.00'].join('\n').normalize(),
  );
  assert.equal(table([], columns, 'none'), 'none');
  assert.equal(
    pairs([
      ['A', '1'],
      ['Long', ''],
    ]),
    'A     1\nLong',
  );
});

test('JSON has bigints as digits and times in Lagos', () => {
  const data = {
    kobo: 9_007_199_254_740_993n,
    at: new Date('2026-11-21T23:30:00.5Z'),
    list: [1n],
    none: null,
  };
  assert.deepEqual(JSON.parse(toJson(data)), {
    kobo: '9007199254740993',
    at: '2026-11-22T00:30:00.500+01:00',
    list: ['1'],
    none: null,
  });
});

test('prints progress every two seconds on a terminal only', () => {
  for (const isTTY of [true, false]) {
    const told: string[] = [];
    let nowMs = 0;
    const stream = { isTTY, write: (text: string) => told.push(text) > 0 };
    const tell = printProgress(stream, () => nowMs);
    for (nowMs of [500, 1_900, 2_100, 3_000, 4_200]) {
      tell({ step: 'sealed_goods', done: nowMs, unit: 'values counted' });
    }
    assert.deepEqual(
      told,
      isTTY ? [2_100, 4_200].map((done) => `sealed_goods: ${done} values counted so far\n`) : [],
    );
  }
});

function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({
    writeOut: (text) => {
      help += text;
    },
  });
  command.outputHelp();
  return help;
}

/** Split as by a shell. */
function words(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
}
