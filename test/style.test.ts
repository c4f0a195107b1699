/**
 * Checks the form of comments and documents: the width of lines, a header in each file, no private
 * word in place of a standard term (GLOSSARY.md), and that the files which a document names exist.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const columnsMax = 100;

type TextFile = { readonly path: string; readonly text: string };

function readFolder(folder: string, ending: string): TextFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : readFolder(path, ending);
    return entry.name.endsWith(ending) ? [{ path, text: readFileSync(join(root, path), 'utf8') }] : [];
  });
}

function readDocument(name: string): TextFile {
  return { path: name, text: readFileSync(join(root, name), 'utf8') };
}

/** Comments first, then texts that may contain comment marks. */
const tokens =
  /(?<comment>\/\*[\s\S]*?\*\/|\/\/[^\n]*)|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}|[^`\\])*`|(?<=[=(,:[!&|?{};]\s*|return )\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\//g;

type Comment = { readonly text: string; readonly line: number; readonly lines: readonly string[] };

/** The comments of a file, each with its whole lines. */
function commentsOf(text: string): Comment[] {
  const lines = text.split('\n');
  return [...text.matchAll(tokens)].flatMap((match) => {
    const comment = match.groups?.comment;
    if (comment === undefined) return [];
    const first = text.slice(0, match.index).split('\n').length - 1;
    return [
      {
        text: comment,
        line: first + 1,
        lines: lines.slice(first, first + comment.split('\n').length),
      },
    ];
  });
}

/** The comments of SQL: the text after two hyphens. */
function sqlCommentsOf(text: string): Comment[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      line.includes('--') ? [{ text: line.slice(line.indexOf('--')), line: index + 1, lines: [line] }] : [],
    );
}

function wideComments({ path, text }: TextFile): string[] {
  const comments = path.endsWith('.sql') ? sqlCommentsOf(text) : commentsOf(text);
  return comments.flatMap(({ line, lines }) =>
    lines.flatMap((whole, index) => (isWide(whole) ? [`${path}:${line + index}`] : [])),
  );
}

/**
 * A line of one unbroken word, such as an address, cannot be wrapped. Neither can an exception to a
 * rule of the linter.
 */
function isWide(line: string): boolean {
  if (line.includes('// biome-ignore ')) return false;
  const words = line.trim().replace(/^(\*|\/\/|--|-|\d+\.)\s+/, '');
  return [...line].length > columnsMax && /\s/.test(words);
}

/**
 * Code blocks and tables are as wide as their content. The drawings of ARCHITECTURE.md are no wider
 * than prose.
 */
function wideProse({ path, text }: TextFile): string[] {
  const drawn = path === 'ARCHITECTURE.md';
  let inCode = false;
  return text.split('\n').flatMap((line, index) => {
    // A command in a comment between blocks is code too.
    const isEdge = line.trimStart().startsWith('```') || line === (inCode ? '-->' : '<!-- run:');
    if (isEdge) inCode = !inCode;
    return (drawn || !inCode) && !line.trimStart().startsWith('|') && isWide(line)
      ? [`${path}:${index + 1}`]
      : [];
  });
}

/** Paths in code marks, from the root of the project, and links, from the document's folder. */
function missingFiles({ path, text }: TextFile): string[] {
  const named = [
    ...text.matchAll(
      /`((?:src|test|docs|bench|lab|demo|simulator|migrations|packages|catalog)\/[\w./-]*\w)/g,
    ),
  ]
    .filter(({ index, 0: mark }) => !/^[<*…]/.test(text.slice(index + mark.length).replace(/^[/-]/, '')))
    .map((match) => match[1] ?? '');
  const linked = [...text.matchAll(/\]\((?!https?:|\/)([^)#]+)/g)].map((match) =>
    join(dirname(path), match[1] ?? ''),
  );
  return [...named, ...linked]
    .filter((target) => !existsSync(join(root, target)))
    .map((target) => `${path}: ${target}`);
}

function spreadsLiteral(text: string): boolean {
  return /[{,]\s*\.\.\.\{/.test(text);
}

/** A header contains text and comes first, after only the line that runs the file. */
function hasHeader(text: string): boolean {
  const header = /^(?:#![^\n]*\n)?\/\*\*([\s\S]*?)\*\//.exec(text)?.[1] ?? '';
  return /\w/.test(header);
}

const privateWords = ['desk', 'desks', 'hurry', 'hurries', 'hurried', 'pretender', 'pretenders'];
/** `till` in place of `until` is plain English; only the noun is private. */
const privatePhrases = [
  /\bthe worlds? of\b/i,
  /\blog of acts\b/i,
  /\btills\b/i,
  /\b(?:an?|the|this|that|its|each|every|one|no|of)\s+till\b/i,
  new RegExp(`\\b(?:${privateWords.join('|')})\\b`, 'i'),
];
const privateParts = new Set([...privateWords, 'till', 'tills']);

function privateComments({ path, text }: TextFile): string[] {
  return commentsOf(text).flatMap((comment) => {
    const plain = comment.text.replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ');
    return privatePhrases.some((phrase) => phrase.test(plain)) ? [`${path}:${comment.line}`] : [];
  });
}

/** Identifiers are judged by their parts: `openFundingDesk` has `desk` in it. */
function privateIdentifiers({ path, text }: TextFile): string[] {
  const code = text.replace(tokens, (token) => (token.startsWith('`') ? expressionsOf(token) : ' '));
  const found = [...code.matchAll(/[A-Za-z_$][\w$]*/g)]
    .map(([name]) => name)
    .filter((name) =>
      name.split(/_|(?<=[a-z0-9])(?=[A-Z])/).some((part) => privateParts.has(part.toLowerCase())),
    );
  return [...new Set(found)].map((name) => `${path}: ${name}`);
}

function expressionsOf(template: string): string {
  return [...template.matchAll(/\$\{([^}]*)\}/g)].map((match) => match[1]).join(' ');
}

const folders = [
  'src',
  'demo',
  'simulator',
  'bench',
  'lab',
  'packages',
  'sdk/src',
  'sdk/tools',
  'examples',
  'site/generate',
  'console/src',
];
const programs = [
  ...folders.flatMap((folder) => readFolder(folder, '.ts')),
  ...readFolder('console/src', '.tsx'),
];
const commented = [
  ...programs,
  ...readFolder('test', '.ts'),
  ...readFolder('migrations', '.ts'),
  ...readFolder('migrations/functions', '.sql'),
];
const documents = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'GLOSSARY.md', 'SECURITY.md'].map(readDocument),
  ...readFolder('docs', '.md'),
  ...readFolder('lab', '.md'),
  ...['sdk/README.md', 'examples/shop/README.md'].map(readDocument),
  ...readFolder('site/pages', '.md'),
];

function program(text: string): TextFile {
  return { path: 'sample.ts', text };
}

describe('the form of comments', () => {
  it('reads comments in every folder', () => {
    const looked = ['src', 'console', 'bench', 'lab', 'packages', 'sdk', 'test', 'migrations/functions'];
    for (const folder of looked) {
      assert.ok(
        commented.some(({ path, text }) => path.startsWith(`${folder}/`) && /\/\*|--/.test(text)),
        folder,
      );
    }
  });

  it('comments have lines of at most 100 columns', () => {
    assert.deepEqual(commented.flatMap(wideComments), []);
  });

  it('detects a comment that is wider', () => {
    const words = 'words '.repeat(17);
    assert.deepEqual(wideComments(program(`// ${words}`)), ['sample.ts:1']);
    assert.deepEqual(wideComments(program(`const a = 1; // ${words}`)), ['sample.ts:1']);
    assert.deepEqual(wideComments(program(`/**\n * Short.\n * ${words}\n */`)), ['sample.ts:3']);
    assert.deepEqual(wideComments({ path: 'sample.sql', text: `select 1;\n-- ${words}` }), ['sample.sql:2']);
  });

  it('does not take text for a comment, nor an address for a line that could be wrapped', () => {
    const address = `https://example.com/${'a'.repeat(100)}`;
    assert.deepEqual(wideComments(program(`const a = '// ${'words '.repeat(17)}';`)), []);
    assert.deepEqual(
      wideComments(program(`const a = /'/; // short\nconst b = '${'words '.repeat(17)}';`)),
      [],
    );
    assert.deepEqual(wideComments(program(`// ${address}`)), []);
  });

  it('each file opens with a header', () => {
    assert.deepEqual(
      commented
        .filter(({ path }) => /\.tsx?$/.test(path))
        .filter(({ text }) => !hasHeader(text))
        .map(({ path }) => path),
      [],
    );
  });

  it('detects a file without a header', () => {
    assert.ok(hasHeader('/** What the file is for. */\nexport const a = 1;'));
    assert.ok(hasHeader('#!/usr/bin/env node\n/** What the file is for. */'));
    assert.ok(!hasHeader("import { a } from './a.ts';\n/** Too late. */"));
    assert.ok(!hasHeader('// No header.\nexport const a = 1;'));
    assert.ok(!hasHeader('/** */\nexport const a = 1;'));
  });
});

describe('the form of literals', () => {
  it('no literal spreads into another, so that each property is explicit', () => {
    assert.deepEqual(
      commented.filter(({ text }) => spreadsLiteral(text)).map(({ path }) => path),
      [],
    );
  });

  it('detects a literal that is spread', () => {
    assert.ok(spreadsLiteral(`const a = {\n  ${'...'}{ b, c },\n};`));
    assert.ok(spreadsLiteral(`const a = { ${'...'}{ b, c }, d };`));
    assert.ok(!spreadsLiteral('const a = { ...b, c: [...(d ? [{ e }] : [])] };'));
  });
});

describe('the form of documents', () => {
  it('documents have lines of at most 100 columns, except code and tables', () => {
    assert.deepEqual(documents.flatMap(wideProse), []);
  });

  it('detects a line of prose that is wider', () => {
    const words = 'words '.repeat(17);
    const text = `${words}\n\`\`\`\n${words}\n\`\`\`\n| ${words}|\n- ${words}`;
    assert.deepEqual(wideProse({ path: 'sample.md', text }), ['sample.md:1', 'sample.md:6']);
    const comment = `<!-- run:\n${words}\n-->\n${words}`;
    assert.deepEqual(wideProse({ path: 'sample.md', text: comment }), ['sample.md:4']);
    const architecture = wideProse({ path: 'ARCHITECTURE.md', text });
    assert.deepEqual(architecture, ['ARCHITECTURE.md:1', 'ARCHITECTURE.md:3', 'ARCHITECTURE.md:6']);
  });
});

describe('the files that documents name', () => {
  it('documents name only files that exist', () => {
    assert.deepEqual(documents.flatMap(missingFiles), []);
  });

  it('detects a missing file', () => {
    const text =
      'See `src/nobody.ts`, `src/main.ts`, `src/providers/<name>/`, [this](gone.md#a), [that](../README.md).';
    assert.deepEqual(missingFiles({ path: 'docs/sample.md', text }), [
      'docs/sample.md: src/nobody.ts',
      'docs/sample.md: docs/gone.md',
    ]);
  });
});

/** The words that a glossary explains: the first cell of each row, which may have several. */
function wordsOf({ text }: TextFile): string[] {
  const cells = [...text.matchAll(/^\| ([^|]+) \|/gm)].map((match) => match[1] ?? '');
  return cells.filter((cell) => cell !== 'Word').flatMap((cell) => cell.split(', '));
}

function explainedTwice(glossary: TextFile): string[] {
  return wordsOf(glossary).filter((word, index, all) => all.indexOf(word) !== index);
}

describe('the glossary', () => {
  it('explains no term twice', () => {
    const glossary = readDocument('GLOSSARY.md');
    assert.ok(wordsOf(glossary).length > 50);
    assert.deepEqual(explainedTwice(glossary), []);
  });

  it('detects a term that is explained twice', () => {
    const text =
      '| Word | Means |\n|---|---|\n| purchase | A. |\n\n| Word | Means |\n|---|---|\n| plan, purchase | B. |\n';
    assert.deepEqual(explainedTwice({ path: 'sample.md', text }), ['purchase']);
  });
});

describe('private words', () => {
  it('no comment has a private word', () => {
    assert.deepEqual(programs.flatMap(privateComments), []);
  });

  it('detects a private word in a comment, also across lines', () => {
    for (const comment of [
      '// The desk of deposits.',
      '/** Hurry. */',
      '// A pretender gets the same answer.',
      '// Opens a till.',
      '/**\n * The world\n * of a purchase.\n */',
      '/* The log of\n   acts. */',
    ]) {
      assert.deepEqual(privateComments(program(comment)), ['sample.ts:1'], comment);
    }
    assert.deepEqual(privateComments(program("const a = 'a desk'; // waits till the end")), []);
  });

  it('no identifier has a private word', () => {
    assert.deepEqual(programs.flatMap(privateIdentifiers), []);
  });

  it('detects a private word in an identifier', () => {
    assert.deepEqual(privateIdentifiers(program('const openFundingDesk = `$' + '{hurryPurchase}`;')), [
      'sample.ts: openFundingDesk',
      'sample.ts: hurryPurchase',
    ]);
    assert.deepEqual(privateIdentifiers(program('type Till = 1; let due_hurried = 2;')), [
      'sample.ts: Till',
      'sample.ts: due_hurried',
    ]);
    assert.deepEqual(privateIdentifiers(program("// desk\nconst until = 'desk', deskewed = still;")), []);
  });
});
