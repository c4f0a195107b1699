/**
 * The table of contents, by reader. A group names its first pages in the order in which they are
 * read; every other page of its folder comes after them, so that no page is left out.
 */
import type { Page, Reader } from './page.ts';

type Group = { readonly label: string; readonly pages: readonly string[]; readonly collapsed?: boolean };

const merchants: readonly Group[] = [
  {
    label: 'Start here',
    pages: [
      'quick-start',
      'sandbox',
      'test-numbers',
      'sdk',
      'sdk-examples',
      'php',
      'php-examples',
      'example-shop',
      'going-live',
    ],
  },
  {
    label: 'Guides',
    pages: [
      'idempotency',
      'outcomes',
      'errors',
      'webhooks',
      'events',
      'bulk',
      'wallet',
      'funding',
      'reconciling-a-day',
    ],
  },
  {
    label: 'Products',
    pages: [
      'products',
      'airtime',
      'data',
      'electricity',
      'cable',
      'betting',
      'education',
      'gift-card-catalog',
      'gift-cards',
      'esim-catalog',
      'esim',
    ],
  },
];

const operators: readonly Group[] = [
  { label: 'Start here', pages: ['handbook', 'running', 'console', 'access'] },
  {
    label: 'Selling',
    pages: ['merchants', 'catalog', 'guards', 'providers', 'floats', 'funding'],
  },
  {
    label: 'Every day',
    pages: ['alerts', 'finding', 'unresolved', 'approvals', 'webhooks', 'reconciliation', 'reports'],
  },
  {
    label: 'Keeping it safe',
    pages: ['backup', 'restore', 'high-availability', 'keys', 'audit-log', 'retention'],
  },
  {
    label: 'Reference',
    pages: ['settings', 'cli', 'operations', 'metrics', 'sharing', 'scale', 'proof'],
  },
  { label: 'Providers', pages: [] },
];

const maintainers: readonly Group[] = [
  { label: 'Start here', pages: ['architecture', 'contributing', 'glossary', 'security', 'decisions'] },
  { label: 'Recipes', pages: [] },
  { label: 'Decisions', pages: [], collapsed: true },
];

const readers: readonly (readonly [label: string, reader: Reader, groups: readonly Group[]])[] = [
  ['For merchants', 'merchants', merchants],
  ['For operators', 'operators', operators],
  ['For maintainers', 'maintainers', maintainers],
];

export type Entry = { readonly label: string; readonly slug: string };
export type Section = {
  readonly label: string;
  readonly collapsed: boolean;
  readonly items: readonly (Entry | Section)[];
};

/** `reference` are the pages of the API, already in groups. */
export function contentsOf(pages: readonly Page[], reference: Section['items']): Section[] {
  const sections = readers.map(([label, reader, groups]) => ({
    label,
    collapsed: reader !== 'merchants',
    items: groupsOf(pages, reader, groups),
  }));
  const [first, ...rest] = sections;
  if (first === undefined) return [];
  const changelog = pages.filter(({ slug }) => slug === 'changelog').map(entryOf);
  return [
    first,
    { label: 'API reference', collapsed: true, items: reference },
    ...rest,
    { label: 'Releases', collapsed: false, items: changelog },
  ];
}

function groupsOf(pages: readonly Page[], reader: Reader, groups: readonly Group[]): Section[] {
  const named = new Set(groups.flatMap((group) => group.pages.map((name) => `${reader}/${name}`)));
  const rest = pages.filter(({ slug }) => slug.startsWith(`${reader}/`) && !named.has(slug));
  return groups.map((group, index) => {
    const first = group.pages.flatMap((name) => pages.filter(({ slug }) => slug === `${reader}/${name}`));
    const others = rest.filter((page) => placeOf(page, reader, groups) === index);
    return {
      label: group.label,
      collapsed: group.collapsed ?? false,
      items: [...first, ...others].map(entryOf),
    };
  });
}

/** The group of a page that no group names. */
function placeOf({ slug }: Page, reader: Reader, groups: readonly Group[]): number {
  const [, folder, deeper] = slug.split('/');
  const label =
    deeper === undefined
      ? { merchants: 'Guides', operators: 'Reference', maintainers: 'Recipes' }[reader]
      : folder === 'decisions'
        ? 'Decisions'
        : 'Providers';
  return groups.findIndex((group) => group.label === label);
}

function entryOf({ title, slug }: Page): Entry {
  return { label: title, slug };
}
