/**
 * The places that state the version of Oja, which all of its packages share. `npm run set-version --
 * 1.2.3` writes it into all of them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolders } from './manifest.ts';
import { newestSection } from './release-notes.ts';
import { root } from './run.ts';

/** The version comes after `before` in the file, at every match. */
type Place = { readonly file: string; readonly before: RegExp };

const word = '(\\d+\\.\\d+\\.\\d+(?:-[\\w.]+)?)';
const own = /^ {2}"version": "/;
const folders = [...packageFolders(), 'console', 'site'];

const places: readonly Place[] = [
  ...folders.map((folder) => ({ file: join(folder, 'package.json'), before: own })),
  ...folders.map((folder) => ({ file: join(folder, 'package.json'), before: /"@oja\/[\w-]+": "/ })),
  { file: 'package-lock.json', before: own },
  {
    file: 'package-lock.json',
    before: /^ {4}"(?:|sdk|console|packages\/[\w-]+)": \{\n(?: {6}"name": .*\n)? {6}"version": "/,
  },
  { file: 'package-lock.json', before: /"@oja\/[\w-]+": "/ },
  { file: 'site/package-lock.json', before: /^ {2,6}"name": "oja-site",\n *"version": "/ },
  { file: 'compose.yaml', before: /GATEWAY_IMAGE:-oja:/ },
  { file: 'compose.demo.yaml', before: /DEMO_IMAGE:-oja-demo:/ },
  { file: 'packages/create-oja/README.md', before: /`oja:/ },
  { file: 'sdk/src/version.ts', before: /version = '/ },
  { file: 'src/api/routes/healthz/route.ts', before: /version: '/ },
  { file: 'site/answers.json', before: /"status": "ok",\n *"version": "/ },
  { file: 'docs/operators/running.md', before: /"status":"ok","version":"/ },
];

/** Every place with the version that it states. */
export function statedVersions(): readonly { readonly file: string; readonly version: string }[] {
  return places.flatMap(({ file, before }) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(pattern(before))].map((match) => {
      return { file, version: match[2] ?? '' };
    }),
  );
}

/**
 * Writes the version into every place. The newest section of the changelog, if it is not released
 * yet, gets the version and the date `today`, such as 2026-11-27.
 */
export function setVersion(version: string, today: string): void {
  for (const { file, before } of places)
    edit(file, (text) => text.replaceAll(pattern(before), (_, start: string) => `${start}${version}`));
  const { heading } = newestSection();
  if (heading.startsWith('Unreleased'))
    edit('CHANGELOG.md', (text) => text.replace(`## ${heading}`, `## ${version} (${today})`));
}

function pattern(before: RegExp): RegExp {
  return new RegExp(`(${before.source})${word}`, 'gm');
}

function edit(file: string, change: (text: string) => string): void {
  const path = join(root, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}
