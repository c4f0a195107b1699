/** The merchant's API keys: a secret is shown when it is made, and never again. */
import type { Row } from '../../../api/operations.ts';
import { usePages } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Act } from '../../../widgets/act.tsx';
import { type Column, PagedTable } from '../../../widgets/data-table.tsx';
import { Page, Panel } from '../../../widgets/page.tsx';
import { Code, Environment, Money, Nothing, RowTime, State } from '../../../widgets/values.tsx';

type Key = Row<'credential.list'>;

export const keyLabels = {
  label: 'What it is for',
  ip: 'Addresses that may use it',
  expires_in: 'It ends after',
  per_purchase: 'At most, for one purchase',
  per_day: 'At most, in a day',
  mcp_purchases: 'Purchases by an agent',
} as const;

export function Keys() {
  const may = useMay();
  const pages = usePages('credential.list', {});
  return (
    <Page
      title="API keys"
      lead="With a key and its secret your shop buys. Test keys buy in the gateway itself, and nobody is charged."
      acts={
        <Act
          name="credential.issue"
          verb="Make a key"
          look="main"
          lead="Its secret is shown once, and stored nowhere. Begin with a test key."
          start={{ environment: 'test' }}
          labels={keyLabels}
        />
      }
    >
      <Panel title="Your keys" note="A key that nobody uses any more is better ended." bare>
        <PagedTable
          pages={pages}
          what="keys"
          caption="Your keys"
          empty={
            may('credential.issue')
              ? 'Make a test key, and buy with it.'
              : 'A developer of your team makes one.'
          }
          keyOf={({ key }) => key}
          columns={[...columns, ...(may('credential.rotate') ? [acts] : [])]}
        />
      </Panel>
    </Page>
  );
}

const columns: readonly Column<Key>[] = [
  { head: 'Key', cell: ({ key }) => <Code>{key}</Code> },
  { head: 'For', cell: ({ label }) => label || <Nothing /> },
  { head: 'Environment', cell: ({ environment }) => <Environment environment={environment} /> },
  { head: 'State', cell: ({ state }) => <State state={state} /> },
  { head: 'Addresses', cell: ({ allowed_ips: ips }) => (ips.length === 0 ? 'Any' : ips.join(', ')) },
  { head: 'Most, a purchase', figures: true, cell: ({ per_purchase: cap }) => <Money amount={cap} /> },
  { head: 'Most, a day', figures: true, cell: ({ per_day: cap }) => <Money amount={cap} /> },
  { head: 'Last used', cell: ({ last_used_at: at }) => <RowTime at={at} /> },
  { head: 'Ends', cell: ({ expires_at: at }) => <RowTime at={at} /> },
];

const acts: Column<Key> = {
  head: 'Acts',
  cell: ({ key, state }) =>
    state === 'active' ? (
      <>
        <Act
          name="credential.rotate"
          verb="Rotate"
          title="Make another in its place"
          lead="Both work for the overlap, so that your shop has time to change over."
          given={{ credential: key }}
          labels={{ overlap: 'The old one works on for', expires_in: 'The new one ends after' }}
        />{' '}
        <Act
          name="credential.set_caps"
          verb="Caps"
          title="Set what it may spend"
          given={{ credential: key }}
          labels={keyLabels}
          done="The caps are set."
        />{' '}
        <Act
          name="credential.revoke"
          verb="End"
          look="danger"
          title="End it for good"
          lead="Whatever uses it is refused from then on."
          given={{ credential: key }}
          fields={[]}
          done="The key has ended, everywhere."
        />
      </>
    ) : (
      <Nothing />
    ),
};
