/** The timeline of a purchase. */
import { words } from '../../design/format.ts';
import { Time } from '../../widgets/values.tsx';
import styles from './timeline.module.css';

type WithTimeline = {
  readonly status: string;
  readonly timeline: readonly { readonly at: string; readonly what: string; readonly detail: string }[];
};

/** `of` is a purchase, as the operator or its merchant sees it. */
export function Timeline({ of: { status, timeline } }: { readonly of: WithTimeline }) {
  return (
    <ol className={styles.timeline}>
      {timeline.map(({ at, what, detail }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: events are only ever added at the end.
        <li key={index} className={styles[toneOf(what)]}>
          <div className={styles.when}>
            <Time at={at} />
          </div>
          <div className={styles.what}>
            <strong>{words(what)}</strong>
            <p>{detail}</p>
          </div>
        </li>
      ))}
      {status === 'pending' ? (
        <li className={styles.open}>
          <div className={styles.when}>now</div>
          <div className={styles.what}>
            <strong>Pending</strong>
          </div>
        </li>
      ) : null}
    </ol>
  );
}

function toneOf(what: string): 'good' | 'bad' | 'wait' | 'plain' {
  if (what === 'success') return 'good';
  if (what === 'failed') return 'bad';
  return what.startsWith('alarm') ? 'wait' : 'plain';
}
