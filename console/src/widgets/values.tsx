/** Times, amounts, states and codes with the same look on all screens. */
import type { ReactNode } from 'react';
import { fromNow, moneyText, otherTimeText, timeText, words } from '../design/format.ts';
import styles from './values.module.css';

/** A time in Lagos. The other time zone appears on hover and focus. */
export function Time({ at, near = false }: { readonly at: string | null; readonly near?: boolean }) {
  if (at === null) return <Nothing />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users read the other zone by focus.
    <time dateTime={at} className={styles.time} data-other={otherTimeText(at)} tabIndex={0}>
      {timeText(at)}
      {near ? <span className={styles.near}> ({fromNow(at)})</span> : null}
    </time>
  );
}

/** A time in a list, which is not a tab stop. */
export function RowTime({ at }: { readonly at: string | null }) {
  if (at === null) return <Nothing />;
  return (
    <time dateTime={at} className={styles.rowTime} title={otherTimeText(at)}>
      {timeText(at)}
    </time>
  );
}

export function Money({
  amount,
  currency,
}: {
  readonly amount: string | null | undefined;
  readonly currency?: string | undefined;
}) {
  if (amount === null || amount === undefined) return <Nothing />;
  return (
    <span className={`figures ${amount.startsWith('-') ? styles.below : ''}`}>
      {moneyText(amount, currency)}
    </span>
  );
}

export function Nothing() {
  return (
    <span className={styles.nothing}>
      <span aria-hidden="true">–</span>
      <span className="only-read">none</span>
    </span>
  );
}

/** A value that is loading or failed to load. */
export function NotYet() {
  return (
    <span className={styles.nothing}>
      <span aria-hidden="true">…</span>
      <span className="only-read">not known yet</span>
    </span>
  );
}

export type Tone = 'good' | 'wait' | 'bad' | 'note' | 'test' | 'quiet';

const tones: Readonly<Record<string, Tone>> = {
  success: 'good',
  active: 'good',
  enabled: 'good',
  delivered: 'good',
  credited: 'good',
  assigned: 'good',
  sent: 'good',
  open: 'good',
  approved: 'good',
  done: 'good',
  redeemed: 'note',
  running: 'wait',
  stopped: 'bad',
  held: 'bad',
  to_send: 'wait',
  pending: 'wait',
  waiting: 'wait',
  due: 'wait',
  sending: 'wait',
  suspense: 'wait',
  taken: 'wait',
  requested: 'wait',
  paused: 'wait',
  failed: 'bad',
  refused: 'bad',
  suspended: 'bad',
  disabled: 'bad',
  revoked: 'bad',
  rejected: 'bad',
  unknown: 'bad',
};

const marks: Readonly<Record<Tone, string>> = {
  good: '✓',
  wait: '…',
  bad: '✕',
  note: 'i',
  test: 'T',
  quiet: '·',
};

/** A state as a word with a colour and a sign. */
export function State({ state, children }: { readonly state: string; readonly children?: ReactNode }) {
  return <Badge tone={tones[state] ?? 'quiet'}>{children ?? words(state)}</Badge>;
}

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={`${styles.badge} ${styles[tone]}`}>
      <span aria-hidden="true">{marks[tone]}</span>
      {children}
    </span>
  );
}

export function Environment({ environment }: { readonly environment: string }) {
  return <Badge tone={environment === 'live' ? 'note' : 'test'}>{words(environment)}</Badge>;
}

/** A reference or id, which one click selects. */
export function Code({ children }: { readonly children: ReactNode }) {
  return <code className={styles.code}>{children}</code>;
}
