/** The pages of the site: their sources, their links, and refused pages. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { checkBuilt } from '../../site/generate/check-built.ts';
import { siteCollections } from '../../site/generate/collections.ts';
import type { Entry, Section } from '../../site/generate/contents.ts';
import type { OpenApi } from '../../site/generate/document.ts';
import { llmsFull, llmsIndex } from '../../site/generate/for-models.ts';
import { copyImages, imagesOf } from '../../site/generate/images.ts';
import { anchorsOf, linkPages } from '../../site/generate/links.ts';
import { makeSite } from '../../site/generate/make-site.ts';
import { place } from '../../site/generate/place.ts';
import { withPolicy } from '../../site/generate/policy.ts';
import { toPage } from '../../site/generate/read-pages.ts';
import { referenceForm, siteForm } from '../../site/generate/write-page.ts';
import { guidesPath } from '../../src/api/plumbing/register-guides.ts';
import { readDocument } from '../support/api-document.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';

const root = join(import.meta.dirname, '..', '..');
const document = (await readDocument()) as unknown as OpenApi;
const site = makeSite(root, document);
const pages = [...site.documents, ...site.reference];

function entriesOf(items: readonly (Entry | Section)[]): string[] {
  return items.flatMap((item) => ('items' in item ? entriesOf(item.items) : [item.slug]));
}

describe('the pages of the site', () => {
  it('the site has every document once, and each in the table of contents', () => {
    assert.ok(pages.length > 100);
    assert.deepEqual(site.faults, []);
    const inMenu = entriesOf(site.contents);
    assert.deepEqual(new Set(inMenu).size, inMenu.length);
    const outside = ['', '404'];
    assert.deepEqual(
      inMenu.toSorted(),
      pages
        .map(({ slug }) => slug)
        .filter((slug) => !outside.includes(slug))
        .toSorted(),
    );
    for (const { slug, title, description } of pages) assert.ok(title !== '' && description !== '', slug);
  });

  it('pages link to pages and headings, not to files', () => {
    const page = (source: string, text: string) => toPage(source, source.replace(/\.md$/, ''), text);
    const other = page('docs/a/b.md', '# B\n\nText.\n\n## The `x` of it\n\n## Twice\n\n## Twice\n');
    const from = (link: string) => linkPages([page('docs/a/a.md', `# A\n\n${link}\n`), other]);
    const good = from('[b](b.md#the-x-of-it), [c](../../deploy/x.yaml), [d](https://x.example)');
    assert.deepEqual(good.faults, []);
    assert.equal(
      good.pages[0]?.body,
      '[b](/docs/a/b/#the-x-of-it), c (`deploy/x.yaml`), [d](https://x.example)',
    );
    assert.match(from('[b](b.md#nothing)').faults.join(), /no heading #nothing/);
    assert.match(from('[b](gone.md)').faults.join(), /docs\/a\/gone.md is no page/);
    assert.deepEqual(from('```\n[b](gone.md)\n```').faults, []);
    assert.deepEqual([...anchorsOf(other.body)], ['the-x-of-it', 'twice', 'twice-1']);
    assert.throws(() => page('docs/a/c.md', 'No title.\n'), /does not open with a title/);
  });

  it('pages find each image that they name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'oja-site-'));
    cleanUpAfter(folder);
    copyImages(root, site.images, folder);
    const named = site.documents.flatMap(({ slug, body }) =>
      [...body.matchAll(/!\[[^\]]*\]\(([^)]+)\)/g)].map(([, file = '']) => join(dirname(slug), file)),
    );
    assert.ok(named.includes('screens/portal-balance.png'));
    for (const file of named) assert.ok(existsSync(join(folder, file)), file);
  });

  it('detects a missing image', () => {
    const page = (link: string) => toPage('docs/a/b.md', 'a/b', `# B\n\n${link}\n`);
    const [image] = imagesOf([page('![x](../screens/x.png)')]);
    assert.deepEqual(image, { page: 'docs/a/b.md', source: 'docs/screens/x.png', place: 'screens/x.png' });
    assert.throws(() => copyImages(root, image === undefined ? [] : [image], tmpdir()), /ENOENT/);
    assert.deepEqual(imagesOf([page('![x](https://x.example/x.png) [y](y.png)')]), []);
  });

  it('pages hide the marks for tests', () => {
    for (const { slug, body } of pages) assert.doesNotMatch(body, /<!-- (?:not run|run|part)/, slug);
  });

  it('pages work from any path', () => {
    assert.deepEqual(place(''), { address: undefined, origin: undefined, base: guidesPath });
    assert.equal(place('https://docs.example.com/oja').address, 'https://docs.example.com/oja/');
    const moved = makeSite(root, document, '/oja/');
    for (const { slug, body } of [...moved.documents, ...moved.reference]) {
      assert.doesNotMatch(body, /\]\(\/(?!oja\/)/, slug);
    }
  });

  it('pages are listed for programs, with their whole text', () => {
    const index = llmsIndex(site.contents, pages, '/');
    assert.match(index, /^# Oja\n\n> /);
    for (const slug of entriesOf(site.contents)) assert.ok(index.includes(`](/${slug}.md)`), slug);
    assert.match(llmsFull(pages), /# Quick start\n[\s\S]*# Buy airtime and wait for the outcome\n/);
    assert.match(
      siteForm(toPage('a.md', 'a', '# A "quoted": title\n\nText.'), (path) => `/${path}`),
      /\\"/,
    );
  });
});

describe('the API reference', () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

  it('the API reference has a page for each operation, in three languages, as tabs on the site', () => {
    assert.equal(site.reference.length, operations.length);
    for (const page of site.reference) {
      for (const language of ['sh', 'ts', 'php'])
        assert.ok(page.body.includes(`\`\`\`${language}\n`), page.slug);
      const written = referenceForm(page, (path) => `/${path}`);
      assert.equal(written.split('<TabItem').length, 4, page.slug);
      assert.doesNotMatch(page.body, /undefined|\[object/, page.slug);
    }
  });

  it('the API reference shows the answer of each operation', () => {
    const answers = JSON.parse(readFileSync(join(root, 'site', 'answers.json'), 'utf8')) as object;
    const images = new Set(['getEsimQrCode']);
    assert.deepEqual(
      operations.map(({ operationId }) => operationId).filter((id) => !images.has(id) && !(id in answers)),
      [],
    );
  });

  it('PHP examples are valid PHP', (t) => {
    if (spawnSync('php', ['--version']).status !== 0) return t.skip('php is not there');
    // One file of functions, so that PHP starts once.
    const code = site.reference.map(({ sample }, at) => `function request${at}() {\n${sample.php}\n}`);
    const read = spawnSync('php', ['-l'], { input: `<?php\n${code.join('\n')}`, encoding: 'utf8' });
    assert.equal(read.status, 0, read.stdout + read.stderr);
  });

  it('TypeScript examples match the client', async () => {
    const client = join(root, 'sdk', 'src', 'index.ts');
    const folder = await mkdtemp(join(root, 'node_modules', '.cache', 'samples-'));
    cleanUpAfter(folder);
    const given = 'declare const key: string, secret: string, merchant: string, baseUrl: string;\n';
    for (const { slug, sample } of site.reference) {
      const name = `${slug.replaceAll('/', '-')}.ts`;
      await writeFile(join(folder, name), `${given}${sample.typescript}\nexport {};\n`);
    }
    const settings = {
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { paths: { 'oja-client': [client] }, noUnusedLocals: false, lib: ['esnext', 'dom'] },
      include: ['*.ts'],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    const tsc = join(root, 'node_modules', '.bin', 'tsc');
    const read = spawnSync(tsc, ['-p', folder], { encoding: 'utf8' });
    assert.equal(read.status, 0, read.stdout);
  });
});

describe('the collections', () => {
  it('the first page links to each file of the collections, which the site has', async () => {
    const first = site.documents.find(({ slug }) => slug === '');
    const linked = [...(first?.body ?? '').matchAll(/\]\(\/(oja[^)]+)\)/g)].map(([, path]) => path);
    const files = await siteCollections();
    assert.deepEqual(linked.toSorted(), [...files.keys()].toSorted());
    const archive = files.get('oja-bruno.zip');
    assert.ok(Buffer.isBuffer(archive) && archive.includes('oja-bruno/bruno.json'));
  });
});

describe('the built site', () => {
  const built = (html: string, files: readonly string[] = []) =>
    checkBuilt(
      new Map([
        ['index.html', html],
        ['a/index.html', '<h2 id="there">A</h2>'],
      ]),
      new Set(['index.html', 'a/index.html', ...files]),
      '/',
    );

  it('the built site has no broken links', () => {
    assert.deepEqual(built('<a href="/a/#there">a</a> <a href="b.svg">b</a>', ['b.svg']), []);
    assert.match(built('<a href="/gone/">a</a>').join(), /\/gone\/ leads nowhere/);
    assert.match(built('<a href="/a/#gone">a</a>').join(), /no such heading/);
  });

  it('the built site loads nothing from elsewhere', () => {
    assert.deepEqual(built('<a href="https://x.example">x</a>'), []);
    for (const html of [
      '<script src="https://cdn.example/a.js"></script>',
      '<link rel="stylesheet" href="//cdn.example/a.css">',
      '<img alt="" src="http://x.example/a.png">',
      '<style>@font-face { src: url(https://fonts.example/a.woff2) }</style>',
    ]) {
      assert.match(built(html).join(), /loads/, html);
    }
  });

  it('the policy of the site allows its own scripts and no others', () => {
    const html = withPolicy('<html><head><script>go()</script><script src="/a.js"></script></head></html>');
    assert.match(html, /script-src 'self' 'wasm-unsafe-eval' 'sha256-[\w+/]+='; style-src/);
    assert.doesNotMatch(html, /script-src[^;]*unsafe-inline/);
  });

  it('the site is built with pinned packages that no user installs', () => {
    const manifest = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'));
    const { dependencies } = manifest('site/package.json') as { dependencies: Record<string, string> };
    for (const version of Object.values(dependencies)) assert.match(version, /^\d+\.\d+\.\d+$/);
    // npm omits packages of other platforms if its registry does not have them, and `npm ci` then
    // refuses the file.
    const { packages } = manifest('site/package-lock.json') as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const optional = Object.values(packages).flatMap((entry) =>
      Object.keys(entry.optionalDependencies ?? {}),
    );
    assert.deepEqual(
      optional.filter((name) => !(`node_modules/${name}` in packages)),
      [],
    );
    assert.ok(!(manifest('package.json') as { workspaces: string[] }).workspaces.includes('site'));
    assert.ok(!readFileSync(join(root, 'package-lock.json'), 'utf8').includes('starlight'));
  });
});
