/** Offers operations of one purpose, each by a form made from its schema. */
import { useDescribed } from '../api/described.ts';
import type { OperationName } from '../api/operations.ts';
import { useMay } from '../api/session.ts';
import { words } from '../design/format.ts';
import { OperationButton, sentence } from './operation-button.tsx';
import styles from './operation-list.module.css';
import { Panel } from './page.tsx';

export function OperationList({
  title,
  note,
  names,
  given = {},
  dangerous = [],
}: {
  readonly title: string;
  readonly note?: string;
  /** The label of the button of each operation. */
  readonly names: Readonly<Partial<Record<OperationName, string>>>;
  /** Inputs that the screen sets, so that the forms do not ask for them. */
  readonly given?: Readonly<Record<string, unknown>>;
  /** Those whose effect cannot be undone. */
  readonly dangerous?: readonly OperationName[];
}) {
  const may = useMay();
  const described = useDescribed();
  const shown = (Object.entries(names) as [OperationName, string][]).filter(([name]) => may(name));
  if (shown.length === 0) return null;
  return (
    <Panel title={title} note={note} isForActions>
      <ul className={styles.list}>
        {shown.map(([name, verb]) => (
          <li key={name}>
            <span>{sentence(described?.get(name)?.summary ?? words(name))}</span>
            <OperationButton
              name={name}
              verb={verb}
              given={given}
              look={dangerous.includes(name) ? 'danger' : 'plain'}
            />
          </li>
        ))}
      </ul>
    </Panel>
  );
}
