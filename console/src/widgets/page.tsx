/** A page, and the parts that pages are made of. */
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './page.module.css';

let isFirst = true;

/** It names the tab of the browser, and takes the focus of whoever comes from another page. */
export function Page({
  title,
  lead,
  acts,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly acts?: ReactNode;
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
        {acts === undefined ? null : (
          <div className={styles.acts} data-screen-only>
            {acts}
          </div>
        )}
      </header>
      {children}
    </div>
  );
}

export function Panel({
  title,
  note,
  acts,
  children,
  bare = false,
  isForActs = false,
}: {
  readonly title: string;
  readonly note?: ReactNode;
  readonly acts?: ReactNode;
  readonly children: ReactNode;
  /** Its content comes up to its edge: a table. */
  readonly bare?: boolean;
  /** It has nothing to read on paper. */
  readonly isForActs?: boolean;
}) {
  return (
    <section className={styles.panel} aria-label={title} data-screen-only={isForActs || undefined}>
      <div className={styles.panelHead}>
        <div>
          <h2>{title}</h2>
          {note === undefined ? null : <p className={styles.note}>{note}</p>}
        </div>
        {acts === undefined ? null : (
          <div className={styles.acts} data-screen-only>
            {acts}
          </div>
        )}
      </div>
      <div className={bare ? styles.bare : styles.body}>{children}</div>
    </section>
  );
}

export function Columns({ children }: { readonly children: ReactNode }) {
  return <div className={styles.columns}>{children}</div>;
}

export function Stack({ children }: { readonly children: ReactNode }) {
  return <div className={styles.stack}>{children}</div>;
}

/** Names and what they are. What is undefined is left out. */
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

/** A figure with its name: on the overview and the work queue. */
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
