/** The health of all providers, and the routes. */
import { useAnswer, usePages } from '../../api/queries.ts';
import { ageText, networkText, productText, words } from '../../design/format.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { useOwnRows } from '../../widgets/environment.ts';
import { Trouble } from '../../widgets/notes.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { Badge, Money, Nothing, NotYet, RowTime, type Tone } from '../../widgets/values.tsx';
import { Routes } from './routes.tsx';
import { Rate, SuccessPanel, useSuccess } from './success.tsx';
import { Truth } from './truth.tsx';

const REFRESH_MS = 10_000;

const healthTones: Readonly<Record<string, Tone>> = {
  well: 'good',
  degraded: 'wait',
  unwell: 'bad',
  unknown: 'wait',
};

export function Providers() {
  const pages = useOwnRows(usePages('provider.list', { limit: 200 }, { refreshMs: REFRESH_MS }));
  const floats = useAnswer('float.list', { limit: 200 });
  const runwayOf = (provider: string) => floats.data?.data.find((one) => one.provider === provider)?.runway;
  const { of: successOf, isKnown, ...success } = useSuccess();
  return (
    <Page
      title="Providers and routes"
      lead="Health of each provider, and routes."
      actions={
        <OperationButton
          name="provider.add"
          verb="Add an account"
          look="main"
          title="Add an account at a provider"
          done="Account added. Open it to store its credentials."
        />
      }
    >
      <Panel
        title="Health"
        note="Success rates of the last 5 minutes, 24 hours and 30 days. Cost is in percent of the face value. The truth grade shows how far answers can be believed."
        bare
      >
        <PagedTable
          pages={pages}
          what="providers"
          caption="Providers"
          empty="Configure a provider in the gateway’s settings."
          keyOf={({ provider, environment: where }) => `${provider} ${where}`}
          linkOf={({ provider }) => `/providers/${provider}`}
          columns={[
            { head: 'Provider', cell: ({ provider }) => provider },
            {
              head: 'Health',
              cell: ({ health, paused, breaker, trouble }) => (
                <>
                  <Badge tone={healthTones[health] ?? 'quiet'}>{words(health)}</Badge>{' '}
                  {paused.map((one) => (
                    <Badge key={`${one.product} ${one.network}`} tone="wait">
                      {pausedText(one)}
                    </Badge>
                  ))}{' '}
                  {breaker.state === 'closed' ? null : (
                    <Badge tone="bad">breaker {words(breaker.state).toLowerCase()}</Badge>
                  )}{' '}
                  {trouble?.what}
                </>
              ),
            },
            {
              head: '5 min',
              figures: true,
              cell: ({ five_minutes: of }) => percent(of.success_percent),
            },
            {
              head: '24 h',
              figures: true,
              cell: ({ provider, environment: where }) => (
                <Rate of={successOf(provider, where)?.day} isKnown={isKnown} />
              ),
            },
            {
              head: '30 d',
              figures: true,
              cell: ({ thirty_days: of }) => percent(of.success_percent),
            },
            {
              head: 'Cost',
              figures: true,
              isRare: true,
              cell: ({ thirty_days: of }) => percent(of.cost_percent),
            },
            {
              head: 'Truth',
              cell: ({ thirty_days: of }) => <Truth of={of} />,
            },
            {
              head: 'Float',
              figures: true,
              cell: ({ float }) => <Money amount={float?.amount} currency={float?.currency} />,
            },
            {
              head: 'Runway',
              cell: ({ provider }) => {
                if (floats.data === undefined) return <NotYet />;
                const runway = runwayOf(provider);
                if (runway === undefined) return <Nothing />;
                if (runway.hours === null) return runway.over_two_weeks ? 'Over two weeks' : <Nothing />;
                return ageText(runway.hours * 3_600);
              },
            },
            {
              head: 'Last answer',
              cell: ({ last_answer: last }) =>
                last === null ? (
                  <Nothing />
                ) : (
                  <>
                    {words(last.what)}, <RowTime at={last.at} />
                  </>
                ),
            },
          ]}
        />
        {floats.error === null ? null : <Trouble error={floats.error} again={() => void floats.refetch()} />}
        {success.error === null ? null : <Trouble error={success.error} again={success.again} />}
      </Panel>
      <SuccessPanel />
      <Routes accounts={pages.rows} />
    </Page>
  );
}

/** Names the paused products, such as "paused: airtime, MTN". */
function pausedText({ product, network }: { readonly product: string; readonly network: string }): string {
  const parts = [product === '*' ? '' : productText(product), network === '*' ? '' : networkText(network)];
  const named = parts.filter((part) => part !== '').join(', ');
  return named === '' ? 'paused' : `paused: ${named}`;
}

function percent(value: number | null) {
  return value === null ? <Nothing /> : `${value} %`;
}
