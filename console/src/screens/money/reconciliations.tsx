/** Comparisons with what providers and banks tell, and the differences that each found. */
import { usePages } from '../../api/queries.ts';
import { csvAddress } from '../../api/run.ts';
import { words } from '../../design/format.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { Download } from '../../widgets/download.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { Go, purchasePath } from '../../widgets/go.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Badge, Money, Nothing, RowTime } from '../../widgets/values.tsx';
import { ReconcileButton } from './money.tsx';

export function Reconciliations() {
  const [{ run }] = useFilters();
  const pages = usePages('reconciliation.list', {});
  return (
    <>
      <Panel
        title="Reconciliations"
        note="Each compares purchases, deposits and the ledger with what a provider or bank tells."
        acts={<ReconcileButton />}
        bare
      >
        <PagedTable
          pages={pages}
          what="reconciliations"
          caption="Reconciliations"
          empty="Run the first: with a statement file, or by asking the provider."
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/money?tab=reconciliation&run=${id}`}
          columns={[
            { head: 'With', cell: ({ party }) => party },
            { head: 'By', cell: ({ source }) => words(source) },
            { head: 'From', cell: ({ from }) => <RowTime at={from} /> },
            { head: 'To', cell: ({ to }) => <RowTime at={to} /> },
            { head: 'Lines', figures: true, cell: ({ lines }) => lines },
            {
              head: 'Differences',
              cell: ({ differences, summary }) => (
                <Badge tone={differences > 0 ? 'bad' : summary.complete === true ? 'good' : 'wait'}>
                  {differences > 0 ? differences : summary.complete === true ? 'none' : 'not all compared'}
                </Badge>
              ),
            },
            { head: 'Mended', cell: ({ applied }) => (applied ? 'Yes' : 'No') },
            { head: 'Run by', cell: ({ run_by: by }) => by },
            { head: 'Ended', cell: ({ ended_at: at }) => <RowTime at={at} /> },
          ]}
        />
      </Panel>
      {run ? <Differences run={run} /> : null}
    </>
  );
}

function Differences({ run }: { readonly run: string }) {
  const input = { reconciliation: run };
  const pages = usePages('reconciliation.show', input);
  return (
    <Panel
      title="Differences of this one"
      acts={<Download href={csvAddress('reconciliation.show', input)}>CSV</Download>}
      bare
    >
      <PagedTable
        pages={pages}
        what="differences"
        caption="Differences"
        empty="No differences found."
        keyOf={({ number }) => String(number)}
        columns={[
          {
            head: 'What',
            cell: ({ kind, purchase }) =>
              purchase === null ? words(kind) : <Go to={purchasePath(purchase)}>{words(kind)}</Go>,
          },
          { head: 'It means', cell: ({ meaning }) => meaning },
          {
            head: 'Reference',
            cell: ({ reference, provider_id: theirs }) => reference ?? theirs ?? <Nothing />,
          },
          { head: 'Here', cell: ({ here }) => here },
          { head: 'There', cell: ({ there }) => there },
          { head: 'Amount', figures: true, cell: ({ amount }) => <Money amount={amount} /> },
          { head: 'What mends it', cell: ({ applied, mend }) => applied ?? mend ?? <Nothing /> },
        ]}
      />
    </Panel>
  );
}
