/** Reads and writes the manifests of npm packages. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.ts';

export type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly private?: boolean;
  readonly files?: readonly string[];
  readonly exports?: unknown;
  readonly repository?: { readonly type: string; readonly url: string; readonly directory?: string };
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
};

/** `folder` is relative to the root of the project. */
export function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
}

/** The folders of the npm packages of a release, relative to the root of the project. */
export function packageFolders(): readonly string[] {
  const folders = readdirSync(join(root, 'packages'))
    .map((name) => join('packages', name))
    .filter((folder) => existsSync(join(root, folder, 'package.json')));
  return ['.', 'sdk', ...folders.sort()];
}

/** The address of the project's repository in a browser. */
export function repositoryPage(): string {
  const { repository } = readManifest('.');
  if (repository === undefined) throw new Error('package.json names no repository');
  return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}
