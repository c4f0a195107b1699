/** Takes the notes of a release from the changelog. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { absoluteLinks } from './links.ts';
import { root } from './run.ts';

/** The newest section of the changelog: its heading and its text. */
export function newestSection(): { readonly heading: string; readonly text: string } {
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const [, section = ''] = changelog.split(/^## /m);
  const end = section.indexOf('\n');
  return { heading: section.slice(0, end), text: section.slice(end).trim() };
}

export function releaseNotes(version: string): string {
  const { text } = newestSection();
  return absoluteLinks(`# Oja ${version}\n\n${text}\n`, '', version);
}
