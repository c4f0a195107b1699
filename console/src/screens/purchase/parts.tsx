/** The lists of a purchase: attempts, transfers, refunds, alarms and audit log. */
import { accountText, words } from '../../design/format.ts';
import { DataTable } from '../../widgets/data-table.tsx';
import { Empty } from '../../widgets/notes.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Code, Money, Nothing, RowTime, State } from '../../widgets/values.tsx';
import { Values, Who } from '../audit-log/audit-table.tsx';
import type { Purchase } from './purchase-text.ts';

type Of = { readonly purchase: Purchase };

export function Attempts({ purchase }: Of) {
  const rows = purchase.attempts.flatMap((attempt) => {
    const answers = purchase.answers.filter((answer) => answer.attempt === attempt.number);
    const shown = answers.length === 0 ? [undefined] : answers;
    return shown.map((answer) => ({ attempt, answer }));
  });
  return (
    <Panel title="Attempts and answers" bare>
      {rows.length === 0 ? (
        <Empty title="No provider has been called." />
      ) : (
        <DataTable
          caption="Attempts and answers"
          rows={rows}
          keyOf={(_, index) => String(index)}
          columns={[
            { head: 'Attempt', cell: ({ attempt }) => `${attempt.number}, ${attempt.provider}` },
            { head: 'Sent as', cell: ({ attempt }) => <Code>{attempt.reference}</Code> },
            { head: 'Sent', cell: ({ attempt }) => <RowTime at={attempt.started_at} /> },
            { head: 'Answer', cell: ({ answer }) => (answer ? words(answer.kind) : 'None yet') },
            { head: 'From', cell: ({ answer }) => (answer ? words(answer.source) : <Nothing />) },
            {
              head: 'Message',
              cell: ({ answer }) => (answer ? `${answer.code} ${answer.message}` : <Nothing />),
            },
            {
              head: 'Provider reference',
              cell: ({ answer }) => (answer?.provider_id ? <Code>{answer.provider_id}</Code> : <Nothing />),
            },
            { head: 'At', cell: ({ answer }) => <RowTime at={answer?.at ?? null} /> },
            {
              head: 'Duration',
              figures: true,
              cell: ({ answer }) => (answer?.latency_ms != null ? `${answer.latency_ms} ms` : <Nothing />),
            },
          ]}
        />
      )}
    </Panel>
  );
}

export function Transfers({ purchase }: Of) {
  return (
    <Panel title="Transfers" bare>
      {purchase.transfers.length === 0 ? (
        <Empty title="No transfers.">
          {purchase.status === 'pending'
            ? 'The charge is held until the purchase is final.'
            : 'The held charge was released.'}
        </Empty>
      ) : (
        <DataTable
          caption="Transfers"
          rows={purchase.transfers}
          keyOf={(_, index) => String(index)}
          columns={[
            { head: 'Action', cell: ({ code }) => words(code) },
            { head: 'From', cell: ({ debit }) => accountText(debit) },
            { head: 'To', cell: ({ credit }) => accountText(credit) },
            { head: 'At', cell: ({ created_at: at }) => <RowTime at={at} /> },
            { head: 'Amount', figures: true, cell: ({ amount }) => <Money amount={amount} /> },
          ]}
        />
      )}
    </Panel>
  );
}

export function Refunds({ purchase }: Of) {
  if (purchase.refunds.length === 0) return null;
  return (
    <Panel title="Refunds" bare>
      <DataTable
        caption="Refunds"
        rows={purchase.refunds}
        keyOf={({ id }) => id}
        columns={[
          {
            head: 'Kind',
            cell: ({ kind }) => (kind === 'merchant' ? 'To the merchant' : 'By the provider'),
          },
          { head: 'Reason', cell: ({ reason }) => reason },
          { head: 'By', cell: ({ by }) => by },
          { head: 'At', cell: ({ at }) => <RowTime at={at} /> },
          { head: 'Amount', figures: true, cell: ({ amount }) => <Money amount={amount} /> },
        ]}
      />
    </Panel>
  );
}

export function Alarms({ purchase }: Of) {
  if (purchase.alarms.length === 0) return null;
  return (
    <Panel title="Alarms" bare>
      <DataTable
        caption="Alarms about this purchase"
        rows={purchase.alarms}
        keyOf={({ id }) => id}
        columns={[
          { head: 'Alarm', cell: ({ kind }) => words(kind) },
          { head: 'Message', cell: ({ message }) => message },
          { head: 'At', cell: ({ at }) => <RowTime at={at} /> },
          {
            head: 'Acknowledged',
            cell: ({ id, acknowledged_at: at }) =>
              at === null ? (
                <OperationButton
                  name="alarm.acknowledge"
                  verb="Acknowledge"
                  given={{ id }}
                  fields={['note']}
                  done="Alarm acknowledged."
                />
              ) : (
                <RowTime at={at} />
              ),
          },
        ]}
      />
    </Panel>
  );
}

export function PurchaseAuditLog({ purchase }: Of) {
  if (purchase.audit_entries.length === 0) return null;
  return (
    <Panel title="Audit log" bare>
      <DataTable
        caption="Entries of the audit log"
        rows={purchase.audit_entries}
        keyOf={({ id }) => id}
        columns={[
          { head: 'At', cell: ({ at }) => <RowTime at={at} /> },
          { head: 'Who', cell: ({ actor, principal }) => <Who actor={actor} principal={principal} /> },
          { head: 'Action', cell: ({ action }) => <State state={action}>{words(action)}</State> },
          { head: 'After', cell: ({ after }) => <Values values={after} /> },
        ]}
      />
    </Panel>
  );
}
