/**
 * Links between pages. A link of a document names a file; on the site it names a page. A link to a
 * missing page or heading is an error, and the site is not built.
 */
import { dirname, join } from 'node:path/posix';
import { changeProse, type Page } from './page.ts';

const link = /(?<!!)\[([^\]]*)\]\(\s*([^)\s]+)\s*\)/g;

export type Linked = { readonly pages: readonly Page[]; readonly faults: readonly string[] };

export function linkPages(pages: readonly Page[]): Linked {
  const bySource = new Map(pages.map((page) => [page.source, page]));
  const landing = pages.find(({ slug }) => slug === '');
  // The first page of the site replaces the README.
  if (landing !== undefined) bySource.set('README.md', landing);
  const faults: string[] = [];
  const linked = pages.map((page) => ({
    ...page,
    body: changeProse(page.body, (prose) =>
      prose.replace(link, (whole, text: string, target: string) => {
        if (/^(?:https?:|mailto:|\/)/.test(target)) return whole;
        const [file = '', anchor] = target.split('#');
        const found = file === '' ? page : bySource.get(join(dirname(page.source), file));
        if (found === undefined) return outside(page, file, text, faults);
        if (anchor !== undefined && !anchorsOf(found.body).has(anchor)) {
          faults.push(`${page.source}: ${found.source} has no heading #${anchor}`);
        }
        const address = found.slug === '' ? '/' : `/${found.slug}/`;
        return `[${text}](${address}${anchor === undefined ? '' : `#${anchor}`})`;
      }),
    ),
  }));
  return { pages: linked, faults };
}

/** Project files that are not pages, such as settings, are named without a link. */
function outside(page: Page, file: string, text: string, faults: string[]): string {
  const path = join(dirname(page.source), file);
  if (file.endsWith('.md')) faults.push(`${page.source}: ${path} is no page`);
  return text.replaceAll('`', '') === path ? text : `${text} (\`${path}\`)`;
}

/** The names under which the headings of a page can be linked to. */
export function anchorsOf(body: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  changeProse(body, (prose) => {
    for (const [, heading = ''] of prose.matchAll(/^#{2,6} +(.+)$/gm)) {
      const name = anchorOf(heading);
      let [unique, count] = [name, 0];
      while (anchors.has(unique)) unique = `${name}-${++count}`;
      anchors.add(unique);
    }
    return prose;
  });
  return anchors;
}

/** GitHub's anchor of a heading: lower case, without punctuation, with a hyphen for each space. */
function anchorOf(heading: string): string {
  return heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('`', '')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}
