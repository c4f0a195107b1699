/** `llms.txt` lists the site for language models. `llms-full.txt` has it in one file. */
import type { Entry, Section } from './contents.ts';
import type { Page } from './page.ts';
import { markdownForm, markdownPath } from './write-page.ts';

const summary = `# Oja

> Oja is a self-hosted prepaid vending gateway: airtime, data, bills, gift cards and eSIMs over one
> HTTP API, paid from a prepaid naira wallet. No purchase is lost and none is bought twice.

Amounts are naira in strings. A purchase is success (00), failed (01) or pending (02); a failed
purchase is HTTP 200. After a 500 or a lost answer query the status, do not buy again. After a 503
send the same request again under the same reference.`;

export function llmsIndex(sections: readonly Section[], pages: readonly Page[], address: string): string {
  const bySlug = new Map(pages.map((page) => [page.slug, page]));
  const lines = sections.map(({ label, items }) => {
    const entries = items.flatMap(entriesOf).flatMap(({ slug }) => {
      const page = bySlug.get(slug);
      if (page === undefined) return [];
      const about = page.description === '' ? '' : `: ${page.description}`;
      return [`- [${page.title}](${address}${markdownPath(page)})${about}`];
    });
    return `## ${label}\n\n${entries.join('\n')}`;
  });
  return `${summary}\n\n${lines.join('\n\n')}\n`;
}

function entriesOf(item: Entry | Section): Entry[] {
  return 'items' in item ? item.items.flatMap(entriesOf) : [item];
}

/**
 * The pages for a merchant's developer. Pages of operators and maintainers are listed in the index.
 */
export function llmsFull(pages: readonly Page[]): string {
  const read = pages.filter(({ slug }) => slug.startsWith('merchants/') || slug.startsWith('reference'));
  return `${summary}\n\n${read.map(markdownForm).join('\n---\n\n')}`;
}
