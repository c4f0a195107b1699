/** Tables of approval requests. */
import type { Row } from '../../api/operations.ts';
import type { Pages } from '../../api/queries.ts';
import { usePages } from '../../api/queries.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { approvalPath } from '../../widgets/go.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Badge, Code, Money, Nothing, RowTime, State } from '../../widgets/values.tsx';

export function ApprovalsToDecide() {
  const pages = usePages('approval.list', { state: 'waiting' });
  return (
    <Panel title="Approval requests" bare>
      <ApprovalTable pages={pages} empty="No request is waiting." />
    </Panel>
  );
}

/** The purchase, the deposit, the price list or the merchant that a request concerns. */
function Concerns({ about }: Pick<Row<'approval.list'>, 'about'>) {
  const { purchase, deposit, merchant, price_list: list } = about ?? {};
  const object = purchase?.reference ?? deposit?.provider_reference ?? list ?? undefined;
  if (object === undefined) return merchant?.name ?? <Nothing />;
  return (
    <>
      <Code>{object}</Code> {merchant?.name}
    </>
  );
}

export function ApprovalTable({
  pages,
  empty,
}: {
  readonly pages: Pages<Row<'approval.list'>>;
  readonly empty: string;
}) {
  return (
    <PagedTable
      pages={pages}
      what="approval requests"
      caption="Approval requests"
      empty={empty}
      keyOf={({ id }) => id}
      linkOf={({ id }) => approvalPath(id)}
      columns={[
        { head: 'Request', cell: ({ title }) => title },
        {
          head: 'State',
          cell: ({ state, may_decide: may }) =>
            may ? <Badge tone="wait">Needs your decision</Badge> : <State state={state} />,
        },
        {
          head: 'Amount',
          figures: true,
          cell: ({ about }) => <Money amount={about?.amount} currency={about?.currency ?? undefined} />,
        },
        { head: 'Concerns', cell: ({ about }) => <Concerns about={about} /> },
        { head: 'Requested by', cell: ({ asker }) => asker.name },
        { head: 'Decided by', cell: ({ decider }) => decider?.name ?? <Nothing /> },
        { head: 'Requested', cell: ({ asked_at: at }) => <RowTime at={at} /> },
        {
          head: 'Expires',
          cell: ({ decided_at: decided, expires_at: at }) =>
            decided === null ? <RowTime at={at} /> : <Nothing />,
        },
      ]}
    />
  );
}
