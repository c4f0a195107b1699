/** The lists of a purchase: attempts with their answers, transfers, alarms, what people did. */
import { words } from '../../design/format.ts';
import { Act } from '../../widgets/act.tsx';
import { DataTable } from '../../widgets/data-table.tsx';
import { Empty } from '../../widgets/notes.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Code, Money, Nothing, RowTime, State } from '../../widgets/values.tsx';
import type { Purchase } from './next-words.ts';

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
        <Empty title="No provider was called yet." />
      ) : (
        <DataTable
          caption="Attempts and what was answered"
          rows={rows}
          keyOf={(_, index) => String(index)}
          columns={[
            { head: 'Attempt', cell: ({ attempt }) => `${attempt.number}, ${attempt.provider}` },
            { head: 'As', cell: ({ attempt }) => <Code>{attempt.reference}</Code> },
            { head: 'Sent', cell: ({ attempt }) => <RowTime at={attempt.started_at} /> },
            { head: 'Answer', cell: ({ answer }) => (answer ? words(answer.kind) : 'None yet') },
            { head: 'From', cell: ({ answer }) => (answer ? words(answer.source) : <Nothing />) },
            {
              head: 'In its words',
              cell: ({ answer }) => (answer ? `${answer.code} ${answer.message}` : <Nothing />),
            },
            {
              head: 'Their reference',
              cell: ({ answer }) => (answer?.provider_id ? <Code>{answer.provider_id}</Code> : <Nothing />),
            },
            { head: 'At', cell: ({ answer }) => <RowTime at={answer?.at ?? null} /> },
            {
              head: 'Took',
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
        <Empty title="No money was moved.">
          {purchase.status === 'pending'
            ? 'The charge is held on the wallet until the purchase ends.'
            : 'The charge was held on the wallet and released.'}
        </Empty>
      ) : (
        <DataTable
          caption="Transfers"
          rows={purchase.transfers}
          keyOf={(_, index) => String(index)}
          columns={[
            { head: 'What', cell: ({ code }) => words(code) },
            { head: 'From', cell: ({ debit }) => debit },
            { head: 'To', cell: ({ credit }) => credit },
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
            head: 'Whose',
            cell: ({ kind }) => (kind === 'merchant' ? 'To the merchant' : 'By the provider'),
          },
          { head: 'Why', cell: ({ reason }) => reason },
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
          { head: 'What it says', cell: ({ message }) => message },
          { head: 'At', cell: ({ at }) => <RowTime at={at} /> },
          {
            head: 'Looked at',
            cell: ({ id, acknowledged_at: at }) =>
              at === null ? (
                <Act
                  name="alarm.acknowledge"
                  verb="Acknowledge"
                  given={{ id }}
                  fields={['note']}
                  done="The alarm is acknowledged."
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

export function Hands({ purchase }: Of) {
  if (purchase.audit_entries.length === 0) return null;
  return (
    <Panel title="What people did" bare>
      <DataTable
        caption="Entries of the audit log"
        rows={purchase.audit_entries}
        keyOf={({ id }) => id}
        columns={[
          { head: 'At', cell: ({ at }) => <RowTime at={at} /> },
          { head: 'Who', cell: ({ actor, principal }) => principal ?? actor },
          { head: 'What', cell: ({ action }) => <State state={action}>{words(action)}</State> },
          {
            head: 'After',
            cell: ({ after }) => (after === null ? <Nothing /> : <code>{JSON.stringify(after)}</code>),
          },
        ]}
      />
    </Panel>
  );
}
