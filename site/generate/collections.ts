/** The collections for Postman and Bruno that the site serves, by their paths on the site. */
import { basename } from 'node:path';
import { zip } from '../../release/zip.ts';
import { brunoFolder, makeCollections } from '../../test/support/write-collection.ts';

/** The files for Postman, and the folder for Bruno as an archive. */
export async function siteCollections(): Promise<ReadonlyMap<string, string | Buffer>> {
  const made = [...(await makeCollections())];
  const isBruno = (path: string): boolean => path.startsWith(`${brunoFolder}/`);
  const bruno = made.filter(([path]) => isBruno(path));
  const postman = made.filter(([path]) => !isBruno(path));
  const folder = new Map(
    bruno.map(([path, text]) => [`oja-bruno/${path.slice(brunoFolder.length + 1)}`, Buffer.from(text)]),
  );
  return new Map<string, string | Buffer>([
    ...postman.map(([path, text]) => [basename(path), text] as const),
    ['oja-bruno.zip', zip(folder)],
  ]);
}
