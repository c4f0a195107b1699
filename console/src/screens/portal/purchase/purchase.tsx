/** One purchase, as its merchant sees it: what became of it, its money, what was told of it. */
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Output } from '../../../api/operations.ts';
import { useAnswer } from '../../../api/queries.ts';
import { moneyText, words } from '../../../design/format.ts';
import { Act } from '../../../widgets/act.tsx';
import { Button, LinkButton } from '../../../widgets/button.tsx';
import { DataTable } from '../../../widgets/data-table.tsx';
import { Empty, Hint, Loading, Trouble } from '../../../widgets/notes.tsx';
import { Columns, Facts, Page, Panel, Stack } from '../../../widgets/page.tsx';
import { Code, Environment, Money, Nothing, RowTime, State, Time } from '../../../widgets/values.tsx';
import { titleOf } from '../../purchase/next-words.ts';
import { Story } from '../../purchase/story.tsx';

type Purchase = Output<'merchant_purchase.show'>;

/** While it is pending, it may end at any moment. */
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
          <LinkButton to="/purchases">To your purchases</LinkButton>
        </div>
      </Page>
    );
  }
  if (purchase === undefined) return <Loading what="the purchase" />;
  return <Whole purchase={purchase} />;
}

type Of = { readonly purchase: Purchase };

function Whole({ purchase }: Of) {
  const recipient = purchase.recipient === '' ? '' : ` for ${purchase.recipient}`;
  return (
    <Page
      title={`${moneyText(purchase.amount)} ${titleOf(purchase)}${recipient}`}
      lead={
        <>
          <State state={purchase.status} /> <Environment environment={purchase.environment} /> reference{' '}
          <Code>{purchase.reference}</Code>, bought <Time at={purchase.accepted_at} near />
        </>
      }
      acts={<Button onClick={() => print()}>Print</Button>}
    >
      <Columns>
        <Become purchase={purchase} />
        <MoneyOfIt purchase={purchase} />
      </Columns>
      <Brought purchase={purchase} />
      <Panel title="Its story" note="In the order of time. Times are those of Lagos.">
        <Story of={purchase} />
      </Panel>
      <About purchase={purchase} />
      <Told purchase={purchase} />
    </Page>
  );
}

function Become({ purchase }: Of) {
  const { status, telco_message: said } = purchase;
  return (
    <Panel title="What became of it">
      <Stack>
        <Hint tone={status === 'pending' ? 'wait' : status === 'failed' ? 'bad' : 'good'}>
          {becomeText(purchase)}
        </Hint>
        {said === null ? null : (
          <p>
            In the words of the network or biller: <q>{said}</q>
          </p>
        )}
      </Stack>
    </Panel>
  );
}

function becomeText({
  status,
  message,
  goods_owed_since: owed,
  goods_arrived_at: came,
}: Purchase): ReactNode {
  if (status === 'pending') {
    return 'It is not known yet. Your money is held, and is either used once or given back whole. Do not buy it again meanwhile.';
  }
  if (status === 'failed') {
    return `It was not delivered${message === null ? '' : `: ${message}`}. Your money is back. You can buy it again.`;
  }
  if (owed !== null && came === null)
    return 'It was delivered. What it brings, such as a token, is still on its way.';
  return 'It was delivered.';
}

function MoneyOfIt({ purchase }: Of) {
  const { amount, charge, refunded, refunds, voucher } = purchase;
  return (
    <Panel title="Its money">
      <Stack>
        <Facts
          facts={[
            ['Amount', <Money key="a" amount={amount} />],
            ['You pay', <Money key="c" amount={charge} />],
            ['Given back to you', <Money key="r" amount={refunded} />],
            voucher === null
              ? undefined
              : ['Paid with the voucher', `${voucher.hint}, worth ${moneyText(voucher.value)}`],
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

function Brought({ purchase }: Of) {
  const { brought, delivery, goods_owed_since: owed, goods_arrived_at: came } = purchase;
  const isOwed = owed !== null && came === null;
  if (brought.length === 0 && delivery === null && !isOwed) return null;
  return (
    <Panel
      title="What it brought"
      acts={
        brought.length === 0 ? undefined : (
          <Act
            name="merchant_purchase.reveal"
            verb="Show it"
            title="What it brought"
            lead="It is your customer’s. That you looked is noted."
            given={{ reference: purchase.id }}
            fields={[]}
          />
        )
      }
    >
      <Stack>
        {brought.length === 0 ? <p>Nothing has come yet.</p> : <p>{brought.map(words).join(', ')}</p>}
        {isOwed ? (
          <Hint tone="wait">
            Waited for since <Time at={owed} near />. You get the event when it comes.
          </Hint>
        ) : null}
        {delivery === null ? null : (
          <Facts
            facts={[
              ['Sent to your customer', <State key="s" state={delivery.state} />],
              ['By', delivery.channel],
              ['To', <Code key="t">{delivery.hint}</Code>],
              ['Tries', delivery.tries],
              ['Next try', <Time key="d" at={delivery.due_at} />],
            ]}
          />
        )}
      </Stack>
    </Panel>
  );
}

function About({ purchase }: Of) {
  return (
    <Panel title="What it is">
      <Facts
        facts={[
          [
            'For',
            purchase.recipient === '' ? <Nothing key="f" /> : <Code key="f">{purchase.recipient}</Code>,
          ],
          ['Product', `${words(purchase.product.toLowerCase())}, ${purchase.network}`],
          purchase.plan_code === null ? undefined : ['Plan', <Code key="p">{purchase.plan_code}</Code>],
          purchase.quantity === null ? undefined : ['Quantity', purchase.quantity],
          ['Why it ended', purchase.message ?? <Nothing key="w" />],
          ['Ended', <Time key="e" at={purchase.ended_at} />],
          [
            'Asked for',
            purchase.mode === 'sync' ? 'Sync: the answer waits for its end' : words(purchase.mode),
          ],
          ['API key', <Code key="k">{purchase.credential}</Code>],
          ['Internal reference', <Code key="i">{purchase.id}</Code>],
        ]}
      />
    </Panel>
  );
}

function Told({ purchase }: Of) {
  return (
    <Panel title="Its webhooks" note="What became of the event of its end, at each of your endpoints." bare>
      {purchase.webhooks.length === 0 ? (
        <Empty title="No webhook was sent.">
          {purchase.status === 'pending'
            ? 'It is sent when the purchase has ended.'
            : 'There was no endpoint for it. Add one under Webhooks.'}
        </Empty>
      ) : (
        <DataTable
          caption="Its webhooks"
          rows={purchase.webhooks}
          keyOf={({ id }) => id}
          linkOf={({ endpoint }) => `/webhooks/${endpoint}`}
          columns={[
            { head: 'Event', cell: ({ event_type: type }) => type },
            { head: 'State', cell: ({ state }) => <State state={state} /> },
            { head: 'Tries', figures: true, cell: ({ tries }) => tries },
            { head: 'Answered', cell: ({ http_status: status, note }) => status ?? note ?? <Nothing /> },
            { head: 'Last try', cell: ({ tried_at: at }) => <RowTime at={at} /> },
            { head: 'Next try', cell: ({ due_at: at }) => <RowTime at={at} /> },
          ]}
        />
      )}
    </Panel>
  );
}
