/** Our money at a provider, and the top-ups and charges that were booked. */
import { useAnswer } from '../../api/queries.ts';
import { ageText, words } from '../../design/format.ts';
import { Act } from '../../widgets/act.tsx';
import { DataTable } from '../../widgets/data-table.tsx';
import { Empty, Loading, Trouble } from '../../widgets/notes.tsx';
import { Facts, Panel, Stack } from '../../widgets/page.tsx';
import { Money, Nothing, RowTime } from '../../widgets/values.tsx';

export function FloatPanel({ provider }: { readonly provider: string }) {
  const given = { provider };
  const { data, error, refetch } = useAnswer('float.show', given);
  const float = data?.float;
  return (
    <Panel
      title="Our float there"
      acts={
        <>
          <Act
            name="float.top_up"
            verb="Book a top-up"
            given={given}
            labels={{ naira: 'What it cost in naira', at: 'When', bank: 'From the bank account' }}
            done="The top-up is booked."
          />
          <Act name="float.charge" verb="Book a charge" given={given} done="The charge is booked." />
          <Act name="float.set_alarm" verb="Set its alarm" given={given} done="The alarm is set." />
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
            <Empty title="No float is known.">It is asked for once the provider is in use.</Empty>
          ) : (
            <Facts
              facts={[
                ['By the books', <Money key="e" amount={float.expected} />],
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
                ['Under way', <Money key="u" amount={float.under_way} />],
                ['Spent in 24 hours', <Money key="s" amount={float.spent_24h} />],
                [
                  'It lasts',
                  float.runway.hours === null
                    ? float.runway.over_two_weeks
                      ? 'Over two weeks'
                      : 'Not known'
                    : ageText(float.runway.hours * 3_600),
                ],
                ['What is wrong', float.troubles.map(({ kind }) => words(kind)).join(', ') || 'Nothing'],
              ]}
            />
          )}
          {data.movements.length === 0 ? null : (
            <DataTable
              caption="Top-ups and charges"
              rows={data.movements}
              keyOf={({ id }) => id}
              columns={[
                { head: 'What', cell: ({ kind }) => words(kind) },
                { head: 'Amount', figures: true, cell: ({ amount }) => <Money amount={amount} /> },
                { head: 'Reference', cell: ({ reference }) => reference ?? <Nothing /> },
                { head: 'Why', cell: ({ reason }) => reason },
                { head: 'When', cell: ({ moved_at: at }) => <RowTime at={at} /> },
                { head: 'Booked by', cell: ({ booked_by: by }) => by },
              ]}
            />
          )}
        </Stack>
      )}
    </Panel>
  );
}
