/** The float at a provider with its top-ups and charges. */
import { useAnswer } from '../../api/queries.ts';
import { ageText, words } from '../../design/format.ts';
import { operationForms } from '../../widgets/action-text.ts';
import { DataTable } from '../../widgets/data-table.tsx';
import { Empty, Loading, Trouble } from '../../widgets/notes.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Facts, Panel, Stack } from '../../widgets/page.tsx';
import { Money, Nothing, RowTime } from '../../widgets/values.tsx';

export function FloatPanel({ provider }: { readonly provider: string }) {
  const given = { provider };
  const { data, error, refetch } = useAnswer('float.show', given);
  const float = data?.float;
  return (
    <Panel
      title="Float"
      actions={
        <>
          <OperationButton name="float.top_up" {...operationForms['float.top_up']} given={given} />
          <OperationButton name="float.charge" {...operationForms['float.charge']} given={given} />
          <OperationButton
            name="float.set_alarm"
            verb="Set alarm"
            given={given}
            labels={{
              hours: 'Alarm when it lasts for fewer hours than',
              amount: 'Alarm below',
              drift: 'Allowed difference',
              pause_below: 'Pause below',
            }}
            done="Alarm set."
          />
        </>
      }
    >
      {error === null ? null : <Trouble error={error} again={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Loading what="the float" />
        ) : null
      ) : (
        <Stack>
          {float === null || float === undefined ? (
            <Empty title="Float unknown.">It is queried when the provider is in use.</Empty>
          ) : (
            <Facts
              facts={[
                ['Expected', <Money key="e" amount={float.expected} />],
                [
                  'Reported',
                  float.reported === null ? (
                    <Nothing key="r" />
                  ) : (
                    <span key="r">
                      <Money amount={float.reported.amount} currency={float.reported.currency} />,{' '}
                      {ageText(float.reported.age_seconds)} ago
                    </span>
                  ),
                ],
                ['Difference', <Money key="d" amount={float.difference} />],
                ['Pending', <Money key="u" amount={float.under_way} />],
                ['Spent, 24 hours', <Money key="s" amount={float.spent_24h} />],
                [
                  'Runway',
                  float.runway.hours === null
                    ? float.runway.over_two_weeks
                      ? 'Over two weeks'
                      : 'Unknown'
                    : ageText(float.runway.hours * 3_600),
                ],
                ['Problems', float.troubles.map(({ kind }) => words(kind)).join(', ') || 'None'],
              ]}
            />
          )}
          {data.movements.length === 0 ? null : (
            <DataTable
              caption="Top-ups and charges"
              rows={data.movements}
              keyOf={({ id }) => id}
              columns={[
                { head: 'Kind', cell: ({ kind }) => words(kind) },
                { head: 'Amount', figures: true, cell: ({ amount }) => <Money amount={amount} /> },
                { head: 'Reference', cell: ({ reference }) => reference ?? <Nothing /> },
                { head: 'Reason', cell: ({ reason }) => reason },
                { head: 'Time', cell: ({ moved_at: at }) => <RowTime at={at} /> },
                { head: 'Booked by', cell: ({ booked_by: by }) => by },
              ]}
            />
          )}
        </Stack>
      )}
    </Panel>
  );
}
