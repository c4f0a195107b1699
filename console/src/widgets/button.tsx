/** A button, and a link with the look of a button. */
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import styles from './button.module.css';
import { Go } from './go.tsx';

type Look = 'main' | 'plain' | 'quiet' | 'danger';

export function Button({
  look = 'plain',
  busy,
  children,
  ...rest
}: ButtonHTMLAttributes<HTMLButtonElement> & {
  readonly look?: Look;
  /** The label while an action is running. The button is disabled then. */
  readonly busy?: string | undefined;
  readonly ref?: Ref<HTMLButtonElement>;
}) {
  return (
    <button
      type="button"
      {...rest}
      className={`${styles.button} ${styles[look]}`}
      disabled={rest.disabled === true || busy !== undefined}
    >
      {busy ?? children}
    </button>
  );
}

export function LinkButton({
  to,
  look = 'plain',
  children,
}: {
  readonly to: string;
  readonly look?: Look;
  readonly children: ReactNode;
}) {
  return (
    <Go to={to} className={`${styles.button} ${styles[look]}`}>
      {children}
    </Go>
  );
}
