/** Offers the `more` operations of a screen by forms made from their schemas. */

import { useDescribed } from '../api/described.ts';
import type { OperationName } from '../api/operations.ts';
import { useMay } from '../api/session.ts';
import { words } from '../design/format.ts';
import type { ScreenName } from '../screens.ts';
import { screens } from '../screens.ts';
import styles from './more-operations.module.css';
import { OperationButton, sentence } from './operation-button.tsx';
import { Panel } from './page.tsx';

export function MoreOperations({
  screen,
  given = {},
}: {
  readonly screen: ScreenName;
  /** Inputs that the screen sets, so that the forms do not ask for them. */
  readonly given?: Readonly<Record<string, unknown>>;
}) {
  const may = useMay();
  const described = useDescribed();
  const names: readonly OperationName[] = screens[screen].more;
  const shown = names.filter(may);
  if (shown.length === 0) return null;
  return (
    <Panel title="More actions" isForActions>
      <ul className={styles.list}>
        {shown.map((name) => (
          <li key={name}>
            <span>{sentence(described?.get(name)?.summary ?? words(name))}</span>
            <OperationButton name={name} verb={verbOf(name)} title={verbOf(name)} given={given} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Returns "Restore: open" for `restore.open`. */
function verbOf(name: string): string {
  const [noun = '', verb = ''] = name.split('.');
  return `${words(noun)}: ${words(verb).toLowerCase()}`;
}
