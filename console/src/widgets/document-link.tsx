/** Links to the documents of this version, in a new tab. */
import { useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { audienceOfPage } from '../api/session.ts';
import { portalAccountDocument, portalScreens } from '../portal-screens.ts';
import type { Screen } from '../screen.ts';
import { accountDocument, screens } from '../screens.ts';
import styles from './button.module.css';

const isPortal = audienceOfPage === 'portal';
const screensHere: readonly Pick<Screen, 'path' | 'document'>[] = [
  ...Object.values(isPortal ? portalScreens : screens),
  { path: '/account', document: isPortal ? portalAccountDocument : accountDocument },
];

/** `path` is below `docs/`, with the heading. */
export function DocumentLink({
  path,
  className,
  children,
}: {
  readonly path: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <a href={`${__OJA_DOCUMENTS__}/${path}`} target="_blank" rel="noreferrer" className={className}>
      {children}
    </a>
  );
}

/** The link to the page that explains the shown screen. */
export function HelpLink() {
  const path = useRouterState({ select: ({ matches }): string | undefined => matches.at(-1)?.fullPath });
  const screen = screensHere.find((one) => one.path === path);
  return screen === undefined ? null : (
    <DocumentLink path={screen.document} className={`${styles.button} ${styles.quiet}`}>
      Help
    </DocumentLink>
  );
}
