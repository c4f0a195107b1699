/** Notes for loading, empty and failed parts, and hints. */
import { type ReactNode, useEffect, useState } from 'react';
import { isRefusal } from '../api/call.ts';
import { words } from '../design/format.ts';
import { Button } from './button.tsx';
import styles from './notes.module.css';

/** After this time the note says that the page is still waiting. */
const SLOW_MS = 5_000;

export function Loading({ what }: { readonly what: string }) {
  const [isSlow, setIsSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <p className={styles.loading} role="status">
      Loading {what}…{isSlow ? ' Still waiting.' : ''}
    </p>
  );
}

/** Shows that there is no data, and the next step. */
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
  if (!isRefusal(error)) return 'This page failed.';
  if (error.status === 0) return 'The gateway is not responding.';
  if (error.status === 403) return 'You do not have access to this.';
  if (error.status === 404) return 'Not found.';
  if (error.status >= 500) return 'The gateway failed to answer.';
  return 'The request was refused.';
}

function textOf(error: unknown): string {
  if (!isRefusal(error)) return 'Reload the page. If it fails again, contact the gateway’s operator.';
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
