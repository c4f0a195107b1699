/** A page and its parts. */
import { type ReactNode, useEffect, useRef } from 'react';
import { HelpLink } from './document-link.tsx';
import styles from './page.module.css';

let isFirst = true;

/** A page. It sets the title of the browser tab, and takes the focus after navigation. */
export function Page({
  title,
  lead,
  actions,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Oja`;
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, [title]);
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead === undefined ? null : <div className={styles.lead}>{lead}</div>}
        </div>
        <div className={styles.actions} data-screen-only>
          {actions}
          <HelpLink />
        </div>
      </header>
      {children}
    </div>
  );
}

export function Panel({
  title,
  note,
  actions,
  children,
  bare = false,
  isForActions = false,
}: {
  readonly title: string;
  readonly note?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  /** Without padding, for a table. */
  readonly bare?: boolean;
  /** It has only buttons and is not printed. */
  readonly isForActions?: boolean;
}) {
  return (
    <section className={styles.panel} aria-label={title} data-screen-only={isForActions || undefined}>
      <div className={styles.panelHead}>
        <div>
          <h2>{title}</h2>
          {note === undefined ? null : <p className={styles.note}>{note}</p>}
        </div>
        {actions === undefined ? null : (
          <div className={styles.actions} data-screen-only>
            {actions}
          </div>
        )}
      </div>
      <div className={bare ? styles.bare : styles.body}>{children}</div>
    </section>
  );
}

/** Parts side by side where there is room. Wide ones, such as tables of amounts, need more. */
export function Columns({
  isWide = false,
  children,
}: {
  readonly isWide?: boolean;
  readonly children: ReactNode;
}) {
  return <div className={`${styles.columns} ${isWide ? styles.wide : ''}`}>{children}</div>;
}

export function Stack({ children }: { readonly children: ReactNode }) {
  return <div className={styles.stack}>{children}</div>;
}

/** Names and values. Undefined facts are left out. */
export function Facts({ facts }: { readonly facts: readonly (readonly [string, ReactNode] | undefined)[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map((fact) =>
        fact === undefined ? null : (
          <div key={fact[0]}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

/** A figure with its name. */
export function Figure({
  name,
  note,
  children,
}: {
  readonly name: string;
  readonly note?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles.figure}>
      <div className={styles.figureName}>{name}</div>
      <div className={`figures ${styles.figureValue}`}>{children}</div>
      {note === undefined ? null : <div className={styles.note}>{note}</div>}
    </div>
  );
}

export function Figures({ children }: { readonly children: ReactNode }) {
  return <div className={styles.figures}>{children}</div>;
}
