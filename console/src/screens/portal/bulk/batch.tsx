/** A batch of the merchant: its progress, its rows, and its actions. */
import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Output } from '../../../api/operations.ts';
import { useAnswer, usePages } from '../../../api/queries.ts';
import { goodsText, words } from '../../../design/format.ts';
import { LinkButton } from '../../../widgets/button.tsx';
import { PagedTable } from '../../../widgets/data-table.tsx';
import { Hint, Loading, Trouble } from '../../../widgets/notes.tsx';
import { OperationButton } from '../../../widgets/operation-button.tsx';
import { Facts, Page, Panel } from '../../../widgets/page.tsx';
import { Code, Environment, Money, Nothing, State } from '../../../widgets/values.tsx';

type Batch = Output<'batch.show'>;

const REFRESH_MS = 2_000;

const pauses: Readonly<Record<string, string>> = {
  insufficient_funds: 'The balance does not cover the next rows. Add funds, then resume.',
  over_daily_cap: 'The daily spend cap of the key is reached. Raise it or wait until tomorrow, then resume.',
  credential_ended: 'The key is no longer valid. Upload the rest of the file with another key.',
};

export function PortalBatch() {
  const { batch: id = '' } = useParams({ strict: false });
  const { data, error, refetch } = useAnswer(
    'batch.show',
    { batch: id },
    { refreshMs: (batch) => (isMoving(batch) ? REFRESH_MS : 0) },
  );
  if (error !== null) {
    return (
      <Page title="Batch">
        <Trouble error={error} again={() => void refetch()} />
        <div>
          <LinkButton to="/bulk">All batches</LinkButton>
        </div>
      </Page>
    );
  }
  if (data === undefined) return <Loading what="the batch" />;
  return (
    <Page
      title={data.name}
      lead={
        <>
          <State state={data.state} /> <Environment environment={data.environment} />
        </>
      }
      actions={<Actions batch={data} />}
    >
      {data.state === 'paused' && data.pause_reason !== null ? (
        <Hint tone="wait">{pauses[data.pause_reason] ?? `Paused: ${words(data.pause_reason)}.`}</Hint>
      ) : null}
      <Panel title="Progress">
        <Facts
          facts={[
            ['Rows', `${data.rows}`],
            ['Not bought', `${data.waiting}`],
            ['Pending', `${data.pending}`],
            ['Successful', `${data.success}`],
            ['Failed', `${data.failed}`],
            ['Refused', `${data.refused}`],
            ['Total price', <Money key="charge" amount={data.charge} />],
            ['Spent', <Money key="spent" amount={data.spent} />],
            ['Balance', <Money key="available" amount={data.available} />],
            data.duplicates === 0 ? undefined : ['Duplicates', `${data.duplicates}`],
            ['Columns', data.columns.map(columnText).join(', ')],
          ]}
        />
      </Panel>
      <Rows id={id} isMoving={isMoving(data)} />
    </Page>
  );
}

function isMoving(batch: Batch | undefined): boolean {
  return batch !== undefined && (batch.state === 'running' || batch.pending > 0);
}

function columnText({ head, field }: Batch['columns'][number]): string {
  return `${head} (${field === null ? 'ignored' : words(field)})`;
}

function Actions({ batch }: { readonly batch: Batch }) {
  const given = { batch: batch.id };
  const isOver = batch.state === 'done' || batch.state === 'stopped';
  return (
    <>
      {batch.state === 'ready' || batch.state === 'paused' ? (
        <OperationButton
          name="batch.start"
          verb={batch.state === 'ready' ? 'Start' : 'Resume'}
          look="main"
          lead="Each row that was not bought is bought once, from your wallet."
          given={given}
          fields={batch.duplicates > 0 ? ['duplicates'] : []}
          labels={{ duplicates: 'Also buy duplicates' }}
          done="Batch started."
        />
      ) : null}
      {batch.state === 'running' ? (
        <OperationButton
          name="batch.pause"
          verb="Pause"
          lead="Purchases that are under way end."
          given={given}
          fields={[]}
          done="Batch paused."
        />
      ) : null}
      {isOver ? null : (
        <OperationButton
          name="batch.stop"
          verb="Stop"
          look="danger"
          lead="Rows that were not bought are never bought. You cannot resume it."
          given={given}
          fields={[]}
          done="Batch stopped."
        />
      )}
    </>
  );
}

function Rows({ id, isMoving: moves }: { readonly id: string; readonly isMoving: boolean }) {
  const queries = useQueryClient();
  const pages = usePages('batch.rows', { batch: id }, moves ? { refreshMs: 2 * REFRESH_MS } : {});
  useEffect(() => {
    // The batch may have ended after the last refresh of its rows.
    if (!moves) void queries.invalidateQueries({ queryKey: ['batch.rows'] });
  }, [moves, queries]);
  return (
    <Panel title="Rows" bare>
      <PagedTable
        pages={pages}
        what="rows"
        caption="Rows"
        empty="The batch has no rows."
        keyOf={({ line }) => String(line)}
        columns={[
          { head: 'Row', figures: true, cell: ({ line }) => line },
          { head: 'Status', cell: ({ status }) => <State state={status} /> },
          { head: 'Product', cell: ({ product, network }) => goodsText(product, network) },
          { head: 'Recipient', cell: ({ recipient }) => <Code>{recipient}</Code> },
          { head: 'Amount', figures: true, cell: ({ amount }) => <Money amount={amount} /> },
          { head: 'Repeats row', figures: true, cell: ({ duplicate_of: of }) => of ?? <Nothing /> },
          { head: 'Reason', cell: ({ reason }) => (reason === null ? <Nothing /> : words(reason)) },
          { head: 'Reference', cell: ({ reference }) => <Code>{reference}</Code> },
        ]}
      />
    </Panel>
  );
}
