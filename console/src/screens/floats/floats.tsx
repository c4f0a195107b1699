/** Our float at each provider: the booked and the reported balance, and how long it lasts. */
import type { Row } from '../../api/operations.ts';
import { usePages } from '../../api/queries.ts';
import { ageText, words } from '../../design/format.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { useOwnRows } from '../../widgets/environment.ts';
import { Page, Panel } from '../../widgets/page.tsx';
import { Badge, Money, Nothing } from '../../widgets/values.tsx';

const REFRESH_MS = 30_000;

export function Floats() {
  const pages = useOwnRows(usePages('float.list', { limit: 200 }, { refreshMs: REFRESH_MS }));
  return (
    <Page title="Floats" lead="Prepaid balances at providers. Open a provider to book a top-up or a charge.">
      <Panel title="Floats" bare>
        <PagedTable
          pages={pages}
          what="floats"
          caption="Floats"
          empty="No provider of this environment has a float."
          keyOf={({ provider }) => provider}
          linkOf={({ provider }) => `/providers/${provider}`}
          columns={[
            { head: 'Provider', cell: ({ provider }) => provider },
            {
              head: 'Reported',
              figures: true,
              cell: ({ reported }) => <Money amount={reported?.amount} currency={reported?.currency} />,
            },
            { head: 'By the books', figures: true, cell: ({ expected }) => <Money amount={expected} /> },
            { head: 'Difference', figures: true, cell: ({ difference }) => <Money amount={difference} /> },
            { head: 'Pending', figures: true, cell: ({ under_way: pending }) => <Money amount={pending} /> },
            { head: 'Spent, 24 h', figures: true, cell: ({ spent_24h: spent }) => <Money amount={spent} /> },
            { head: 'Runway', cell: ({ runway }) => runwayText(runway) },
            {
              head: 'Problems',
              cell: ({ troubles }) =>
                troubles.length === 0 ? (
                  <Nothing />
                ) : (
                  troubles.map(({ kind }) => (
                    <Badge key={kind} tone="bad">
                      {words(kind)}
                    </Badge>
                  ))
                ),
            },
          ]}
        />
      </Panel>
    </Page>
  );
}

function runwayText({ hours, over_two_weeks: isLong }: Row<'float.list'>['runway']) {
  if (hours === null) return isLong ? 'Over two weeks' : <Nothing />;
  return ageText(hours * 3_600);
}
