/** Tabs of a page. The selected tab is stored in the address. */
import type { ReactNode } from 'react';
import { useFilters } from './filters.ts';
import { Go } from './go.tsx';
import styles from './tabs.module.css';

export type Tab = { readonly id: string; readonly name: string; readonly show: () => ReactNode };

/** Tabs are links, so that each can be shared. The first tab has the page's own address. */
export function Tabs({
  label,
  path,
  tabs,
}: {
  readonly label: string;
  readonly path: string;
  readonly tabs: readonly Tab[];
}) {
  const [{ tab: named }] = useFilters();
  const [first] = tabs;
  const shown = tabs.find(({ id }) => id === named) ?? first;
  return (
    <>
      <nav aria-label={label} className={styles.tabs} data-screen-only>
        {tabs.map(({ id, name }) => (
          <Go
            key={id}
            to={id === first?.id ? path : `${path}?tab=${id}`}
            aria-current={id === shown?.id ? 'true' : undefined}
            className={styles.tab}
          >
            {name}
          </Go>
        ))}
      </nav>
      {shown?.show()}
    </>
  );
}
