/** A purchase as its merchant sees it. */
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Output } from '../../../api/operations.ts';
import { isCounterProduct } from '../../../api/products.ts';
import { useAnswer } from '../../../api/queries.ts';
import { goodsName, goodsText, moneyText, words } from '../../../design/format.ts';
import { Button, LinkButton } from '../../../widgets/button.tsx';
import { Copyable } from '../../../widgets/copy.tsx';
import { DataTable } from '../../../widgets/data-table.tsx';
import { purchasePath } from '../../../widgets/go.tsx';
import { Empty, Hint, Loading, Trouble } from '../../../widgets/notes.tsx';
import { OperationButton } from '../../../widgets/operation-button.tsx';
import { Columns, Facts, Page, Panel, Stack } from '../../../widgets/page.tsx';
import { Code, Environment, Money, Nothing, RowTime, State, Time } from '../../../widgets/values.tsx';
import { PurchaseState } from '../../purchase/purchase-state.tsx';
import { isRefundedWhole, titleOf, toneOf } from '../../purchase/purchase-text.ts';
import { Timeline } from '../../purchase/timeline.tsx';
import { Receipt } from './receipt.tsx';

type Purchase = Output<'merchant_purchase.show'>;

/** The refresh interval of a pending purchase. */
const PENDING_REFRESH_MS = 4_000;

export function PortalPurchase() {
  const { reference = '' } = useParams({ strict: false });
  const first = useAnswer('merchant_purchase.show', { reference });
  const isPending = first.data?.status === 'pending';
  const {
    data: purchase,
    error,
    refetch,
  } = useAnswer('merchant_purchase.show', { reference }, isPending ? { refreshMs: PENDING_REFRESH_MS } : {});
  if (error !== null) {
    return (
      <Page title="Purchase">
        <Trouble error={error} again={() => void refetch()} />
        <div>
          <LinkButton to="/purchases">All purchases</LinkButton>
        </div>
      </Page>
    );
  }
  if (purchase === undefined) return <Loading what="the purchase" />;
  return <PurchasePage purchase={purchase} />;
}

type Of = { readonly purchase: Purchase };

function PurchasePage({ purchase }: Of) {
  const recipient = purchase.recipient === '' ? '' : ` for ${purchase.recipient}`;
  return (
    <Page
      title={`${moneyText(purchase.amount)} ${titleOf(purchase)}${recipient}`}
      lead={
        <>
          <PurchaseState purchase={purchase} /> <Environment environment={purchase.environment} /> created{' '}
          <Time at={purchase.accepted_at} near />, reference{' '}
          <Copyable value={purchase.reference} name="reference" />
        </>
      }
      actions={
        <>
          {isCounterProduct(purchase.product) ? (
            <OperationButton
              name="recipient.add"
              verb="Save recipient"
              lead="You can pick a saved recipient when you buy again."
              given={{
                product: purchase.product,
                network: purchase.network,
                number: purchase.recipient,
              }}
              fields={['name']}
              done="Recipient saved."
            />
          ) : null}
          <LinkButton to={`${purchasePath(purchase.id)}/complaint`}>Complaint</LinkButton>
          <Button onClick={() => print()}>Print</Button>
        </>
      }
    >
      <Columns>
        <Outcome purchase={purchase} />
        <PurchaseMoney purchase={purchase} />
      </Columns>
      <Goods purchase={purchase} />
      {purchase.status === 'success' ? <Receipt purchase={purchase} /> : null}
      <Panel title="Timeline" note="Times are in Lagos time.">
        <Timeline of={purchase} />
      </Panel>
      <Details purchase={purchase} />
      <Webhooks purchase={purchase} />
    </Page>
  );
}

function Outcome({ purchase }: Of) {
  const { telco_message: said } = purchase;
  return (
    <Panel title="Outcome">
      <Stack>
        <Hint tone={toneOf(purchase)}>{outcomeText(purchase)}</Hint>
        {said === null ? null : (
          <p>
            Message of the network or biller: <q>{said}</q>
          </p>
        )}
      </Stack>
    </Panel>
  );
}

function outcomeText(purchase: Purchase): ReactNode {
  const { status, message, goods_owed_since: owed, goods_arrived_at: came } = purchase;
  if (status === 'pending') {
    return 'The outcome is not known yet. Your money is held, and will be charged once or released in full. Do not buy again until then.';
  }
  if (status === 'failed') {
    return `Not delivered${message === null ? '' : `: ${message}`}. Your money was returned. You can buy again.`;
  }
  if (isRefundedWhole(purchase)) {
    return 'The provider reported delivery. All of the price was returned to your wallet.';
  }
  if (owed !== null && came === null) return 'Delivered. The goods, such as a token, have not arrived yet.';
  return 'Delivered.';
}

function PurchaseMoney({ purchase }: Of) {
  const { amount, charge, refunded, refunds, voucher } = purchase;
  return (
    <Panel title="Money">
      <Stack>
        <Facts
          facts={[
            ['Amount', <Money key="a" amount={amount} />],
            ['Price', <Money key="c" amount={charge} />],
            ['Refunded', <Money key="r" amount={refunded} />],
            voucher === null
              ? undefined
              : ['Paid with voucher', `${voucher.hint}, worth ${moneyText(voucher.value)}`],
          ]}
        />
        {refunds.length === 0 ? null : (
          <DataTable
            caption="Refunds"
            rows={refunds}
            keyOf={({ id }) => id}
            columns={[
              { head: 'Refunded', cell: ({ at }) => <RowTime at={at} /> },
              { head: 'Amount', figures: true, cell: ({ amount: back }) => <Money amount={back} /> },
            ]}
          />
        )}
      </Stack>
    </Panel>
  );
}

function Goods({ purchase }: Of) {
  const { brought, delivery, goods_owed_since: owed, goods_arrived_at: came } = purchase;
  const isOwed = owed !== null && came === null;
  if (brought.length === 0 && delivery === null && !isOwed) return null;
  return (
    <Panel
      title="Goods"
      actions={
        brought.length === 0 ? undefined : (
          <OperationButton
            name="merchant_purchase.reveal"
            verb="Reveal goods"
            title="Goods"
            lead="The goods belong to your customer. This view is recorded."
            given={{ reference: purchase.id }}
            fields={[]}
          />
        )
      }
    >
      <Stack>
        {brought.length === 0 ? (
          <p>No goods have arrived yet.</p>
        ) : (
          <p>{brought.map(goodsName).join(', ')}</p>
        )}
        {isOwed ? (
          <Hint tone="wait">
            Owed since <Time at={owed} near />. You receive an event when they arrive.
          </Hint>
        ) : null}
        {delivery === null ? null : (
          <Facts
            facts={[
              ['Delivery to your customer', <State key="s" state={delivery.state} />],
              ['By', delivery.channel],
              ['To', <Code key="t">{delivery.hint}</Code>],
              ['Attempts', delivery.tries],
              ['Next attempt', <Time key="d" at={delivery.due_at} />],
            ]}
          />
        )}
      </Stack>
    </Panel>
  );
}

function Details({ purchase }: Of) {
  return (
    <Panel title="Details">
      <Facts
        facts={[
          [
            'Recipient',
            purchase.recipient === '' ? (
              <Nothing key="f" />
            ) : (
              <Copyable key="f" value={purchase.recipient} name="recipient" />
            ),
          ],
          ['Product', goodsText(purchase.product, purchase.network)],
          purchase.plan_code === null ? undefined : ['Plan', <Code key="p">{purchase.plan_code}</Code>],
          purchase.quantity === null ? undefined : ['Quantity', purchase.quantity],
          ['Reason', purchase.message === null ? <Nothing key="w" /> : words(purchase.message)],
          ['Ended', <Time key="e" at={purchase.ended_at} />],
          [
            'Mode',
            purchase.mode === 'sync' ? 'Sync: the response waits for the outcome' : words(purchase.mode),
          ],
          ['API key', <Code key="k">{purchase.credential}</Code>],
          ['Internal reference', <Copyable key="i" value={purchase.id} name="internal reference" />],
        ]}
      />
    </Panel>
  );
}

function Webhooks({ purchase }: Of) {
  return (
    <Panel title="Webhooks" note="Deliveries of the outcome event to your endpoints." bare>
      {purchase.webhooks.length === 0 ? (
        <Empty title="No webhook was sent.">
          {purchase.status === 'pending'
            ? 'It is sent when the purchase is final.'
            : 'You had no endpoint for this event. Add one under Webhooks.'}
        </Empty>
      ) : (
        <DataTable
          caption="Webhooks"
          rows={purchase.webhooks}
          keyOf={({ id }) => id}
          linkOf={({ endpoint }) => `/webhooks/${endpoint}`}
          columns={[
            { head: 'Event', cell: ({ event_type: type }) => type },
            { head: 'State', cell: ({ state }) => <State state={state} /> },
            { head: 'Attempts', figures: true, cell: ({ tries }) => tries },
            { head: 'Response', cell: ({ http_status: status, note }) => status ?? note ?? <Nothing /> },
            { head: 'Last attempt', cell: ({ tried_at: at }) => <RowTime at={at} /> },
            { head: 'Next attempt', cell: ({ due_at: at }) => <RowTime at={at} /> },
          ]}
        />
      )}
    </Panel>
  );
}
