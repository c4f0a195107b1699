/** The audit, closed days, the trial balance, and the restore lock. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Output } from '../../api/operations.ts';
import { useAnswer, usePages } from '../../api/queries.ts';
import { csvAddress, submitOperation } from '../../api/run.ts';
import { useMay } from '../../api/session.ts';
import { accountText, words } from '../../design/format.ts';
import { Button } from '../../widgets/button.tsx';
import { DataTable, PagedTable } from '../../widgets/data-table.tsx';
import { Download } from '../../widgets/download.tsx';
import { useEnvironment } from '../../widgets/environment.ts';
import { FilterBar } from '../../widgets/filter-bar.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { Go } from '../../widgets/go.tsx';
import { Hint, Loading, Trouble } from '../../widgets/notes.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { Tabs } from '../../widgets/tabs.tsx';
import { TaskView } from '../../widgets/task-view.tsx';
import { Badge, Code, Money, RowTime, Time } from '../../widgets/values.tsx';
import { CloseDay } from './close-day.tsx';

export function Books() {
  return (
    <Page title="Books" lead="Audit, closed days and the trial balance.">
      <RestoreLock />
      <Tabs
        label="Books"
        path="/books"
        tabs={[
          { id: 'audit', name: 'Audit', show: () => <Audit /> },
          { id: 'days', name: 'Closed days', show: () => <DaysTab /> },
          { id: 'balance', name: 'Trial balance', show: () => <TrialBalance /> },
        ]}
      />
    </Page>
  );
}

function RestoreLock() {
  const { data: restore, error, refetch } = useAnswer('restore.status', {});
  return (
    <>
      {error === null ? null : (
        <Panel title="Restore lock" bare>
          <Trouble error={error} again={() => void refetch()} />
        </Panel>
      )}
      {restore?.locked ? (
        <Hint tone="bad">
          <strong>Live purchases are paused after a restore.</strong> They resume when the database is
          reconciled and the restore lock is removed. {restore.next} Raised{' '}
          <Time at={restore.raised_at} near />.
        </Hint>
      ) : null}
    </>
  );
}

function Audit() {
  const queries = useQueryClient();
  const run = useMutation({
    mutationFn: () => submitOperation('audit.run', {}),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['task.list'] }),
  });
  return (
    <Panel
      title="Audit"
      note="Checks every invariant of purchases and money. It continues when you leave this page."
      actions={
        <Button look="main" onClick={() => run.mutate()} busy={run.isPending ? 'Running…' : undefined}>
          {run.data === undefined ? 'Run the audit' : 'Run again'}
        </Button>
      }
      bare={run.data?.kind === 'done'}
    >
      {run.isIdle ? (
        <Hint>
          Results of earlier runs are under <Go to="/work">Needs attention</Go>, Background tasks.
        </Hint>
      ) : null}
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
        { head: 'Invariant', cell: ({ description }) => description },
        {
          head: 'Result',
          cell: ({ ok, count }) => (
            <Badge tone={ok ? 'good' : 'bad'}>{ok ? 'Passed' : `${count} differences`}</Badge>
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

function DaysTab() {
  return (
    <>
      {useMay()('day.close') ? <CloseDay /> : null}
      <Days />
    </>
  );
}

function Days() {
  const environment = useEnvironment();
  const pages = usePages('day.list', { environment });
  return (
    <Panel title="Closed days" note="A closed day is frozen and has a hash." bare>
      <PagedTable
        pages={pages}
        what="closed days"
        caption="Closed days"
        empty="Close yesterday when its report is complete."
        keyOf={({ day }) => day}
        columns={[
          { head: 'Day', cell: ({ day }) => day },
          { head: 'Closed', cell: ({ closed_at: at }) => <RowTime at={at} /> },
          { head: 'By', cell: ({ closed_by: by }) => by },
          {
            head: 'Pending',
            figures: true,
            cell: ({ pending }) => pending.reduce((all, one) => all + one.purchases, 0),
          },
          { head: 'Hash', cell: ({ hash }) => <Code>{hash.slice(0, 16)}…</Code> },
          {
            head: 'Report',
            cell: ({ day }) => (
              <OperationButton
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
  );
}

type BalancePage = Output<'books.balance'>;

/** The totals of all accounts, also of those on further pages. */
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
  const [{ at }] = useFilters();
  const environment = useEnvironment();
  const input = { environment, ...(at && { at }), limit: 200 } as const;
  const pages = usePages('books.balance', input);
  return (
    <>
      <FilterBar filters={[{ name: 'at', label: 'At the end of', type: 'date' }]}>
        <Download href={csvAddress('books.export', { environment, ...(at && { from: at, to: at }) })}>
          Journal
        </Download>
      </FilterBar>
      <Totals totals={(pages.last as BalancePage | undefined)?.totals ?? []} />
      <Panel title="Trial balance" note="Total debits equal total credits." bare>
        <PagedTable
          pages={pages}
          what="accounts"
          caption="Trial balance"
          empty="There are no entries up to that day."
          keyOf={({ account }) => account}
          columns={[
            { head: 'Account', cell: ({ name }) => accountText(name) },
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
