/** Returns the screens of the navigation that the user may use. */
import type { Session } from '../api/session.ts';
import { listedPortalScreens } from '../portal-screens.ts';
import type { Screen } from '../screen.ts';
import { listedScreens } from '../screens.ts';

export function screensOf({ operations, face }: Pick<Session, 'operations' | 'face'>): readonly Screen[] {
  const listed = face === 'console' ? listedScreens : listedPortalScreens;
  return listed.filter(({ woven }) => woven.some((name) => operations.includes(name)));
}
