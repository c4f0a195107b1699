/** Deposits in suspense, floats with problems, failed deliveries, and failing endpoints. */

import type { Row } from '../../api/operations.ts';
import type { Pages } from '../../api/queries.ts';
import { usePages } from '../../api/queries.ts';
import { moneyText, words } from '../../design/format.ts';
import { operationForms } from '../../widgets/action-text.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { useEnvironment, useOwnRows } from '../../widgets/environment.ts';
import { purchasePath } from '../../widgets/go.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Code, Money, Nothing, RowTime, State } from '../../widgets/values.tsx';
import { EndpointTable } from '../webhooks/endpoint-table.tsx';

const REFRESH_MS = 30_000;

export function DepositsToAssign() {
  const pages = usePages(
    'deposit.list',
    { suspense: true, environment: useEnvironment() },
    { refreshMs: REFRESH_MS },
  );
  return (
    <Panel title="Deposits in suspense" note="Deposits without a merchant." bare>
      <DepositTable pages={pages} empty="Every deposit is assigned." />
    </Panel>
  );
}

export function DepositTable({
  pages,
  empty,
}: {
  readonly pages: Pages<Row<'deposit.list'>>;
  readonly empty: string;
}) {
  return (
    <PagedTable
      pages={pages}
      what="deposits"
      caption="Deposits"
      empty={empty}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Received', cell: ({ received_at: at }) => <RowTime at={at} /> },
        { head: 'State', cell: ({ state }) => <State state={state} /> },
        { head: 'Merchant', cell: ({ merchant }) => merchant ?? <Nothing /> },
        { head: 'Paid to', cell: ({ paid_to: account }) => <Code>{account}</Code> },
        {
          head: 'Bank',
          cell: ({ provider, provider_reference: reference }) => (
            <>
              {provider} <Code>{reference}</Code>
            </>
          ),
        },
        {
          head: 'Amount',
          figures: true,
          cell: ({ gross, currency }) => <Money amount={gross} currency={currency} />,
        },
        {
          head: 'Fee',
          figures: true,
          cell: ({ fee, currency }) => <Money amount={fee} currency={currency} />,
        },
        {
          head: 'Actions',
          cell: ({ id, state, gross, currency, paid_to: account }) =>
            state === 'suspense' ? (
              <OperationButton
                name="deposit.assign"
                {...operationForms['deposit.assign']}
                given={{ deposit: id }}
                about={{ Amount: moneyText(gross, currency), 'Paid to': account }}
              />
            ) : (
              <OperationButton
                name="deposit.show"
                verb="Details"
                look="quiet"
                title="Deposit"
                given={{ deposit: id }}
                fields={[]}
              />
            ),
        },
      ]}
    />
  );
}

export function FloatsToFill() {
  const pages = useOwnRows(usePages('float.list', {}, { refreshMs: REFRESH_MS }));
  const low = pages.rows.filter(({ troubles }) => troubles.length > 0);
  return (
    <Panel title="Floats" note="Provider balances that are low or differ from the books." bare>
      <PagedTable
        pages={{ ...pages, rows: low }}
        what="floats in trouble"
        caption="Floats in trouble"
        empty="All floats are sufficient and match the books."
        keyOf={({ provider, environment }) => `${provider} ${environment}`}
        linkOf={({ provider }) => `/providers/${provider}`}
        columns={[
          { head: 'Provider', cell: ({ provider }) => provider },
          {
            head: 'Problems',
            cell: ({ troubles }) => troubles.map(({ kind }) => words(kind)).join(', '),
          },
          { head: 'Expected', figures: true, cell: ({ expected }) => <Money amount={expected} /> },
        ]}
      />
    </Panel>
  );
}

export function DeliveriesToMend() {
  const pages = useOwnRows(usePages('delivery.list', {}, { refreshMs: REFRESH_MS }));
  return (
    <Panel title="Failed deliveries" note="Messages to customers that were refused or are unknown." bare>
      <PagedTable
        pages={pages}
        what="deliveries"
        caption="Failed deliveries"
        empty="All deliveries succeeded."
        keyOf={({ purchase_id: id }) => id}
        linkOf={({ purchase_id: id }) => purchasePath(id)}
        columns={[
          { head: 'Order', cell: ({ reference }) => reference },
          { head: 'State', cell: ({ state }) => <State state={state} /> },
          { head: 'To', cell: ({ hint, channel }) => `${hint}, ${channel}` },
          { head: 'Merchant', cell: ({ merchant }) => merchant },
          { head: 'Reason', cell: ({ note, code }) => note ?? code ?? <Nothing /> },
          { head: 'Since', cell: ({ updated_at: at }) => <RowTime at={at} /> },
          {
            head: 'Actions',
            cell: ({ purchase_id: id }) => (
              <OperationButton
                name="delivery.retry"
                {...operationForms['delivery.retry']}
                given={{ reference: id }}
              />
            ),
          },
        ]}
      />
    </Panel>
  );
}

export function EndpointsToMend() {
  const pages = usePages(
    'webhook.list',
    { troubled: true, environment: useEnvironment() },
    { refreshMs: REFRESH_MS },
  );
  return (
    <Panel title="Failing endpoints" note="Merchants’ endpoints that do not accept events." bare>
      <EndpointTable pages={pages} empty="All endpoints accept their events." />
    </Panel>
  );
}
