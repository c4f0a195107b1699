/** A time, an amount, a state: each looks the same wherever it is. */
import type { ReactNode } from 'react';
import { fromNow, moneyText, otherTimeText, timeText, words } from '../design/format.ts';
import styles from './values.module.css';

/** In Lagos; the other zone appears on hover and on focus. */
export function Time({ at, near = false }: { readonly at: string | null; readonly near?: boolean }) {
  if (at === null) return <Nothing />;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse reads the other zone by focus.
    <time dateTime={at} className={styles.time} data-other={otherTimeText(at)} tabIndex={0}>
      {timeText(at)}
      {near ? <span className={styles.near}> ({fromNow(at)})</span> : null}
    </time>
  );
}

/** In a list, where a row must not be many stops of the tabulator. */
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

/** Where the answer has not come, or failed: neither a value nor none. */
export function NotYet() {
  return (
    <span className={styles.nothing}>
      <span aria-hidden="true">…</span>
      <span className="only-read">not known yet</span>
    </span>
  );
}

export type Tone = 'good' | 'wait' | 'bad' | 'note' | 'quiet';

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

const marks: Readonly<Record<Tone, string>> = { good: '✓', wait: '…', bad: '✕', note: 'i', quiet: '·' };

/** Its word says it; colour and sign say it once more. */
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
  return <Badge tone={environment === 'live' ? 'note' : 'quiet'}>{words(environment)}</Badge>;
}

/** A reference or an id: it is selected by one click. */
export function Code({ children }: { readonly children: ReactNode }) {
  return <code className={styles.code}>{children}</code>;
}
