/** The images of the pages, each at the path that its page uses. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path/posix';
import { changeProse, type Page } from './page.ts';

export type Image = {
  /** The page that shows it, from the root of the project. */
  readonly page: string;
  /** The file, from the root of the project. */
  readonly source: string;
  /** Its path on the site: relative to the page, the same as from the source of the page. */
  readonly place: string;
};

export function imagesOf(pages: readonly Page[]): readonly Image[] {
  return pages.flatMap(({ slug, source, body }) => {
    const images: Image[] = [];
    changeProse(body, (prose) => {
      for (const [, target = ''] of prose.matchAll(/!\[[^\]]*\]\(\s*([^)\s]+)\s*\)/g)) {
        if (/^(?:https?:|\/)/.test(target)) continue;
        images.push({
          page: source,
          source: join(dirname(source), target),
          place: join(dirname(slug), target),
        });
      }
      return prose;
    });
    return images;
  });
}

export function copyImages(root: string, images: readonly Image[], target: string): void {
  for (const { source, place } of images) {
    const file = join(target, place);
    mkdirSync(dirname(file), { recursive: true });
    copyFileSync(join(root, source), file);
  }
}
