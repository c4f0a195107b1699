/** The program behind `npm run proof`: its items, its options and the table that it writes. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { lastLine, linesWith, tailOf, tally } from '../../lab/proof/found.ts';
import { items } from '../../lab/proof/items.ts';
import { chooseItems, parseOptions } from '../../lab/proof/options.ts';
import { commandOf, root, runItem } from '../../lab/proof/run-item.ts';
import { formatTable, type Row, replaceTable } from '../../lab/proof/table.ts';

describe('the items of the proof layer', () => {
  it('items have unique names and programs that exist', () => {
    const names = items.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    const programs = items.flatMap(({ command, short }) => [...command, ...(short?.command ?? [])]);
    const files = programs.filter((word) => /^\w[\w/.-]*\.ts$/.test(word));
    assert.ok(files.length >= items.length);
    assert.deepEqual(
      files.filter((file) => !existsSync(join(root, file))),
      [],
    );
  });

  it('lab/README.md lists each item once', () => {
    const page = readFileSync(join(root, 'lab', 'README.md'), 'utf8');
    const listed = [...page.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name);
    assert.deepEqual(
      listed,
      items.map(({ name }) => name),
    );
  });
});

describe('the choice of items', () => {
  const all = [
    { name: 'few', command: ['few.ts'], minutes: 5 },
    {
      name: 'many',
      command: ['many.ts', '1000'],
      short: { command: ['many.ts', '10'], minutes: 1 },
      minutes: 60,
    },
    { name: 'huge', command: ['huge.ts'], minutes: 90 },
  ];
  const choose = (...args: readonly string[]) =>
    chooseItems(all, parseOptions(args)).map(({ command }) => command.join(' '));

  it('chooses all items by default, in the order of the list', () => {
    assert.deepEqual(choose(), ['few.ts', 'many.ts 1000', 'huge.ts']);
  });

  it('follows --only and --without', () => {
    assert.deepEqual(choose('--only', 'huge,few'), ['few.ts', 'huge.ts']);
    assert.deepEqual(choose('--without', 'few'), ['many.ts 1000', 'huge.ts']);
    assert.deepEqual(choose('--only', 'huge,few', '--without', 'huge'), ['few.ts']);
  });

  it('takes short forms with --short and leaves out items of hours without one', () => {
    assert.deepEqual(choose('--short'), ['few.ts', 'many.ts 10']);
    assert.deepEqual(choose('--short', '--only', 'huge'), []);
  });

  it('refuses an unknown item and an unknown option', () => {
    assert.throws(() => choose('--only', 'few,some'), /"some"/);
    assert.throws(() => choose('--without', 'some'), /"some"/);
    assert.throws(() => choose('--fast'));
  });
});

describe('the findings of a run', () => {
  it('reads findings from the output', () => {
    const output = '10 sent\r20 sent\n\u001b[32mheld: a\u001b[39m\nheld: b\nmissed: c\n\n  the end  \n\n';
    assert.equal(lastLine(output), 'the end');
    assert.equal(lastLine(''), '');
    assert.equal(tailOf(output, 2), 'missed: c; the end');
    assert.equal(linesWith(/^held: (.)$/)(output), 'a; b');
    assert.equal(tally({ held: /^held/, missed: /^missed/ })(output), '2 held, 1 missed');
  });

  it('returns the result of the program, with its output when it failed', async () => {
    const run = (script: string, missing: readonly string[] = []): Promise<Row> =>
      runItem(
        {
          name: 'sample',
          proves: 'nothing',
          command: ['-e', script],
          environment: { SAMPLE: 'set' },
          minutes: 1,
          missing: () => missing,
          found: lastLine,
        },
        new AbortController().signal,
      );
    const passed = await run('console.log("begin"); console.log(process.env.SAMPLE)');
    assert.deepEqual([passed.result, passed.found], ['passed', 'set']);
    const failed = await run('console.log("one"); process.exitCode = 3');
    assert.deepEqual([failed.result, failed.found], ['failed', 'one']);
    const killed = await run('process.kill(process.pid, "SIGKILL")');
    assert.equal(killed.result, 'failed');
    const skipped = await run('process.exitCode = 3', ['etcd', 'patroni']);
    assert.deepEqual([skipped.result, skipped.seconds], ['skipped', undefined]);
    assert.match(skipped.found, /etcd, patroni/);
    assert.equal(commandOf({ command: ['a.ts'], environment: { SAMPLE: 'set' } }), 'SAMPLE=set node a.ts');
  });
});

describe('the table', () => {
  const run = { day: '2026-11-22', version: 'abc1234' };
  const row = (name: string, found: string, result: Row['result'] = 'passed'): Row => ({
    name,
    command: `node ${name}.ts`,
    seconds: result === 'skipped' ? undefined : 61.4,
    result,
    found,
  });
  const document = [
    '# Proof',
    '<!-- proof runs: written by npm run proof -->',
    '<!-- end of proof runs -->',
    'The rest.',
    '',
  ].join('\n');
  const names = ['a', 'b', 'c'];
  const cellsOf = (text: string): string[][] =>
    text
      .split('\n')
      .filter((line) => /^\| [abc] \|/.test(line))
      .map((line) => line.slice(2, -2).split(' | '));

  it('writes a row for each item: command, day, version, time, result and findings', () => {
    const table = formatTable([row('a', 'nothing is wrong'), row('b', 'no etcd', 'skipped')], run);
    assert.deepEqual(cellsOf(table), [
      ['a', '`node a.ts`', '2026-11-22', 'abc1234', '1 min 1 s', 'passed', 'nothing is wrong'],
      ['b', '`node b.ts`', '2026-11-22', 'abc1234', '', 'skipped', 'no etcd'],
    ]);
  });

  it('keeps any output within its cell', () => {
    const found = `x | \`y\`\n[z](gone.md) <script> ${'w'.repeat(900)}`;
    const [, , line = '', ...more] = formatTable([row('a', found)], run).split('\n');
    assert.deepEqual(more, []);
    assert.ok(line.includes("x \\| 'y' [z] (gone.md) &lt;script>"));
    assert.ok(line.length < 600);
  });

  it('replaces the rows of a run in the document and keeps all else', () => {
    const first = replaceTable(document, [row('c', 'three'), row('a', 'one')], run, names);
    assert.deepEqual(
      cellsOf(first).map((cells) => cells.at(-1)),
      ['one', 'three'],
    );
    assert.ok(first.startsWith('# Proof\n') && first.endsWith('\nThe rest.\n'));
    const later = { day: '2026-11-23', version: 'def5678' };
    const second = replaceTable(first, [row('b', 'two'), row('c', 'broken', 'failed')], later, names);
    assert.deepEqual(
      cellsOf(second).map(([name, , day, , , result]) => [name, day, result]),
      [
        ['a', '2026-11-22', 'passed'],
        ['b', '2026-11-23', 'passed'],
        ['c', '2026-11-23', 'failed'],
      ],
    );
    assert.equal(replaceTable(second, [], later, names), second);
  });

  it('keeps the row of an earlier run when the item is skipped', () => {
    const first = replaceTable(document, [row('a', 'one'), row('b', 'no etcd', 'skipped')], run, names);
    const second = replaceTable(first, [row('a', 'no etcd', 'skipped')], run, names);
    assert.equal(second, first);
  });

  it('drops the row of an item that no longer exists', () => {
    const first = replaceTable(document, [row('a', 'one'), row('b', 'two')], run, names);
    assert.deepEqual(
      cellsOf(replaceTable(first, [], run, ['b'])).map(([name]) => name),
      ['b'],
    );
  });

  it('refuses a document without the markers', () => {
    assert.throws(() => replaceTable('# Proof\n', [row('a', 'one')], run, names));
    assert.equal(
      typeof replaceTable(readFileSync(join(root, 'docs', 'proof.md'), 'utf8'), [], run, names),
      'string',
    );
  });
});
