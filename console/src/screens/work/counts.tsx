/** Live counts of items that need attention. */
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
      <Panel title="Counts" bare>
        <Trouble error={error} again={() => void refetch()} />
      </Panel>
    );
  }
  const { alarms, pending, deliveries, endpoints } = counts;
  return (
    <Figures>
      <Figure name="Alarms" note="not acknowledged">
        {countText(alarms)}
      </Figure>
      <Figure name="Pending purchases" note={agesOf(pending)}>
        {countText(pendingIn(counts))}
      </Figure>
      <Figure name="Failed deliveries" note="refused or unknown">
        {countText(deliveries)}
      </Figure>
      <Figure name="Endpoints" note={`failing, and ${countText(endpoints.disabled)} disabled`}>
        {countText(endpoints.failing)}
      </Figure>
    </Figures>
  );
}

function agesOf(pending: readonly { readonly age: string; readonly count: number }[]): string {
  const ages = pending.filter(({ count }) => count > 0);
  if (ages.length === 0) return 'all purchases are final';
  return ages.map(({ age, count }) => `${countText(count)} ${words(age).toLowerCase()}`).join(', ');
}
