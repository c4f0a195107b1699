/** The operations that a screen offers nowhere else, by forms made from their schemas. */

import { useDescribed } from '../api/described.ts';
import type { OperationName } from '../api/operations.ts';
import { useMay } from '../api/session.ts';
import { words } from '../design/format.ts';
import type { ScreenName } from '../screens.ts';
import { screens } from '../screens.ts';
import { Act, sentence } from './act.tsx';
import styles from './more-operations.module.css';
import { Panel } from './page.tsx';

export function MoreOperations({
  screen,
  given = {},
}: {
  readonly screen: ScreenName;
  /** What the screen is about: a form does not ask for it. */
  readonly given?: Readonly<Record<string, unknown>>;
}) {
  const may = useMay();
  const described = useDescribed();
  const names: readonly OperationName[] = screens[screen].more;
  const shown = names.filter(may);
  if (shown.length === 0) return null;
  return (
    <Panel title="More that can be done here" isForActs>
      <ul className={styles.list}>
        {shown.map((name) => (
          <li key={name}>
            <span>{sentence(described?.get(name)?.summary ?? words(name))}</span>
            <Act name={name} verb={verbOf(name)} title={verbOf(name)} given={given} />
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** `restore.open` gives "Restore: open". */
function verbOf(name: string): string {
  const [noun = '', verb = ''] = name.split('.');
  return `${words(noun)}: ${words(verb).toLowerCase()}`;
}
