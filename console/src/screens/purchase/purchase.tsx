/** The whole story of one purchase, and what may be done about it. */
import { useParams } from '@tanstack/react-router';
import { useAnswer } from '../../api/queries.ts';
import { minorUnits, moneyText, words } from '../../design/format.ts';
import { Copyable } from '../../widgets/copy.tsx';
import { Go, merchantPath } from '../../widgets/go.tsx';
import { Hint, Loading, Trouble } from '../../widgets/notes.tsx';
import { Columns, Facts, Page, Panel, Stack } from '../../widgets/page.tsx';
import { Badge, Code, Environment, Money, Nothing, State, Time } from '../../widgets/values.tsx';
import { Goods } from './goods.tsx';
import { customerText, isRefundedWhole, nextText, titleOf, type Vend } from './next-words.ts';
import { Alarms, Attempts, Hands, Refunds, Transfers } from './parts.tsx';
import { PossibleActs } from './possible-acts.tsx';
import { Story } from './story.tsx';
import { NextWebhook, Webhooks } from './webhooks.tsx';

/** While it is pending, it may end at any moment. */
const PENDING_REFRESH_MS = 4_000;

export function PurchaseScreen() {
  const { reference = '' } = useParams({ strict: false });
  const first = useAnswer('vend.show', { reference });
  const isPending = first.data?.status === 'pending';
  const {
    data: vend,
    error,
    refetch,
  } = useAnswer('vend.show', { reference }, isPending ? { refreshMs: PENDING_REFRESH_MS } : {});
  if (error !== null) {
    return (
      <Page title="Purchase">
        <Trouble error={error} again={() => void refetch()} />
      </Page>
    );
  }
  if (vend === undefined) return <Loading what="the purchase" />;
  return <PurchaseDetails vend={vend} />;
}

function PurchaseDetails({ vend }: { readonly vend: Vend }) {
  return (
    <Page
      title={`${moneyText(vend.face_value)} ${titleOf(vend)} for ${vend.msisdn}`}
      lead={<Lead vend={vend} />}
    >
      <Columns>
        <Next vend={vend} />
        <Panel title="What can be done" isForActs>
          <PossibleActs vend={vend} />
        </Panel>
      </Columns>
      <Panel title="Its story" note="From accepted to now, in the order of time. Times are those of Lagos.">
        <Story of={vend} />
      </Panel>
      <Columns>
        <About vend={vend} />
        <MoneyOfIt vend={vend} />
      </Columns>
      <Goods vend={vend} />
      <Attempts vend={vend} />
      <Transfers vend={vend} />
      <Refunds vend={vend} />
      <Webhooks vend={vend} />
      <Alarms vend={vend} />
      <Hands vend={vend} />
    </Page>
  );
}

function Lead({ vend }: { readonly vend: Vend }) {
  return (
    <>
      <State state={vend.status} /> <Refunded vend={vend} /> <Environment environment={vend.environment} />{' '}
      <Go to={merchantPath(vend.merchant)}>{vend.merchant}</Go>, accepted <Time at={vend.accepted_at} near />,
      reference <Copyable value={vend.reference} name="reference" />
    </>
  );
}

function toneOf(vend: Vend): 'wait' | 'bad' | 'good' {
  if (vend.status === 'pending' || isRefundedWhole(vend)) return 'wait';
  return vend.status === 'failed' ? 'bad' : 'good';
}

function Refunded({ vend }: { readonly vend: Vend }) {
  if (vend.status !== 'success' || minorUnits(vend.refunded) === 0n) return null;
  return <Badge tone="wait">{isRefundedWhole(vend) ? 'Refunded' : 'Partly refunded'}</Badge>;
}

function Next({ vend }: { readonly vend: Vend }) {
  return (
    <Panel title="What happens next">
      <Stack>
        <p>
          {nextText(vend)}
          {vend.next?.at ? (
            <>
              {' '}
              <Time at={vend.next.at} near />
            </>
          ) : null}
        </p>
        <Hint tone={toneOf(vend)}>
          <strong>To the customer:</strong> {customerText(vend)}
        </Hint>
        <NextWebhook vend={vend} />
        {vend.pending?.flagged_at ? (
          <Hint tone="wait">
            It waits for a person since <Time at={vend.pending.flagged_at} near />.
          </Hint>
        ) : null}
        {vend.telco_message === null ? null : (
          <p>
            In the words of the network or biller: <q>{vend.telco_message}</q>
          </p>
        )}
      </Stack>
    </Panel>
  );
}

function About({ vend }: { readonly vend: Vend }) {
  const theirs = vend.answers.findLast((answer) => answer.provider_id !== null)?.provider_id;
  return (
    <Panel title="What it is">
      <Facts
        facts={[
          ['Recipient', <Copyable key="r" value={vend.msisdn} name="recipient" />],
          ['Product', `${words(vend.product.toLowerCase())}, ${vend.network}`],
          vend.plan_code === null ? undefined : ['Plan', <Code key="p">{vend.plan_code}</Code>],
          vend.quantity ? ['Quantity', vend.quantity] : undefined,
          ['Provider', vend.provider ?? vend.attempts.at(-1)?.provider ?? <Nothing key="n" />],
          [
            'Provider’s reference',
            theirs ? <Copyable key="t" value={theirs} name="provider’s reference" /> : <Nothing key="n" />,
          ],
          ['Why it ended', vend.reason === null ? <Nothing key="n" /> : (vend.message ?? words(vend.reason))],
          ['Ended', <Time key="e" at={vend.ended_at} />],
          ['Mode', vend.mode],
          ['Route', vend.route],
          ['Credential', <Code key="c">{vend.credential}</Code>],
          ['Internal reference', <Copyable key="i" value={vend.id} name="internal reference" />],
          vend.voucher === null
            ? undefined
            : ['Voucher', `${vend.voucher.hint}, ${moneyText(vend.voucher.value)}`],
        ]}
      />
    </Panel>
  );
}

function MoneyOfIt({ vend }: { readonly vend: Vend }) {
  return (
    <Panel title="Its money">
      <Facts
        facts={[
          ['Face value', <Money key="f" amount={vend.face_value} />],
          ['Charge to the merchant', <Money key="c" amount={vend.charge} />],
          [
            'Cost',
            <span key="o">
              <Money amount={vend.cost} /> {vend.cost_estimated ? <Badge tone="quiet">expected</Badge> : null}
            </span>,
          ],
          ['Margin', <Money key="m" amount={vend.margin} />],
          ['Given back to the merchant', <Money key="r" amount={vend.refunded} />],
          ['Given back by the provider', <Money key="p" amount={vend.cost_refunded} />],
          vend.cost_price
            ? [
                'Price of the provider',
                `${moneyText(vend.cost_price.amount, vend.cost_price.currency)}${vend.cost_price.rate === null ? '' : ` at ${vend.cost_price.rate}`}`,
              ]
            : undefined,
        ]}
      />
    </Panel>
  );
}
