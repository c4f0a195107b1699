/** How much waits, in figures that move by themselves. */
import { pendingIn, useCounts } from '../../api/live.ts';
import { useAnswer } from '../../api/queries.ts';
import { countText, words } from '../../design/format.ts';
import { Trouble } from '../../widgets/notes.tsx';
import { Figure, Figures, Panel } from '../../widgets/page.tsx';

export function Counts() {
  const live = useCounts();
  const { data, error, refetch } = useAnswer('work.count', {}, { enabled: live === undefined });
  const counts = live ?? data;
  if (counts === undefined) {
    return error === null ? null : (
      <Panel title="How much waits" bare>
        <Trouble error={error} again={() => void refetch()} />
      </Panel>
    );
  }
  const { alarms, pending, deliveries, endpoints } = counts;
  return (
    <Figures>
      <Figure name="Alarms" note="that nobody has acknowledged">
        {countText(alarms)}
      </Figure>
      <Figure name="Pending purchases" note={agesOf(pending)}>
        {countText(pendingIn(counts))}
      </Figure>
      <Figure name="Goods not arrived" note="refused, or not known">
        {countText(deliveries)}
      </Figure>
      <Figure name="Endpoints" note={`that fail, and ${countText(endpoints.disabled)} that are disabled`}>
        {countText(endpoints.failing)}
      </Figure>
    </Figures>
  );
}

function agesOf(pending: readonly { readonly age: string; readonly count: number }[]): string {
  const ages = pending.filter(({ count }) => count > 0);
  if (ages.length === 0) return 'every purchase has ended';
  return ages.map(({ age, count }) => `${countText(count)} ${words(age).toLowerCase()}`).join(', ');
}
