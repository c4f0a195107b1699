/** Deposits in suspense, low floats, goods that did not arrive, endpoints that fail. */

import type { Row } from '../../api/operations.ts';
import type { Pages } from '../../api/queries.ts';
import { usePages } from '../../api/queries.ts';
import { moneyText, words } from '../../design/format.ts';
import { Act } from '../../widgets/act.tsx';
import { PagedTable } from '../../widgets/data-table.tsx';
import { purchasePath } from '../../widgets/go.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Code, Money, Nothing, RowTime, State } from '../../widgets/values.tsx';
import { EndpointTable } from '../webhooks/endpoint-table.tsx';

const REFRESH_MS = 30_000;

export function DepositsToAssign() {
  const pages = usePages('deposit.list', { suspense: true }, { refreshMs: REFRESH_MS });
  return (
    <Panel title="Deposits in suspense" note="Money that came, and nobody knows yet for whom." bare>
      <DepositTable pages={pages} empty="Every deposit has its merchant." />
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
        { head: 'Bank', cell: ({ provider, provider_reference: reference }) => `${provider} ${reference}` },
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
          head: 'Act',
          cell: ({ id, state, gross, currency, paid_to: account }) =>
            state === 'suspense' ? (
              <Act
                name="deposit.assign"
                verb="Assign"
                title="Credit it to a merchant"
                given={{ deposit: id }}
                about={{ Amount: moneyText(gross, currency), 'Paid to': account }}
                fields={['merchant']}
                done="The deposit is credited."
              />
            ) : (
              <Nothing />
            ),
        },
      ]}
    />
  );
}

export function FloatsToFill() {
  const pages = usePages('float.list', {}, { refreshMs: REFRESH_MS });
  const low = pages.rows.filter(({ troubles }) => troubles.length > 0);
  return (
    <Panel title="Floats" note="Our money at providers, where it runs low or differs from the books." bare>
      <PagedTable
        pages={{ ...pages, rows: low }}
        what="floats in trouble"
        caption="Floats in trouble"
        empty="Every float lasts, and agrees with the books."
        keyOf={({ provider, environment }) => `${provider} ${environment}`}
        linkOf={({ provider }) => `/providers/${provider}`}
        columns={[
          { head: 'Provider', cell: ({ provider }) => provider },
          {
            head: 'What is wrong',
            cell: ({ troubles }) => troubles.map(({ kind }) => words(kind)).join(', '),
          },
          { head: 'In the books', figures: true, cell: ({ expected }) => <Money amount={expected} /> },
        ]}
      />
    </Panel>
  );
}

export function DeliveriesToMend() {
  const pages = usePages('delivery.list', {}, { refreshMs: REFRESH_MS });
  return (
    <Panel
      title="Goods that did not arrive"
      note="What was to be sent to a customer, and was refused or is unknown."
      bare
    >
      <PagedTable
        pages={pages}
        what="deliveries"
        caption="Goods that did not arrive"
        empty="All that was sent has arrived."
        keyOf={({ purchase_id: id }) => id}
        linkOf={({ purchase_id: id }) => purchasePath(id)}
        columns={[
          { head: 'Order', cell: ({ reference }) => reference },
          { head: 'State', cell: ({ state }) => <State state={state} /> },
          { head: 'To', cell: ({ hint, channel }) => `${hint}, ${channel}` },
          { head: 'Merchant', cell: ({ merchant }) => merchant },
          { head: 'Why', cell: ({ note, code }) => note ?? code ?? <Nothing /> },
          { head: 'Since', cell: ({ updated_at: at }) => <RowTime at={at} /> },
          {
            head: 'Act',
            cell: ({ purchase_id: id }) => (
              <Act
                name="delivery.retry"
                verb="Send again"
                title="Send it once more"
                given={{ reference: id }}
                fields={['again']}
                labels={{ again: 'Also if it was sent, or may have been' }}
                done="It is sent again."
              />
            ),
          },
        ]}
      />
    </Panel>
  );
}

export function EndpointsToMend() {
  const pages = usePages('webhook.list', { troubled: true }, { refreshMs: REFRESH_MS });
  return (
    <Panel title="Endpoints that fail" note="Addresses of merchants that do not take their events." bare>
      <EndpointTable pages={pages} empty="Every endpoint takes its events." />
    </Panel>
  );
}
