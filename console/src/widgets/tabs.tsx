/** Parts of a page, of which one is shown: which one stands in the address. */
import type { ReactNode } from 'react';
import { useFilters } from './filters.ts';
import { Go } from './go.tsx';
import styles from './tabs.module.css';

export type Tab = { readonly id: string; readonly name: string; readonly show: () => ReactNode };

/** They are links, so that each can be kept and sent. The first stands for the page alone. */
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
