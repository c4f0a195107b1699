/** The rules by which prices follow providers' costs, and by which lists are followed. */
import { useAnswer } from '../../api/queries.ts';
import { kindText, words } from '../../design/format.ts';
import { DataTable } from '../../widgets/data-table.tsx';
import { Empty, Loading, Trouble } from '../../widgets/notes.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Money, RowTime } from '../../widgets/values.tsx';

export function Rules() {
  return (
    <>
      <PriceRules />
      <SyncRules />
    </>
  );
}

function PriceRules() {
  const { data, error, refetch } = useAnswer('price_rule.list', {});
  return (
    <Panel
      title="Price rules"
      note="How the prices of data plans follow the costs that a provider lists."
      actions={
        <OperationButton
          name="price_rule.set"
          verb="Set a price rule"
          look="main"
          labels={{ percent: 'Markup in percent', markup: 'Markup in naira' }}
          done="Price rule set. It applies at the next sync."
        />
      }
      bare
    >
      {error === null ? null : <Trouble error={error} again={() => void refetch()} />}
      {data === undefined && error === null ? <Loading what="price rules" /> : null}
      {data?.data.length === 0 ? (
        <Empty title="No price rules.">A sync takes the listed prices.</Empty>
      ) : null}
      {data === undefined || data.data.length === 0 ? null : (
        <DataTable
          caption="Price rules"
          rows={data.data}
          keyOf={({ network, kind }) => `${network} ${kind}`}
          columns={[
            { head: 'Network', cell: ({ network }) => network },
            { head: 'Kind', cell: ({ kind }) => kindText(kind) },
            {
              head: 'Markup',
              figures: true,
              cell: ({ percent }) => `${percent} %`,
            },
            { head: 'Plus', figures: true, cell: ({ markup }) => <Money amount={markup} /> },
            { head: 'Rounded up to', figures: true, cell: ({ round_to: to }) => <Money amount={to} /> },
            {
              head: 'Actions',
              cell: ({ network, kind }) => (
                <OperationButton
                  name="price_rule.remove"
                  verb="Remove"
                  look="danger"
                  title="Remove the price rule"
                  given={{ network, ...(kind !== '*' && { kind }) }}
                  fields={[]}
                  done="Price rule removed."
                />
              ),
            },
          ]}
        />
      )}
    </Panel>
  );
}

function SyncRules() {
  const { data, error, refetch } = useAnswer('sync_rule.list', {});
  return (
    <Panel
      title="Followed lists"
      note="The lists of these providers are compared every 6 hours. Larger changes wait for you."
      actions={
        <OperationButton
          name="sync_rule.set"
          verb="Follow a list"
          labels={{ within: 'Largest change in percent', adds_max: 'New plans added at once' }}
          done="The list is followed."
        />
      }
      bare
    >
      {error === null ? null : <Trouble error={error} again={() => void refetch()} />}
      {data === undefined && error === null ? <Loading what="followed lists" /> : null}
      {data?.data.length === 0 ? (
        <Empty title="No list is followed.">Follow a provider’s list to take its changes over.</Empty>
      ) : null}
      {data === undefined || data.data.length === 0 ? null : (
        <DataTable
          caption="Followed lists"
          rows={data.data}
          keyOf={({ provider }) => provider}
          columns={[
            { head: 'Provider', cell: ({ provider }) => provider },
            {
              head: 'Largest change',
              figures: true,
              cell: ({ within }) => `${within} %`,
            },
            { head: 'New plans at once', figures: true, cell: ({ adds_max: adds }) => adds },
            { head: 'Compared', cell: ({ synced_at: at }) => <RowTime at={at} /> },
            { head: 'Applied', figures: true, cell: ({ applied }) => applied },
            { head: 'Waiting', figures: true, cell: ({ waiting }) => waiting },
            { head: 'Problem', cell: ({ refusal }) => (refusal === null ? 'None' : words(refusal)) },
            {
              head: 'Actions',
              cell: ({ provider }) => (
                <OperationButton
                  name="sync_rule.remove"
                  verb="Stop"
                  look="danger"
                  title="Stop following the list"
                  given={{ provider }}
                  fields={[]}
                  done="The list is not followed any more."
                />
              ),
            },
          ]}
        />
      )}
    </Panel>
  );
}
