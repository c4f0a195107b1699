/**
 * Writes the collections for Postman and Bruno from the OpenAPI document: `npm run collection`. The
 * files for Postman are in `console/public`, so that the portal serves them.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brunoFiles } from '../../sdk/tools/collection/bruno.ts';
import { postmanCollection, postmanEnvironment } from '../../sdk/tools/collection/postman.ts';
import { collectionFolders } from '../../sdk/tools/collection/requests.ts';
import type { OpenApi } from '../../site/generate/document.ts';
import { makeDocument } from './api-document.ts';

export const root: string = join(import.meta.dirname, '..', '..');
export const brunoFolder = 'sdk/bruno';
export const postmanFile = 'console/public/oja.postman_collection.json';

/** All files, by paths from the root of the project. */
export async function makeCollections(): Promise<ReadonlyMap<string, string>> {
  const folders = collectionFolders(JSON.parse(await makeDocument()) as OpenApi);
  const bruno = [...brunoFiles(folders)].map(([path, text]) => [`${brunoFolder}/${path}`, text] as const);
  const environment = (name: 'test' | 'live') =>
    [`console/public/oja-${name}.postman_environment.json`, postmanEnvironment(name)] as const;
  return new Map([
    [postmanFile, postmanCollection(folders)],
    environment('test'),
    environment('live'),
    ...bruno,
  ]);
}

if (import.meta.main) {
  const files = await makeCollections();
  rmSync(join(root, brunoFolder), { recursive: true, force: true });
  for (const [path, text] of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
