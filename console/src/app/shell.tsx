/** The frame of every screen: navigation, search and account menu. */
import { useQueryClient } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { followLive, useCounts } from '../api/live.ts';
import { useAnswer } from '../api/queries.ts';
import { useReachable } from '../api/reachable.ts';
import { useMay, useSession } from '../api/session.ts';
import { groups, type Screen } from '../screen.ts';
import { screens } from '../screens.ts';
import { useEnvironment } from '../widgets/environment.ts';
import { Go } from '../widgets/go.tsx';
import { Account } from './account-menu.tsx';
import { EnvironmentSwitch } from './environment-switch.tsx';
import { Help } from './help.tsx';
import { screensOf } from './screens-of.ts';
import { SearchBox } from './search-box.tsx';
import styles from './shell.module.css';
import { useShortcuts } from './shortcuts.ts';

export function Shell() {
  const queries = useQueryClient();
  const [isHelping, setIsHelping] = useState(false);
  // The path on which the navigation was opened on a narrow screen. Another page closes it.
  const [openedAt, setOpenedAt] = useState<string>();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isOpen = openedAt === path;
  const { face, merchant } = useSession() ?? {};
  const isConsole = face === 'console';
  const environment = useEnvironment();
  useEffect(() => (isConsole ? followLive(queries) : undefined), [queries, isConsole]);
  useShortcuts(() => setIsHelping(true));
  return (
    <div className={styles.shell} data-environment={environment}>
      <a href="#content" className={styles.skip}>
        Skip to content
      </a>
      <header className={styles.top} data-screen-only>
        <button
          type="button"
          className={styles.menu}
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpenedAt(isOpen ? undefined : path)}
        >
          <span aria-hidden="true">☰</span> Menu
        </button>
        <Go to="/" className={styles.brand}>
          <img src="/oja.svg" alt="" width="26" height="26" />
          Oja
        </Go>
        <SearchBox />
        {isConsole ? <EnvironmentSwitch /> : null}
        <Account onHelp={() => setIsHelping(true)} />
      </header>
      {useReachable() ? null : (
        <div role="alert" className={styles.offline} data-screen-only>
          Can’t reach Oja. The figures shown may be old. It’s safe to try again; nothing is done twice.
          Reconnecting…
        </div>
      )}
      <nav
        id="navigation"
        aria-label="Screens"
        className={`${styles.nav} ${isOpen ? styles.open : ''}`}
        data-screen-only
      >
        {merchant ? <p className={styles.merchant}>{merchant.name}</p> : null}
        <Navigation path={path} />
      </nav>
      <main id="content" tabIndex={-1} className={styles.main}>
        <Outlet />
      </main>
      {isHelping ? <Help onClose={() => setIsHelping(false)} /> : null}
    </div>
  );
}

function Navigation({ path }: { readonly path: string }) {
  const session = useSession();
  const counts = useCounts();
  const isDecider = useMay()('approval.approve');
  const { data: approvals } = useAnswer('approval.count', {}, { enabled: isDecider });
  const waiting: Readonly<Record<string, number>> = {
    [screens.work.path]: counts === undefined ? 0 : countOpen(counts),
    [screens.approvals.path]: approvals?.for_you ?? 0,
  };
  const shown = session === undefined ? [] : screensOf(session);
  const grouped = groups.map((group) => ({ group, of: shown.filter((screen) => screen.group === group) }));
  return session?.face === 'portal' ? (
    <Links path={path} shown={shown} waiting={waiting} />
  ) : (
    grouped
      .filter(({ of }) => of.length > 0)
      .map(({ group, of }) => (
        // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark
        <div key={group} role="group" aria-label={group}>
          <h2 className={styles.group}>{group}</h2>
          <Links path={path} shown={of} waiting={waiting} />
        </div>
      ))
  );
}

function Links({
  path,
  shown,
  waiting,
}: {
  readonly path: string;
  readonly shown: readonly Screen[];
  /** The items that need attention, by the path of the screen. */
  readonly waiting: Readonly<Record<string, number>>;
}) {
  return (
    <ul className={styles.list}>
      {shown.map((screen) => {
        const isHere = path === screen.path || path.startsWith(`${screen.path}/`);
        const count = waiting[screen.path] ?? 0;
        return (
          <li key={screen.path}>
            <Go to={screen.path} className={styles.item} aria-current={isHere ? 'page' : undefined}>
              {screen.name}{' '}
              {count === 0 ? null : (
                <span className={styles.count}>
                  {count}
                  <span className="only-read"> items</span>
                </span>
              )}
            </Go>
          </li>
        );
      })}
    </ul>
  );
}

/** Counts the items that need a person. Pending purchases resolve automatically. */
function countOpen({ alarms, deliveries, endpoints }: NonNullable<ReturnType<typeof useCounts>>): number {
  return alarms + deliveries + endpoints.failing + endpoints.disabled;
}
