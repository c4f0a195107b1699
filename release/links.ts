/** Links of pages that leave the project. */
import { posix } from 'node:path';
import { repositoryPage } from './manifest.ts';

/**
 * Makes links absolute that lead out of `folder`, a path relative to the root: a page in a registry
 * has nothing beside it but its package. With an empty `folder`, all links become absolute.
 */
export function absoluteLinks(text: string, folder: string, version: string): string {
  return text.replaceAll(/\]\((?!\w+:|#)([^)]+)\)/g, (link, target: string) => {
    const path = posix.join(folder, target);
    const isInside = folder !== '' && path.startsWith(`${folder}/`);
    return isInside ? link : `](${repositoryPage()}/blob/v${version}/${path})`;
  });
}
