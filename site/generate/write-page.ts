/** A page as the site reads it, and as Markdown on request. */
import { changeProse, type Page } from './page.ts';

/** With the front matter of Starlight. */
export function siteForm(page: Page, href: (path: string) => string): string {
  const alternate = { rel: 'alternate', type: 'text/markdown', href: href(markdownPath(page)) };
  // Searches for instructions must not return the decision records first.
  const isFound = !page.slug.includes('/decisions/');
  const matter = {
    title: page.title,
    description: page.description,
    editUrl: false,
    ...(isFound ? {} : { pagefind: false }),
    head: page.slug === '404' ? [] : [{ tag: 'link', attrs: alternate }],
  };
  return `---\n${JSON.stringify(matter)}\n---\n\n${page.body}\n`;
}

export function markdownPath({ slug }: Page): string {
  return slug === '' ? 'index.md' : `${slug}.md`;
}

export function markdownForm({ title, body }: Page): string {
  return `# ${title}\n\n${body}\n`;
}

/** MDX treats `{` and `<` as code. The tags of folded parts are intended. */
function escaped(prose: string): string {
  return prose
    .split(/(`[^`\n]*`|<\/?(?:details|summary)>)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[{}<]/g, '\\$&')))
    .join('');
}

/**
 * A page of the reference, with its three languages as tabs. All pages show the language chosen
 * last.
 */
export function referenceForm(page: Page, href: (path: string) => string): string {
  const samples =
    /\*\*curl\*\*\n\n(```sh[\s\S]*?```)\n\n\*\*TypeScript\*\*\n\n(```ts[\s\S]*?```)\n\n\*\*PHP\*\*\n\n(```php[\s\S]*?```)/;
  const body = changeProse(page.body, escaped).replace(samples, (_all, ...blocks: string[]) => {
    const items = ['curl', 'TypeScript', 'PHP'].map(
      (label, index) => `<TabItem label="${label}">\n\n${blocks[index] ?? ''}\n\n</TabItem>`,
    );
    return `<Tabs syncKey="language">\n${items.join('\n')}\n</Tabs>`;
  });
  const imports = "import { Tabs, TabItem } from '@astrojs/starlight/components';";
  return siteForm({ ...page, body: `${imports}\n\n${body}` }, href);
}
