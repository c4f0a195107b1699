/** Writes the sources of the site for Astro into `generated/`. Run by `npm run build`. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeDocument } from '../../test/support/api-document.ts';
import { siteCollections } from './collections.ts';
import type { OpenApi } from './document.ts';
import { llmsFull, llmsIndex } from './for-models.ts';
import { copyImages } from './images.ts';
import { makeSite } from './make-site.ts';
import { place } from './place.ts';
import { markdownForm, markdownPath, referenceForm, siteForm } from './write-page.ts';

const root = join(import.meta.dirname, '..', '..');
const target = join(root, 'site', 'generated');

function write(path: string, text: string | Buffer): void {
  const file = join(target, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const made = JSON.parse(await makeDocument()) as OpenApi;
const document = { ...made, info: { ...made.info, version } };
const { base, address } = place(process.env.OJA_SITE_URL);
const site = makeSite(root, document, base);
if (site.faults.length > 0) {
  console.error(`what pages name is not there:\n${site.faults.join('\n')}`);
  process.exit(1);
}

rmSync(target, { recursive: true, force: true });
const href = (path: string): string => `${base}${path}`;
for (const page of site.documents) write(`content/${page.slug || 'index'}.md`, siteForm(page, href));
for (const page of site.reference) write(`content/${page.slug}.mdx`, referenceForm(page, href));
const pages = [...site.documents, ...site.reference].filter(({ slug }) => slug !== '404');
for (const page of pages) write(`public/${markdownPath(page)}`, markdownForm(page));
// Next to the pages that Astro reads, and as the same pages in Markdown.
for (const part of ['content', 'public']) copyImages(root, site.images, join(target, part));
write('public/openapi.json', `${JSON.stringify(document, null, 2)}\n`);
for (const [path, content] of await siteCollections()) write(`public/${path}`, content);
write('public/llms.txt', llmsIndex(site.contents, pages, address ?? base));
write('public/llms-full.txt', llmsFull(pages));
write('public/favicon.svg', readFileSync(join(root, 'site', 'pages', 'favicon.svg'), 'utf8'));
write('contents.json', JSON.stringify(site.contents, null, 2));
console.log(`${pages.length} pages, of which ${site.reference.length} are of the reference`);
