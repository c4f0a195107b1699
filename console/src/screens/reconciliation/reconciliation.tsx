/** Reconciliations with providers and banks, and their differences. */
import type { Row } from '../../api/operations.ts';
import { type Pages, usePages } from '../../api/queries.ts';
import { words } from '../../design/format.ts';
import { ActionButtons } from '../../widgets/action-buttons.tsx';
import { operationForms } from '../../widgets/action-text.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { Go, purchasePath } from '../../widgets/go.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { Badge, Money, Nothing, RowTime } from '../../widgets/values.tsx';

const sourceNames: Readonly<Record<Row<'reconciliation.list'>['source'], string>> = {
  file: 'File',
  list: 'List',
  questions: 'Queries',
};

export function Reconciliation() {
  const [{ run }] = useFilters();
  const pages = usePages('reconciliation.list', {});
  return (
    <Page
      title="Reconciliation"
      lead="Compares purchases, deposits and the ledger with the records of providers and banks."
      actions={
        <>
          <ReconcileButton />
          <OperationButton name="reconciliation.mapping" verb="Statement layout" />
        </>
      }
    >
      <Panel title="Reconciliations" bare>
        <PagedTable
          pages={pages}
          what="reconciliations"
          caption="Reconciliations"
          empty="Run one with a statement file, or query the provider."
          keyOf={({ id }) => id}
          linkOf={({ id }) => `/reconciliation?run=${id}`}
          columns={[
            { head: 'With', cell: ({ party }) => party },
            { head: 'By', cell: ({ source }) => sourceNames[source] },
            { head: 'From', cell: ({ from }) => <RowTime at={from} /> },
            { head: 'To', cell: ({ to }) => <RowTime at={to} /> },
            { head: 'Lines', figures: true, cell: ({ lines }) => lines },
            {
              head: 'Differences',
              cell: ({ differences, summary }) => (
                <Badge tone={differences > 0 ? 'bad' : summary.complete === true ? 'good' : 'wait'}>
                  {differences > 0 ? differences : summary.complete === true ? 'None' : 'Incomplete'}
                </Badge>
              ),
            },
            { head: 'Applied', cell: ({ applied }) => (applied ? 'Yes' : 'No') },
            { head: 'Run by', cell: ({ run_by: by }) => by },
            { head: 'Ended', cell: ({ ended_at: at }) => <RowTime at={at} /> },
          ]}
        />
      </Panel>
      <Findings />
      {run ? <Differences run={run} /> : null}
    </Page>
  );
}

function ReconcileButton() {
  const form = operationForms['reconciliation.run'];
  return (
    <OperationButton
      name="reconciliation.run"
      {...form}
      look="main"
      fields={['party', ...form.fields]}
      labels={{ ...form.labels, party: 'Provider or bank' }}
    />
  );
}

function Differences({ run }: { readonly run: string }) {
  const input = { reconciliation: run };
  const pages = usePages('reconciliation.show', input);
  return (
    <Panel title="Differences" bare>
      <DifferenceTable pages={pages} caption="Differences" empty="No differences found." />
    </Panel>
  );
}

/** Orders that a provider lists and this gateway does not know, until each is settled. */
function Findings() {
  const pages = usePages('finding.list', { verdict: 'open' });
  return (
    <Panel
      title="Unknown orders"
      note="Orders that a provider lists and this gateway does not know. Enter purchases of merchants and dismiss the rest."
      bare
    >
      <DifferenceTable pages={pages} caption="Unknown orders" empty="Every listed order is known." />
    </Panel>
  );
}

type Difference = Row<'finding.list'>;

function DifferenceTable({
  pages,
  caption,
  empty,
}: {
  readonly pages: Pages<Difference>;
  readonly caption: string;
  readonly empty: string;
}) {
  return (
    <PagedTable
      pages={pages}
      what={caption.toLowerCase()}
      caption={caption}
      empty={empty}
      keyOf={({ party, number, reference }) => `${party} ${number} ${reference}`}
      columns={[
        {
          head: 'Kind',
          cell: ({ kind, purchase }) =>
            purchase === null ? words(kind) : <Go to={purchasePath(purchase)}>{words(kind)}</Go>,
        },
        { head: 'Meaning', cell: ({ meaning, reason }) => reason ?? meaning },
        {
          head: 'Reference',
          cell: ({ reference, provider_id: theirs }) => reference ?? theirs ?? <Nothing />,
        },
        { head: 'Here', cell: ({ here }) => here },
        { head: 'There', cell: ({ there }) => there },
        { head: 'Amount', figures: true, cell: ({ amount }) => <Money amount={amount} /> },
        { head: 'Correction', cell: ({ applied }) => applied ?? <Nothing /> },
        { head: 'Actions', cell: (difference) => <Corrections difference={difference} /> },
      ]}
    />
  );
}

function Corrections({ difference }: { readonly difference: Difference }) {
  const { party: provider, reference, purchase, listed, actions } = difference;
  if (actions.length === 0) return <Nothing />;
  const about = {
    Party: provider,
    ...(purchase !== null && { Purchase: purchase }),
    ...(listed !== null && { Order: reference ?? '', Product: listed.product ?? 'unknown' }),
  };
  // Its reference does not identify its purchase.
  const isUnmarked = listed?.marked === false;
  return (
    <>
      <ActionButtons
        actions={isUnmarked ? actions.filter(({ operation }) => operation !== 'finding.enter') : actions}
        about={about}
      />
      {isUnmarked && difference.verdict === 'open' ? (
        <OperationButton
          name="finding.enter"
          verb="Assign"
          title="Assign the order to a merchant"
          given={{ provider, order: reference }}
          about={about}
          needed={['merchant', 'reference']}
          done="Order entered. The provider is queried for its outcome."
        />
      ) : null}
    </>
  );
}
