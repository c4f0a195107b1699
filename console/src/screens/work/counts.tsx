/** Live counts of items that need attention. */
import { useCounts } from '../../api/live.ts';
import { useAnswer } from '../../api/queries.ts';
import { countText } from '../../design/format.ts';
import { useEnvironment } from '../../widgets/environment.ts';
import { Trouble } from '../../widgets/notes.tsx';
import { Figure, Figures, Panel } from '../../widgets/page.tsx';

const ageNames: Readonly<Record<string, string>> = {
  under_30s: 'under 30 seconds',
  '30s_to_5m': 'up to 5 minutes',
  '5m_to_1h': 'up to 1 hour',
  '1h_to_24h': 'up to 24 hours',
  over_24h: 'over 24 hours',
};

export function Counts() {
  const environment = useEnvironment();
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
  const { alarms, deliveries, endpoints } = counts;
  const pending = counts.pending.filter((one) => one.environment === environment && one.count > 0);
  return (
    <Figures>
      <Figure name="Alarms" note="not acknowledged">
        {countText(alarms)}
      </Figure>
      <Figure name="Pending purchases" note={agesOf(pending)}>
        {countText(pending.reduce((all, { count }) => all + count, 0))}
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
  if (pending.length === 0) return 'all purchases are final';
  return pending.map(({ age, count }) => `${countText(count)} ${ageNames[age] ?? age}`).join(', ');
}
