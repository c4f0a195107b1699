/** All pages of the site with their links, from the documents and the OpenAPI document. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contentsOf, type Section } from './contents.ts';
import type { OpenApi } from './document.ts';
import { type Image, imagesOf } from './images.ts';
import { linkPages } from './links.ts';
import type { Page } from './page.ts';
import { readPages, toPage } from './read-pages.ts';
import { type Answers, makeReference, type ReferencePage } from './reference.ts';
import type { Methods } from './samples.ts';

/** Answers of a gateway to the requests of the reference. A test records and compares them. */
export const answersFile = 'site/answers.json';

export type Site = {
  readonly documents: readonly Page[];
  readonly reference: readonly ReferencePage[];
  readonly contents: readonly Section[];
  readonly images: readonly Image[];
  /** Links that lead nowhere, and images that are not there. */
  readonly faults: readonly string[];
};

/** `base` is the path under which the site is served, with slashes at both ends. */
export function makeSite(root: string, document: OpenApi, base = '/'): Site {
  const methods = JSON.parse(readFileSync(join(root, 'sdk', 'methods.json'), 'utf8')) as Methods;
  const answers = JSON.parse(readFileSync(join(root, answersFile), 'utf8')) as Answers;
  const reference = makeReference(document, methods, answers);
  const own = (name: string, slug: string): Page => {
    const source = `site/pages/${name}`;
    return toPage(source, slug, readFileSync(join(root, source), 'utf8'));
  };
  const read = readPages(root);
  const linked = linkPages([own('index.md', ''), own('404.md', '404'), ...read]);
  const images = imagesOf(linked.pages);
  const missing = images.filter(({ source }) => !existsSync(join(root, source)));
  const rebased = <P extends Page>(page: P): P => ({ ...page, body: underBase(page.body, base) });
  return {
    documents: [...linked.pages, reference.index].map(rebased),
    reference: reference.pages.map(rebased),
    contents: contentsOf(read, [{ label: 'Overview', slug: 'reference' }, ...reference.sections]),
    images,
    faults: [...linked.faults, ...missing.map(({ page, source }) => `${page}: ${source} is not there`)],
  };
}

function underBase(body: string, base: string): string {
  return base === '/' ? body : body.replace(/\]\(\/(?!\/)/g, `](${base}`);
}
