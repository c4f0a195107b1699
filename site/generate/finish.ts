/**
 * After the build: adds a content security policy to each page, and checks the pages. A broken
 * link, or a resource of another host, ends the build.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkBuilt } from './check-built.ts';
import { place } from './place.ts';
import { withPolicy } from './policy.ts';

const dist = join(import.meta.dirname, '..', 'dist');
const names = readdirSync(dist, { recursive: true, encoding: 'utf8' }).map((name) =>
  name.replaceAll('\\', '/'),
);
const pages = new Map(
  names
    .filter((name) => name.endsWith('.html'))
    .map((name) => [name, withPolicy(readFileSync(join(dist, name), 'utf8'))]),
);
for (const [name, html] of pages) writeFileSync(join(dist, name), html);

const faults = checkBuilt(pages, new Set(names), place(process.env.OJA_SITE_URL).base);
if (faults.length > 0) {
  console.error(`the site is not right:\n${faults.join('\n')}`);
  process.exit(1);
}
console.log(`${pages.size} pages: every link and anchor is there, and nothing is loaded from elsewhere`);
