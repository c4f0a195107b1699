/** Checks built pages for broken links, and for resources of other hosts. */
import { posix } from 'node:path';

/** `pages` are documents by their path; `files` are all paths of the site. */
export function checkBuilt(
  pages: ReadonlyMap<string, string>,
  files: ReadonlySet<string>,
  base: string,
): string[] {
  const anchors = new Map([...pages].map(([name, html]) => [name, idsOf(html)]));
  return [...pages].flatMap(([name, html]) => [
    ...foreign(html).map((what) => `${name}: loads ${what}`),
    ...linksOf(html).flatMap((href) => {
      const fault = checkLink(name, href, anchors, files, base);
      return fault === undefined ? [] : [`${name}: ${fault}`];
    }),
  ]);
}

function idsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
}

/** The resources that a page would load from another machine. */
function foreign(html: string): string[] {
  const loads =
    /<(?:script|img|iframe|source|video|audio)\b[^>]*\ssrc="((?:https?:)?\/\/[^"]+)"|<link\b(?=[^>]*\srel="(?:stylesheet|icon|shortcut icon|preload|modulepreload|preconnect|dns-prefetch|manifest)")[^>]*\shref="((?:https?:)?\/\/[^"]+)"|url\(["']?((?:https?:)?\/\/[^)"']+)/g;
  return [...html.matchAll(loads)].map(([, source, href, style]) => source ?? href ?? style ?? '');
}

function linksOf(html: string): string[] {
  const hrefs = [...html.matchAll(/<(?:a|link)\b[^>]*\shref="([^"]*)"/g)].map(([, href = '']) => href);
  return [...new Set(hrefs)].filter((href) => !/^(?:[a-z]+:|\/\/)/.test(href));
}

function checkLink(
  from: string,
  href: string,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
  files: ReadonlySet<string>,
  base: string,
): string | undefined {
  const [path = '', anchor] = href.replaceAll('&amp;', '&').split('#');
  const target = path === '' ? from : fileOf(path.split('?')[0] ?? '', from, base);
  if (target === undefined || !files.has(target)) return `${href} leads nowhere`;
  if (anchor === undefined || anchor === '' || !target.endsWith('.html')) return undefined;
  return anchors.get(target)?.has(decodeURIComponent(anchor)) ? undefined : `${href}: no such heading`;
}

function fileOf(path: string, from: string, base: string): string | undefined {
  const absolute = path.startsWith('/') ? path : `${base}${posix.join(posix.dirname(from), path)}`;
  if (!`${absolute}/`.startsWith(base)) return undefined;
  const name = absolute.slice(base.length);
  return name === '' || name.endsWith('/') ? `${name}index.html` : name;
}
