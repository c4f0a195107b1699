/**
 * Everything that a merchant needs to answer a complaint about a purchase, on one page to print.
 */
import { useParams } from '@tanstack/react-router';
import type { Output } from '../../../api/operations.ts';
import { useAnswer } from '../../../api/queries.ts';
import { goodsText, moneyText } from '../../../design/format.ts';
import { Button, LinkButton } from '../../../widgets/button.tsx';
import { DataTable } from '../../../widgets/data-table.tsx';
import { purchasePath } from '../../../widgets/go.tsx';
import { Empty, Hint, Loading, Trouble } from '../../../widgets/notes.tsx';
import { Facts, Page, Panel, Stack } from '../../../widgets/page.tsx';
import { Code, Environment, Money, Nothing, RowTime, State, Time } from '../../../widgets/values.tsx';
import { answerTexts, moneyTexts, nextTexts, sourceTexts, whereMoneyIs } from './complaint-text.ts';

type Complaint = Output<'merchant_purchase.complaint'>;

/** The refresh interval of a pending purchase. */
const PENDING_REFRESH_MS = 4_000;

export function Complaint() {
  const { reference = '' } = useParams({ strict: false });
  const { data, error, refetch } = useAnswer(
    'merchant_purchase.complaint',
    { reference },
    { refreshMs: (shown) => (shown?.status === 'pending' ? PENDING_REFRESH_MS : 0) },
  );
  if (error !== null) {
    return (
      <Page title="Complaint">
        <Trouble error={error} again={() => void refetch()} />
        <div>
          <LinkButton to="/purchases">All purchases</LinkButton>
        </div>
      </Page>
    );
  }
  if (data === undefined) return <Loading what="the purchase" />;
  return (
    <Page
      title="Complaint"
      lead={
        <>
          <State state={data.status} /> <Environment environment={data.environment} /> reference{' '}
          <Code>{data.reference}</Code>
        </>
      }
      actions={
        <>
          <LinkButton to={purchasePath(data.id)}>Purchase</LinkButton>
          <Button onClick={() => print()}>Print</Button>
        </>
      }
    >
      <Asked complaint={data} />
      <Answers complaint={data} />
      <WhereMoneyIs complaint={data} />
      <Next complaint={data} />
    </Page>
  );
}

type Of = { readonly complaint: Complaint };

function Asked({ complaint }: Of) {
  const { product, network, plan_code: plan, recipient, amount, accepted_at: at, credential, id } = complaint;
  return (
    <Panel title="What was requested" note="Times are in Lagos time.">
      <Facts
        facts={[
          ['Product', goodsText(product, network)],
          plan === null ? undefined : ['Plan', <Code key="p">{plan}</Code>],
          ['Recipient', recipient === '' ? <Nothing key="r" /> : <Code key="r">{recipient}</Code>],
          ['Amount', <Money key="a" amount={amount} />],
          ['Received', <Time key="t" at={at} />],
          ['API key', <Code key="k">{credential}</Code>],
          ['Internal reference', <Code key="i">{id}</Code>],
        ]}
      />
    </Panel>
  );
}

function Answers({ complaint: { attempts, telco_message: said } }: Of) {
  const rows = attempts.flatMap(({ number, provider, at, answers }) => [
    { key: `${number}`, at, provider, text: number === 1 ? 'Order sent' : 'Order sent again' },
    ...answers.map((one, index) => ({
      key: `${number}-${index}`,
      at: one.at,
      provider,
      text: `${sourceTexts[one.source]}: ${answerTexts[one.answer]}`,
    })),
  ]);
  return (
    <Panel title="What each provider said">
      <Stack>
        {rows.length === 0 ? (
          <Empty title="No provider was called.">The order was not sent, so nothing can arrive.</Empty>
        ) : (
          <DataTable
            caption="Answers"
            rows={rows}
            keyOf={({ key }) => key}
            columns={[
              { head: 'Time', cell: ({ at }) => <RowTime at={at} /> },
              { head: 'Provider', cell: ({ provider }) => `Provider ${provider}` },
              { head: 'Event', cell: ({ text }) => text },
            ]}
          />
        )}
        {said === null ? null : (
          <p>
            Message of the network or biller: <q>{said}</q>
          </p>
        )}
      </Stack>
    </Panel>
  );
}

function WhereMoneyIs({ complaint }: Of) {
  return (
    <Panel title="Where the money is">
      <Stack>
        <Hint tone={complaint.status === 'pending' ? 'wait' : 'note'}>{whereMoneyIs(complaint)}</Hint>
        <DataTable
          caption="Money"
          rows={complaint.money}
          keyOf={(_, index) => String(index)}
          columns={[
            { head: 'Time', cell: ({ at }) => <RowTime at={at} /> },
            { head: 'Event', cell: ({ what }) => moneyTexts[what] },
            { head: 'Amount', figures: true, cell: ({ amount }) => moneyText(amount) },
          ]}
        />
      </Stack>
    </Panel>
  );
}

function Next({ complaint: { next, is_flagged: isFlagged, status } }: Of) {
  return (
    <Panel title="What happens next">
      <Stack>
        {next === null ? (
          <p>
            {status === 'success'
              ? 'Nothing: the purchase was delivered. If the customer has not received it, give this page to the operator.'
              : 'Nothing: the purchase failed. You can buy again.'}
          </p>
        ) : (
          <p>
            {nextTexts[next.what]} {next.at === null ? null : <Time at={next.at} near />}
          </p>
        )}
        {status === 'pending' ? <p>Do not buy it again until it is final.</p> : null}
        {isFlagged ? <p>It takes longer than usual, and the operator was alerted.</p> : null}
      </Stack>
    </Panel>
  );
}
