/** Whether the books add up: the audit, closed days, the trial balance, and a restore. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Output } from '../../api/operations.ts';
import { useAnswer, usePages } from '../../api/queries.ts';
import { act, csvAddress } from '../../api/run.ts';
import { lagosDay, words } from '../../design/format.ts';
import { Act } from '../../widgets/act.tsx';
import { Button } from '../../widgets/button.tsx';
import { DataTable, PagedTable } from '../../widgets/data-table.tsx';
import { Download } from '../../widgets/download.tsx';
import { environmentFilter, FilterBar } from '../../widgets/filter-bar.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { MoreOperations } from '../../widgets/more-operations.tsx';
import { Hint, Loading, Trouble } from '../../widgets/notes.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { Tabs } from '../../widgets/tabs.tsx';
import { TaskView } from '../../widgets/task-view.tsx';
import { Badge, Code, Money, RowTime, Time } from '../../widgets/values.tsx';

export function Books() {
  return (
    <Page title="Books" lead="Whether everything adds up, and the days that are closed.">
      <Fence />
      <Tabs
        label="Books"
        path="/books"
        tabs={[
          { id: 'audit', name: 'Audit', show: () => <Audit /> },
          { id: 'days', name: 'Closed days', show: () => <Days /> },
          { id: 'balance', name: 'Trial balance', show: () => <TrialBalance /> },
        ]}
      />
      <MoreOperations screen="books" />
    </Page>
  );
}

function Fence() {
  const { data: restore, error, refetch } = useAnswer('restore.status', {});
  return (
    <>
      {error === null ? null : (
        <Panel title="Whether the database is fenced" bare>
          <Trouble error={error} again={() => void refetch()} />
        </Panel>
      )}
      {restore?.fenced ? (
        <Hint tone="bad">
          <strong>The database is fenced after a restore.</strong> Nothing is sold with live credentials until
          it is reconciled and opened. {restore.next} Raised <Time at={restore.raised_at} near />.
        </Hint>
      ) : null}
    </>
  );
}

function Audit() {
  const queries = useQueryClient();
  const run = useMutation({
    mutationFn: () => act('audit.run', {}),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['task.list'] }),
  });
  return (
    <Panel
      title="Audit"
      note="Every invariant of purchases and money is checked while the gateway runs. It goes on when you leave."
      acts={
        <Button
          look="main"
          onClick={() => run.mutate()}
          busy={run.isPending ? 'Checking the books…' : undefined}
        >
          {run.data === undefined ? 'Run the audit' : 'Run it again'}
        </Button>
      }
      bare={run.data?.kind === 'done'}
    >
      {run.error === null ? null : <Trouble error={run.error} again={() => run.mutate()} />}
      {run.isPending ? <Loading what="the result of the audit" /> : null}
      {run.data?.kind === 'done' ? <AuditReport report={run.data.output as Report} /> : null}
      {run.data?.kind === 'started' ? (
        <TaskView id={run.data.task.id} show={(output) => <AuditReport report={output as Report} />} />
      ) : null}
    </Panel>
  );
}

type Report = Output<'audit.run'>;

function AuditReport({ report }: { readonly report: Report }) {
  return (
    <DataTable
      caption="Checks of the audit"
      rows={report.checks}
      keyOf={({ name }) => name}
      columns={[
        { head: 'Check', cell: ({ name }) => words(name) },
        { head: 'What must hold', cell: ({ description }) => description },
        {
          head: 'Result',
          cell: ({ ok, count }) => (
            <Badge tone={ok ? 'good' : 'bad'}>{ok ? 'It holds' : `${count} differences`}</Badge>
          ),
        },
        {
          head: 'Differences',
          cell: ({ differences }) =>
            differences.length === 0 ? 'None' : <code>{JSON.stringify(differences)}</code>,
        },
      ]}
    />
  );
}

function Days() {
  const [{ environment: named }] = useFilters();
  const environment = named === 'test' ? 'test' : 'live';
  const pages = usePages('day.list', { environment });
  return (
    <>
      <FilterBar filters={[environmentFilter]} />
      <Panel
        title="Closed days"
        note="A closed day is frozen, with a hash. Nothing of it changes."
        acts={
          <>
            <Act
              name="day.close"
              verb="Close a day"
              look="main"
              given={{ environment }}
              start={{ day: lagosDay(new Date(), 1) }}
              done="The day is closed."
            />
            <Download href={csvAddress('day.list', { environment })}>CSV</Download>
          </>
        }
        bare
      >
        <PagedTable
          pages={pages}
          what="closed days"
          caption="Closed days"
          empty="Close yesterday once all its purchases are in the reports."
          keyOf={({ day }) => day}
          columns={[
            { head: 'Day', cell: ({ day }) => day },
            { head: 'Closed', cell: ({ closed_at: at }) => <RowTime at={at} /> },
            { head: 'By', cell: ({ closed_by: by }) => by },
            {
              head: 'Pending then',
              figures: true,
              cell: ({ pending }) => pending.reduce((all, one) => all + one.purchases, 0),
            },
            { head: 'Hash', cell: ({ hash }) => <Code>{hash.slice(0, 16)}…</Code> },
            {
              head: 'Report',
              cell: ({ day }) => (
                <Act
                  name="day.show"
                  verb="Show"
                  look="quiet"
                  title={`The report of ${day}`}
                  given={{ day, environment }}
                  fields={[]}
                />
              ),
            },
          ]}
        />
      </Panel>
    </>
  );
}

type BalancePage = Output<'books.balance'>;

/** Of all accounts, also of those that are on further pages. */
function Totals({ totals }: { readonly totals: BalancePage['totals'] }) {
  if (totals.length === 0) return null;
  return (
    <Panel title="Totals" bare>
      <DataTable
        caption="Totals of the trial balance"
        rows={totals}
        keyOf={({ currency }) => currency}
        columns={[
          { head: 'Currency', cell: ({ currency }) => currency },
          {
            head: 'Debit',
            figures: true,
            cell: ({ debit, currency }) => <Money amount={debit} currency={currency} />,
          },
          {
            head: 'Credit',
            figures: true,
            cell: ({ credit, currency }) => <Money amount={credit} currency={currency} />,
          },
          {
            head: 'Result',
            cell: ({ debit, credit }) => (
              <Badge tone={debit === credit ? 'good' : 'bad'}>
                {debit === credit ? 'Balanced' : 'Not balanced'}
              </Badge>
            ),
          },
        ]}
      />
    </Panel>
  );
}

function TrialBalance() {
  const [{ environment: named, at }] = useFilters();
  const environment = named === 'test' ? 'test' : 'live';
  const input = { environment, ...(at && { at }), limit: 200 } as const;
  const pages = usePages('books.balance', input);
  return (
    <>
      <FilterBar filters={[{ name: 'at', label: 'At the end of the day', type: 'date' }, environmentFilter]}>
        <Download href={csvAddress('books.balance', input)}>CSV</Download>
        <Download href={csvAddress('books.export', { environment, ...(at && { from: at, to: at }) })}>
          Journal of the day
        </Download>
      </FilterBar>
      <Totals totals={(pages.last as BalancePage | undefined)?.totals ?? []} />
      <Panel title="Trial balance" note="Debits and credits of all accounts add up to the same." bare>
        <PagedTable
          pages={pages}
          what="accounts"
          caption="Trial balance"
          empty="Nothing was booked by then."
          keyOf={({ account }) => account}
          columns={[
            { head: 'Account', cell: ({ name }) => name },
            { head: 'Currency', cell: ({ currency }) => currency },
            {
              head: 'Debit',
              figures: true,
              cell: ({ debit, currency }) => <Money amount={debit || null} currency={currency} />,
            },
            {
              head: 'Credit',
              figures: true,
              cell: ({ credit, currency }) => <Money amount={credit || null} currency={currency} />,
            },
          ]}
        />
      </Panel>
    </>
  );
}
