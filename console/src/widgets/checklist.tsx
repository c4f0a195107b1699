/** Steps, each done, open or not known yet, with a link to where it is done. */
import styles from './checklist.module.css';
import { Go } from './go.tsx';
import { Badge, NotYet } from './values.tsx';

export type Step = {
  readonly name: string;
  /** Undefined while it is not known. */
  readonly isDone: boolean | undefined;
  readonly to: string;
  readonly note?: string | undefined;
};

export function Checklist({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <ul className={styles.list}>
      {steps.map(({ name, isDone, to, note }) => (
        <li key={name}>
          {isDone === undefined ? (
            <NotYet />
          ) : (
            <Badge tone={isDone ? 'good' : 'wait'}>{isDone ? 'Done' : 'Open'}</Badge>
          )}{' '}
          <Go to={to}>{name}</Go>
          {note === undefined ? null : <span className={styles.note}>{note}</span>}
        </li>
      ))}
    </ul>
  );
}
