/**
 * Draws random texts of the repository for a review by a fresh reader: `npm run -s draw-texts --
 * --seed 7 --count 100`. The same seed draws the same texts of the same commit. The kinds (paths,
 * comments, functions, messages, test titles, documents) take turns.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createSeeded } from './seeded.ts';

const root = join(import.meta.dirname, '..', '..');

type Drawn = { readonly kind: string; readonly where: string; readonly text: string };

/** Finds the texts of one kind in a file, each with its place. */
type Finder = (path: string, content: string) => Iterable<Omit<Drawn, 'kind'>>;

const isCode = (path: string): boolean => /\.(ts|tsx|sql)$/.test(path);
const isTest = (path: string): boolean => path.startsWith('test/') && path.endsWith('.test.ts');

const finders: Readonly<Record<string, Finder>> = {
  path: function* paths(path) {
    if (isCode(path)) yield { where: path, text: path };
  },
  comment: function* comments(path, content) {
    if (!isCode(path)) return;
    const blocks = /\/\*\*?[\s\S]*?\*\/|(?:^[ \t]*(?:\/\/|--) .*\n)+/gm;
    yield* matches(path, content, blocks, (block) =>
      block.replace(/^[ \t]*(\/\*\*?|\*\/|\*|\/\/|--) ?/gm, ''),
    );
  },
  function: function* functions(path, content) {
    const heads = /^(?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?export (?:async )?function [\s\S]*?\{$/gm;
    if (path.startsWith('src/')) yield* matches(path, content, heads, (head) => head);
  },
  message: function* messages(path, content) {
    const strings = /'(?:[^'\\\n]|\\.){15,}'|`(?:[^`\\\n]|\\.){15,}`|>[^<>{}\n]{15,}</g;
    if (!/^(src|console\/src)\/.*\.tsx?$/.test(path)) return;
    yield* matches(path, content, strings, (text) => text.slice(1, -1), isSentence);
  },
  'test title': function* titles(path, content) {
    if (isTest(path)) yield* matches(path, content, /\bit\(\s*'([^'\n]+)'/g, (title) => title);
  },
  document: function* paragraphs(path, content) {
    if (!path.endsWith('.md')) return;
    yield* matches(path, content, /(?:^(?!```|\||<|#).+\n)+/gm, (paragraph) => paragraph, isSentence);
  },
};

/** Four words or more, and not a statement of SQL. */
function isSentence(text: string): boolean {
  return (
    /[A-Za-z]+ [a-z]+ [a-z]+ [a-z]/.test(text) && !/\b(select|insert into|update|delete from)\b/.test(text)
  );
}

function* matches(
  path: string,
  content: string,
  pattern: RegExp,
  textOf: (match: string) => string,
  keeps: (text: string) => boolean = () => true,
): Iterable<Omit<Drawn, 'kind'>> {
  for (const match of content.matchAll(pattern)) {
    const text = textOf(match[1] ?? match[0]).trim();
    const line = content.slice(0, match.index).split('\n').length;
    if (text !== '' && keeps(text)) yield { where: `${path}:${line}`, text };
  }
}

function drawTexts(seed: number, count: number): Drawn[] {
  const seeded = createSeeded(seed);
  const listed = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
  const paths = listed.filter((path) => isCode(path) || path.endsWith('.md'));
  const files = paths.map((path) => ({ path, content: readFileSync(join(root, path), 'utf8') }));
  const kinds = Object.entries(finders).map(([kind, find]) =>
    files.flatMap(({ path, content }) => [...find(path, content)].map((found) => ({ kind, ...found }))),
  );
  return Array.from({ length: count }, (_, at) => seeded.pick(kinds[at % kinds.length] ?? []));
}

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, count: { type: 'string', default: '100' } },
});
for (const { kind, where, text } of drawTexts(Number(values.seed), Number(values.count))) {
  process.stdout.write(`${kind} · ${where}\n${text.replaceAll(/^/gm, '    ')}\n\n`);
}
