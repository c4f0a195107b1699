/** Reads the documents of the project as pages. Their text exists only there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeProse, firstSentence, type Page } from './page.ts';

/** Documents outside `docs/` that are pages too. */
const others: readonly (readonly [source: string, slug: string])[] = [
  ['CHANGELOG.md', 'changelog'],
  ['ARCHITECTURE.md', 'maintainers/architecture'],
  ['CONTRIBUTING.md', 'maintainers/contributing'],
  ['GLOSSARY.md', 'maintainers/glossary'],
  ['SECURITY.md', 'maintainers/security'],
  ['bench/results.md', 'maintainers/benchmark-results'],
  ['lab/README.md', 'maintainers/lab'],
  ['lab/attacks/README.md', 'maintainers/lab-attacks'],
  ['lab/capacity/README.md', 'maintainers/lab-capacity'],
  ['lab/chaos/README.md', 'maintainers/lab-chaos'],
  ['lab/console-tasks/README.md', 'maintainers/lab-console-tasks'],
  ['lab/failover/README.md', 'maintainers/lab-failover'],
  ['lab/cluster/README.md', 'maintainers/lab-cluster'],
  ['lab/fuzz/README.md', 'maintainers/lab-fuzz'],
  ['lab/ten-million/README.md', 'maintainers/lab-ten-million'],
  ['sdk/README.md', 'merchants/sdk-examples'],
  ['sdk/php/README.md', 'merchants/php-examples'],
  ['examples/shop/README.md', 'merchants/example-shop'],
];

export function readPages(root: string): Page[] {
  const documents = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replaceAll('\\', '/'))
    .toSorted()
    .map((name): readonly [string, string] => [`docs/${name}`, slugOf(name)]);
  const there = others.filter(([source]) => existsSync(join(root, source)));
  return [...documents, ...there].map(([source, slug]) =>
    toPage(source, slug, readFileSync(join(root, source), 'utf8')),
  );
}

function slugOf(name: string): string {
  const slug = name.replace(/(?:\/README)?\.md$/, '');
  if (/^decisions\b/.test(slug)) return `maintainers/${slug}`;
  // A page outside any folder is for operators.
  return slug.includes('/') ? slug : `operators/${slug}`;
}

export function toPage(source: string, slug: string, text: string): Page {
  const [, title] = /^# (.+)$/m.exec(text) ?? [];
  if (title === undefined || !text.startsWith('# ')) throw new Error(`${source} does not open with a title`);
  const body = changeProse(text.slice(title.length + 2), withoutComments).trim();
  return { slug, source, title: title.replaceAll('`', ''), description: firstSentence(body), body };
}

/** Comments are for the tests that run the commands of a page. */
function withoutComments(prose: string): string {
  return prose.replace(/<!--[\s\S]*?-->\n?/g, '');
}
