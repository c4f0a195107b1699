/** A purchase with its timeline, details and actions. */
import { useParams } from '@tanstack/react-router';
import { useAnswer } from '../../api/queries.ts';
import { goodsText, moneyText, words } from '../../design/format.ts';
import { Copyable } from '../../widgets/copy.tsx';
import { Go, merchantPath } from '../../widgets/go.tsx';
import { Hint, Loading, Trouble } from '../../widgets/notes.tsx';
import { Columns, Facts, Page, Panel, Stack } from '../../widgets/page.tsx';
import { Badge, Code, Environment, Money, Nothing, Time } from '../../widgets/values.tsx';
import { PurchaseActions } from './actions.tsx';
import { Goods } from './goods.tsx';
import { Alarms, Attempts, PurchaseAuditLog, Refunds, Transfers } from './parts.tsx';
import { PurchaseState } from './purchase-state.tsx';
import { customerText, nextText, type Purchase, titleOf, toneOf } from './purchase-text.ts';
import { Timeline } from './timeline.tsx';
import { NextWebhook, Webhooks } from './webhooks.tsx';

/** The refresh interval of a pending purchase. */
const PENDING_REFRESH_MS = 4_000;

export function PurchaseScreen() {
  const { reference = '' } = useParams({ strict: false });
  const first = useAnswer('purchase.show', { reference });
  const isPending = first.data?.status === 'pending';
  const {
    data: purchase,
    error,
    refetch,
  } = useAnswer('purchase.show', { reference }, isPending ? { refreshMs: PENDING_REFRESH_MS } : {});
  if (error !== null) {
    return (
      <Page title="Purchase">
        <Trouble error={error} again={() => void refetch()} />
      </Page>
    );
  }
  if (purchase === undefined) return <Loading what="the purchase" />;
  return <PurchaseDetails purchase={purchase} />;
}

function PurchaseDetails({ purchase }: { readonly purchase: Purchase }) {
  return (
    <Page
      title={`${moneyText(purchase.face_value)} ${titleOf(purchase)} for ${purchase.msisdn}`}
      lead={<Lead purchase={purchase} />}
    >
      <Columns>
        <Next purchase={purchase} />
        <Panel title="Actions" isForActions>
          <PurchaseActions purchase={purchase} />
        </Panel>
      </Columns>
      <Panel title="Timeline" note="Times are in Lagos time.">
        <Timeline of={purchase} />
      </Panel>
      <Columns>
        <Details purchase={purchase} />
        <PurchaseMoney purchase={purchase} />
      </Columns>
      <Goods purchase={purchase} />
      <Attempts purchase={purchase} />
      <Transfers purchase={purchase} />
      <Refunds purchase={purchase} />
      <Webhooks purchase={purchase} />
      <Alarms purchase={purchase} />
      <PurchaseAuditLog purchase={purchase} />
    </Page>
  );
}

function Lead({ purchase }: { readonly purchase: Purchase }) {
  return (
    <>
      <PurchaseState purchase={purchase} /> <Environment environment={purchase.environment} />{' '}
      <Go to={merchantPath(purchase.merchant)}>{purchase.merchant}</Go>, accepted{' '}
      <Time at={purchase.accepted_at} near />, reference{' '}
      <Copyable value={purchase.reference} name="reference" />
    </>
  );
}

function Next({ purchase }: { readonly purchase: Purchase }) {
  return (
    <Panel title="Next step">
      <Stack>
        <p>
          {nextText(purchase)}
          {purchase.next?.at ? (
            <>
              {' '}
              <Time at={purchase.next.at} near />
            </>
          ) : null}
        </p>
        <Hint tone={toneOf(purchase)}>
          <strong>To the customer:</strong> {customerText(purchase)}
        </Hint>
        <NextWebhook purchase={purchase} />
        {purchase.pending?.flagged_at ? (
          <Hint tone="wait">
            Needs attention since <Time at={purchase.pending.flagged_at} near />.
          </Hint>
        ) : null}
        {purchase.telco_message === null ? null : (
          <p>
            Message of the network or biller: <q>{purchase.telco_message}</q>
          </p>
        )}
      </Stack>
    </Panel>
  );
}

function Details({ purchase }: { readonly purchase: Purchase }) {
  const theirs = purchase.answers.findLast((answer) => answer.provider_id !== null)?.provider_id;
  return (
    <Panel title="Details">
      <Facts
        facts={[
          ['Recipient', <Copyable key="r" value={purchase.msisdn} name="recipient" />],
          ['Product', goodsText(purchase.product, purchase.network)],
          purchase.plan_code === null ? undefined : ['Plan', <Code key="p">{purchase.plan_code}</Code>],
          purchase.quantity ? ['Quantity', purchase.quantity] : undefined,
          ['Provider', purchase.provider ?? purchase.attempts.at(-1)?.provider ?? <Nothing key="n" />],
          [
            'Provider’s reference',
            theirs ? <Copyable key="t" value={theirs} name="provider’s reference" /> : <Nothing key="n" />,
          ],
          [
            'Reason',
            purchase.reason === null ? <Nothing key="n" /> : words(purchase.message ?? purchase.reason),
          ],
          ['Ended', <Time key="e" at={purchase.ended_at} />],
          ['Mode', words(purchase.mode)],
          ['Route', purchase.route.replaceAll(',', ', ')],
          purchase.chosen === null
            ? undefined
            : [
                'Chosen',
                `${purchase.chosen.provider}: ${purchase.chosen.why} (${words(purchase.chosen.strategy).toLowerCase()})`,
              ],
          ['Credential', <Code key="c">{purchase.credential}</Code>],
          ['Internal reference', <Copyable key="i" value={purchase.id} name="internal reference" />],
          purchase.voucher === null
            ? undefined
            : ['Voucher', `${purchase.voucher.hint}, ${moneyText(purchase.voucher.value)}`],
        ]}
      />
    </Panel>
  );
}

function PurchaseMoney({ purchase }: { readonly purchase: Purchase }) {
  return (
    <Panel title="Money">
      <Facts
        facts={[
          ['Face value', <Money key="f" amount={purchase.face_value} />],
          ['Charge to the merchant', <Money key="c" amount={purchase.charge} />],
          ...(purchase.price_list === null
            ? []
            : [
                [
                  'Price list',
                  `${purchase.price_list.list}, version ${purchase.price_list.version}`,
                ] as const,
              ]),
          [
            'Cost',
            <span key="o">
              <Money amount={purchase.cost} />{' '}
              {purchase.cost_estimated ? <Badge tone="quiet">estimated</Badge> : null}
            </span>,
          ],
          ['Margin', <Money key="m" amount={purchase.margin} />],
          ['Refunded to the merchant', <Money key="r" amount={purchase.refunded} />],
          ['Refunded by the provider', <Money key="p" amount={purchase.cost_refunded} />],
          purchase.cost_price
            ? [
                'Provider price',
                `${moneyText(purchase.cost_price.amount, purchase.cost_price.currency)}${purchase.cost_price.rate === null ? '' : ` at ${purchase.cost_price.rate}`}`,
              ]
            : undefined,
        ]}
      />
    </Panel>
  );
}
