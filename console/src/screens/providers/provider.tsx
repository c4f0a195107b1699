/** A provider: health, float, processes, credentials and routes. */
import { useParams } from '@tanstack/react-router';
import type { Output } from '../../api/operations.ts';
import { useAnswer, usePages } from '../../api/queries.ts';
import { kindText, networkText, productText, words } from '../../design/format.ts';
import { LinkButton } from '../../widgets/button.tsx';
import { DataTable, PagedTable } from '../../widgets/data-table.tsx';
import { purchasePath } from '../../widgets/go.tsx';
import { Empty, Hint, Loading, Trouble } from '../../widgets/notes.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Columns, Facts, Figure, Figures, Page, Panel, Stack } from '../../widgets/page.tsx';
import { Environment, Nothing, NotYet, RowTime, State, Time } from '../../widgets/values.tsx';
import { purchaseColumns } from '../purchases/purchase-columns.tsx';
import { FloatPanel } from './float-panel.tsx';
import { strategyNames } from './route-words.ts';
import { endedText, SuccessPanel, useSuccess } from './success.tsx';
import { ThirtyDays } from './truth.tsx';

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
  // The address may have a former name.
  const shown = provider.provider;
  const given = { provider: shown };
  return (
    <Page
      title={shown}
      lead={
        <>
          <Environment environment={provider.environment} />{' '}
          {provider.removed ? 'Removed' : words(provider.health)}, connector {provider.connector}
          {provider.former_names.length === 0 ? null : `, before ${provider.former_names.join(', ')}`}
        </>
      }
      actions={
        <>
          <OperationButton
            name="provider.test"
            verb="Test credentials"
            look="main"
            given={given}
            fields={[]}
          />
          <OperationButton
            name="provider.pause"
            verb="Pause"
            look="danger"
            title={`Pause ${shown}`}
            given={given}
            fields={['reason', 'product', 'network']}
            done="Provider paused."
          />
          <OperationButton
            name="provider.rename"
            verb="Rename"
            title={`Rename ${shown}`}
            given={given}
            fields={['name']}
            labels={{ name: 'New name' }}
            done="Provider renamed. Its former name still leads to it."
          />
          <OperationButton
            name="provider.remove"
            verb="Remove"
            look="danger"
            title={`Remove ${shown}`}
            given={given}
            fields={['keep_codes']}
            labels={{ keep_codes: 'Leave its plan codes in the catalog' }}
            done="Provider removed. Its history is kept."
          />
        </>
      }
    >
      <Health provider={provider} />
      <Paused provider={provider} />
      <FloatPanel provider={shown} />
      <Columns>
        <Processes provider={provider} />
        <Credentials provider={provider} />
      </Columns>
      <SuccessPanel provider={shown} />
      <ThirtyDays provider={provider} />
      <LastFailures provider={shown} />
      <Panel title="Routes" bare>
        {provider.routes.length === 0 ? (
          <Empty title="No routes.">Set a route under Providers.</Empty>
        ) : (
          <DataTable
            caption="Routes"
            rows={provider.routes}
            keyOf={({ product, network, kind }) => `${product} ${network} ${kind}`}
            columns={[
              { head: 'Product', cell: ({ product }) => productText(product) },
              { head: 'Network or biller', cell: ({ network }) => networkText(network) },
              { head: 'Kind', cell: ({ kind }) => kindText(kind) },
              { head: 'Position', figures: true, cell: ({ position }) => position },
              { head: 'Share', figures: true, cell: ({ share }) => share ?? <Nothing /> },
              { head: 'Strategy', cell: ({ strategy }) => strategyNames[strategy] },
            ]}
          />
        )}
      </Panel>
    </Page>
  );
}

/** Lists the newest failures, with a bounded search. */
function LastFailures({ provider }: { readonly provider: string }) {
  const pages = usePages('purchase.list', { provider, status: 'failed', limit: FAILURES }, SLOWLY);
  return (
    <Panel
      title="Last failures"
      note="Failed purchases of this provider."
      actions={
        <LinkButton to={`/purchases?provider=${provider}&status=failed`} look="quiet">
          All failures
        </LinkButton>
      }
      bare
    >
      <PagedTable
        pages={pages}
        what="failures"
        caption="Last failures"
        empty="No recent failures."
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
          note={`${limiter.waiting} waiting; ${limiter.per_second} of ${limiter.per_second_max} per second`}
        >
          {limiter.calls} of {limiter.calls_max}
        </Figure>
        <Figure name="Breaker" note={breaker.held_back_in > 0 ? `open for ${breaker.for_s} s` : 'closed'}>
          {words(breaker.state)}
        </Figure>
        <Figure name="Pending" note={`${pending.to_send} to send`}>
          {pending.to_ask} to query
        </Figure>
        <Figure name="Unknown or unreachable" note="in the last hour">
          {hour.unknown + hour.unreachable}
        </Figure>
      </Figures>
      {error === null ? null : (
        <Panel title="Success rates" bare>
          <Trouble error={error} again={again} />
        </Panel>
      )}
    </>
  );
}

/** Counts the calls of the rate. */
function callsText({ success, failed, unknown, unreachable }: Provider['five_minutes']): string {
  const others = unknown + unreachable;
  return `${success} successes, ${failed} failures${others === 0 ? '' : `, ${others} without an answer`}`;
}

function noneText(isKnown: boolean): string {
  return isKnown ? 'no final purchases' : 'of final purchases';
}

function Paused({ provider }: { readonly provider: Provider }) {
  if (provider.paused.length === 0) return null;
  return (
    <Panel title="Paused" bare>
      <DataTable
        caption="Paused"
        rows={provider.paused}
        keyOf={({ product, network }) => `${product} ${network}`}
        columns={[
          { head: 'Product', cell: ({ product }) => (product === '*' ? 'All' : product) },
          { head: 'Network', cell: ({ network }) => (network === '*' ? 'All' : networkText(network)) },
          { head: 'Reason', cell: ({ reason }) => reason },
          { head: 'By', cell: ({ by }) => by },
          { head: 'Since', cell: ({ since }) => <RowTime at={since} /> },
          {
            head: 'Actions',
            cell: ({ product, network }) => (
              <OperationButton
                name="provider.resume"
                verb="Resume"
                title="Resume the provider"
                given={{
                  provider: provider.provider,
                  ...(product !== '*' && { product }),
                  ...(network !== '*' && { network }),
                }}
                fields={[]}
                done="Provider resumed."
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
    <Panel title="Processes" bare>
      {provider.in_processes.length === 0 ? (
        <Empty title="No process uses this provider.">It is not configured in any process.</Empty>
      ) : (
        <DataTable
          caption="Processes"
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
      note="Stored encrypted. Fingerprints identify values without revealing them."
      actions={
        <>
          <OperationButton
            name="provider.set_credentials"
            verb="Store credentials"
            given={given}
            start={{ values: settings.map(({ name }) => `${name}: `).join('\n') }}
            labels={{ values: 'Settings', force: 'Allow another account' }}
            done="Credentials stored. Gateways use them within seconds."
          />
          {before === null ? null : (
            <OperationButton
              name="provider.restore_credentials"
              verb="Restore previous"
              given={given}
              labels={{ force: 'Allow another account' }}
              done="Previous credentials restored."
            />
          )}
        </>
      }
    >
      <Stack>
        {credentials === null ? (
          <p>No credentials are stored. The gateway’s environment is used.</p>
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
