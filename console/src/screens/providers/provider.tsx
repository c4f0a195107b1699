/** One provider: its health in each process, our money there, its credentials. */
import { useParams } from '@tanstack/react-router';
import type { Output } from '../../api/operations.ts';
import { useAnswer, usePages } from '../../api/queries.ts';
import { words } from '../../design/format.ts';
import { Act } from '../../widgets/act.tsx';
import { LinkButton } from '../../widgets/button.tsx';
import { DataTable, PagedTable } from '../../widgets/data-table.tsx';
import { purchasePath } from '../../widgets/go.tsx';
import { Empty, Hint, Loading, Trouble } from '../../widgets/notes.tsx';
import { Columns, Facts, Figure, Figures, Page, Panel, Stack } from '../../widgets/page.tsx';
import { Environment, Nothing, NotYet, RowTime, State, Time } from '../../widgets/values.tsx';
import { purchaseColumns } from '../purchases/purchase-columns.tsx';
import { FloatPanel } from './float-panel.tsx';
import { endedText, SuccessPanel, useSuccess } from './success.tsx';

const REFRESH_MS = 5_000;
const FAILURES = 5;
const SLOWLY = { refreshMs: 30_000 };

type Provider = Output<'provider.show'>;

export function ProviderScreen() {
  const { provider: name = '' } = useParams({ strict: false });
  const {
    data: provider,
    error,
    refetch,
  } = useAnswer('provider.show', { provider: name }, { refreshMs: REFRESH_MS });
  if (error !== null) {
    return (
      <Page title={`Provider ${name}`}>
        <Trouble error={error} again={() => void refetch()} />
      </Page>
    );
  }
  if (provider === undefined) return <Loading what="the provider" />;
  const given = { provider: name };
  return (
    <Page
      title={name}
      lead={
        <>
          <Environment environment={provider.environment} /> {words(provider.health)}
        </>
      }
      acts={
        <>
          <Act name="provider.test" verb="Test its credentials" look="main" given={given} fields={[]} />
          <Act
            name="provider.pause"
            verb="Pause"
            look="danger"
            title={`Send no new purchases to ${name}`}
            given={given}
            fields={['reason', 'product', 'network']}
            done="It is paused."
          />
        </>
      }
    >
      <Health provider={provider} />
      <Paused provider={provider} />
      <FloatPanel provider={name} />
      <Columns>
        <Processes provider={provider} />
        <Credentials provider={provider} />
      </Columns>
      <SuccessPanel provider={name} />
      <LastFailures provider={name} />
      <Panel title="What it serves" bare>
        {provider.routes.length === 0 ? (
          <Empty title="No route names it.">Set one on the page of providers.</Empty>
        ) : (
          <DataTable
            caption="Routes that name it"
            rows={provider.routes}
            keyOf={({ product, network }) => `${product} ${network}`}
            columns={[
              { head: 'Product', cell: ({ product }) => words(product.toLowerCase()) },
              { head: 'Network or biller', cell: ({ network }) => network },
              { head: 'Place', figures: true, cell: ({ position }) => position },
              { head: 'Share', figures: true, cell: ({ share }) => share ?? <Nothing /> },
            ]}
          />
        )}
      </Panel>
    </Page>
  );
}

/** The newest of them: the search is bounded, however many there are. */
function LastFailures({ provider }: { readonly provider: string }) {
  const pages = usePages('purchase.list', { provider, status: 'failed', limit: FAILURES }, SLOWLY);
  return (
    <Panel
      title="Last failures"
      note="Purchases that failed there."
      acts={
        <LinkButton to={`/purchases?provider=${provider}&status=failed`} look="quiet">
          All of them
        </LinkButton>
      }
      bare
    >
      <PagedTable
        pages={pages}
        what="failures"
        caption="Last failures"
        empty="None failed of late."
        columns={purchaseColumns}
        keyOf={({ id }) => id}
        linkOf={({ id }) => purchasePath(id)}
      />
    </Panel>
  );
}

function Health({ provider }: { readonly provider: Provider }) {
  const { five_minutes: five, hour, limiter, breaker, pending, trouble } = provider;
  const rate = (value: number | string | null) => (value === null ? '–' : `${value} %`);
  const { isKnown, error, again, of } = useSuccess(provider.provider);
  const ended = of(provider.provider, provider.environment);
  return (
    <>
      {trouble === null ? null : (
        <Hint tone="bad">
          {trouble.what}, since <Time at={trouble.since} near />
        </Hint>
      )}
      <Figures>
        <Figure name="Success, 5 minutes" note={callsText(five)}>
          {rate(five.success_percent)}
        </Figure>
        {(['hour', 'day'] as const).map((time) => (
          <Figure
            key={time}
            name={time === 'hour' ? 'Success, 1 hour' : 'Success, 24 hours'}
            note={ended === undefined ? noneText(isKnown) : endedText(ended[time])}
          >
            {isKnown ? rate(ended?.[time].success_rate ?? null) : <NotYet />}
          </Figure>
        ))}
        <Figure
          name="Calls"
          note={`${limiter.waiting} wait; ${limiter.per_second} of ${limiter.per_second_max} a second`}
        >
          {limiter.calls} of {limiter.calls_max}
        </Figure>
        <Figure
          name="Breaker"
          note={breaker.held_back_in > 0 ? `holds back for ${breaker.for_s} s` : 'holds nothing back'}
        >
          {words(breaker.state)}
        </Figure>
        <Figure name="Pending" note={`${pending.to_send} to send`}>
          {pending.to_ask} to ask
        </Figure>
        <Figure name="Unknown or unreachable" note="in the last hour">
          {hour.unknown + hour.unreachable}
        </Figure>
      </Figures>
      {error === null ? null : (
        <Panel title="Its success in an hour and in 24 hours" bare>
          <Trouble error={error} again={again} />
        </Panel>
      )}
    </>
  );
}

/** All calls that the rate counts. */
function callsText({ success, failed, unknown, unreachable }: Provider['five_minutes']): string {
  const others = unknown + unreachable;
  return `${success} successes, ${failed} failures${others === 0 ? '' : `, ${others} without an answer`}`;
}

function noneText(isKnown: boolean): string {
  return isKnown ? 'nothing became final' : 'of those that ended';
}

function Paused({ provider }: { readonly provider: Provider }) {
  if (provider.paused.length === 0) return null;
  return (
    <Panel title="Paused" bare>
      <DataTable
        caption="What is paused"
        rows={provider.paused}
        keyOf={({ product, network }) => `${product} ${network}`}
        columns={[
          { head: 'Product', cell: ({ product }) => (product === '*' ? 'All' : product) },
          { head: 'Network', cell: ({ network }) => (network === '*' ? 'All' : network) },
          { head: 'Why', cell: ({ reason }) => reason },
          { head: 'By', cell: ({ by }) => by },
          { head: 'Since', cell: ({ since }) => <RowTime at={since} /> },
          {
            head: 'Act',
            cell: ({ product, network }) => (
              <Act
                name="provider.resume"
                verb="Resume"
                title="Send purchases to it again"
                given={{
                  provider: provider.provider,
                  ...(product !== '*' && { product }),
                  ...(network !== '*' && { network }),
                }}
                fields={[]}
                done="It gets purchases again."
              />
            ),
          },
        ]}
      />
    </Panel>
  );
}

function Processes({ provider }: { readonly provider: Provider }) {
  return (
    <Panel title="In each process" bare>
      {provider.in_processes.length === 0 ? (
        <Empty title="No process can call it.">Its settings are given nowhere.</Empty>
      ) : (
        <DataTable
          caption="In each process"
          rows={provider.in_processes}
          keyOf={({ gateway }) => gateway}
          columns={[
            { head: 'Process', cell: ({ host, pid, role }) => `${host} ${pid}, ${role}` },
            {
              head: 'Calls',
              figures: true,
              cell: ({ limiter }) => `${limiter.calls} of ${limiter.calls_max}`,
            },
            { head: 'Breaker', cell: ({ breaker }) => words(breaker) },
            {
              head: 'Success, 5 min',
              figures: true,
              cell: ({ five_minutes: { success_percent: value } }) =>
                value === null ? <Nothing /> : `${value} %`,
            },
          ]}
        />
      )}
    </Panel>
  );
}

function Credentials({ provider }: { readonly provider: Provider }) {
  const given = { provider: provider.provider };
  const { credentials, credentials_before: before, settings } = provider;
  return (
    <Panel
      title="Credentials"
      note="Stored sealed. A fingerprint tells two apart, and tells nothing of the secret."
      acts={
        <>
          <Act
            name="provider.set_credentials"
            verb="Store credentials"
            given={given}
            start={{ values: settings.map(({ name }) => `${name}: `).join('\n') }}
            labels={{ values: 'Settings and their values', force: 'Although it is another account there' }}
            done="They are stored: gateways take them within seconds."
          />
          {before === null ? null : (
            <Act
              name="provider.restore_credentials"
              verb="Go back to those before"
              given={given}
              labels={{ force: 'Although it is another account there' }}
              done="Those of before are in use again."
            />
          )}
        </>
      }
    >
      <Stack>
        {credentials === null ? (
          <p>None are stored: those of the environment are in use.</p>
        ) : (
          <Facts
            facts={[
              ['Version', credentials.version],
              ['Stored by', credentials.set_by],
              ['At', <Time key="a" at={credentials.set_at} />],
              ...Object.entries(credentials.fingerprints).map(([name, print]) => [name, print] as const),
            ]}
          />
        )}
        <Facts
          facts={settings.map(({ name, secret }) => [
            name,
            <State key={name} state={secret ? 'secret' : 'plain'} />,
          ])}
        />
      </Stack>
    </Panel>
  );
}
