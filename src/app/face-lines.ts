/** What the start prints of the console and the portal: where they are and, in the demo, a link. */
import { faces } from '../users/face.ts';
import { builtApplication, isBuilt } from './built-application.ts';
import type { FaceUrls } from './listen-for-people.ts';

const titles = { console: 'Console', portal: 'Portal' } as const;
const notBuilt =
  '                  the application is not built: npm ci does it, or npm run build --workspace console\n';

/** A link works once. */
export function faceLines(urls: FaceUrls, links: FaceUrls = {}): string {
  const lines = faces.flatMap((face) => {
    const url = urls[face];
    if (url === undefined) return [];
    const link = links[face] === undefined ? '' : `   sign in once at ${links[face]}`;
    return [`  ${titles[face].padEnd(15)} ${url}${link}\n`];
  });
  if (lines.length === 0) return '';
  return lines.join('') + (isBuilt(builtApplication) ? '' : notBuilt);
}
