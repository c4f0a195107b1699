/**
 * Makes the archive of the Composer package `oja/client`. The folder `sdk/php` has the layout of a
 * separate repository (`git subtree split --prefix sdk/php`), from which a registry takes it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { absoluteLinks } from './links.ts';
import { root, run } from './run.ts';
import { type Files, zip } from './zip.ts';

const folder = 'sdk/php';

/** Its committed files; the manifest states the version, which a registry takes from the tag. */
export function phpPackage(version: string): Buffer {
  const paths = run('git', ['ls-files', '-z', '--', folder])
    .split('\0')
    .filter((path) => path !== '');
  const files: Files = new Map(
    paths.map((path) => [path.slice(folder.length + 1), readFileSync(join(root, path))] as const),
  );
  const manifest = { ...JSON.parse(String(files.get('composer.json'))), version } as unknown;
  return zip(
    new Map([
      ...files,
      ['README.md', Buffer.from(absoluteLinks(String(files.get('README.md')), folder, version))],
      ['composer.json', Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)],
    ]),
  );
}
