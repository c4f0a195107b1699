/** What is said where there is nothing to show yet, nothing at all, or something went wrong. */
import { type ReactNode, useEffect, useState } from 'react';
import { isRefusal } from '../api/call.ts';
import { words } from '../design/format.ts';
import { Button } from './button.tsx';
import styles from './notes.module.css';

/** After this long a person wants to know that the page still waits. */
const SLOW_MS = 5_000;

export function Loading({ what }: { readonly what: string }) {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p className={styles.loading} role="status">
      Loading {what}…{isSlow ? ' Oja is slow to answer. Still waiting.' : ''}
    </p>
  );
}

/** Says what is not there, and what to do about it. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children === undefined ? null : <p>{children}</p>}
    </div>
  );
}

export function Trouble({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  return (
    <div className={styles.trouble} role="alert">
      <p className={styles.title}>{titleOf(error)}</p>
      <p>{textOf(error)}</p>
      {again === undefined || isForbidden(error) ? null : <Button onClick={again}>Try again</Button>}
    </div>
  );
}

function isForbidden(error: unknown): boolean {
  return isRefusal(error) && error.status === 403;
}

function titleOf(error: unknown): string {
  if (!isRefusal(error)) return 'The page made a mistake.';
  if (error.status === 0) return 'The gateway does not answer.';
  if (error.status === 403) return 'Your roles do not show this.';
  if (error.status === 404) return 'It is not there.';
  if (error.status >= 500) return 'The gateway could not answer.';
  return 'The gateway did not take this.';
}

function textOf(error: unknown): string {
  if (!isRefusal(error)) return 'Load the page again. If it happens once more, tell who runs the gateway.';
  const fields = [...error.fields].map(([field, message]) => `${words(field)}: ${message}`);
  return fields.length === 0 ? error.message : fields.join('. ');
}

export function Hint({
  tone = 'note',
  children,
}: {
  readonly tone?: 'note' | 'wait' | 'bad' | 'good';
  readonly children: ReactNode;
}) {
  return <div className={`${styles.hint} ${styles[tone]}`}>{children}</div>;
}
