/** The wallets of the merchant, each with the balance from which on it is told that it is low. */
import type { ReactNode } from 'react';
import type { Output, Row } from '../../../api/operations.ts';
import { useAnswer, usePages } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Act } from '../../../widgets/act.tsx';
import { type Column, PagedTable } from '../../../widgets/data-table.tsx';
import { Trouble } from '../../../widgets/notes.tsx';
import { Figure, Figures, Panel } from '../../../widgets/page.tsx';
import { Environment, Money, Nothing, NotYet } from '../../../widgets/values.tsx';

type Wallet = Row<'wallet.show'>;
/** Undefined until they are known. */
type Alerts = Output<'wallet.alerts'> | undefined;

const REFRESH_MS = 15_000;

export function Wallets() {
  const may = useMay();
  const pages = usePages('wallet.show', {}, { refreshMs: REFRESH_MS });
  const { data: alerts, error, refetch } = useAnswer('wallet.alerts', {});
  const live = pages.rows.find(({ environment, currency }) => environment === 'live' && currency === 'NGN');
  return (
    <>
      {live === undefined ? null : (
        <Figures>
          <Figure name="You may spend" note="Live, in naira">
            <Money amount={live.available} />
          </Figure>
          <Figure name="Held" note="For purchases that are pending">
            <Money amount={live.held} />
          </Figure>
          <Figure name="You are told below" note="By the event wallet.low">
            <Threshold alerts={alerts} wallet={live} none="Not set" />
          </Figure>
        </Figures>
      )}
      <Panel
        title="Wallets"
        note="Below the threshold that you set, your endpoints get the event wallet.low."
        bare
      >
        <PagedTable
          pages={pages}
          what="wallets"
          caption="Wallets"
          empty="Ask whoever runs the gateway to open one for you."
          keyOf={({ environment, currency }) => `${environment} ${currency}`}
          columns={[...columns, thresholdColumn(alerts), ...(may('wallet.set_alert') ? [acts] : [])]}
        />
        {error === null ? null : <Trouble error={error} again={() => void refetch()} />}
      </Panel>
    </>
  );
}

const columns: readonly Column<Wallet>[] = [
  { head: 'Environment', cell: ({ environment }) => <Environment environment={environment} /> },
  { head: 'Currency', cell: ({ currency }) => currency },
  {
    head: 'You may spend',
    figures: true,
    cell: ({ available, currency }) => (
      <strong>
        <Money amount={available} currency={currency} />
      </strong>
    ),
  },
  { head: 'Held', figures: true, cell: ({ held, currency }) => <Money amount={held} currency={currency} /> },
];

function thresholdColumn(alerts: Alerts): Column<Wallet> {
  return {
    head: 'Told below',
    figures: true,
    cell: (wallet) => <Threshold alerts={alerts} wallet={wallet} none={<Nothing />} />,
  };
}

function Threshold({
  alerts,
  wallet: { environment, currency },
  none,
}: {
  readonly alerts: Alerts;
  readonly wallet: Wallet;
  /** What is shown where nothing is told. */
  readonly none: ReactNode;
}) {
  if (alerts === undefined) return <NotYet />;
  const found = alerts.find((one) => one.environment === environment && one.currency === currency);
  const threshold = found?.threshold ?? null;
  return threshold === null ? none : <Money amount={threshold} currency={currency} />;
}

const acts: Column<Wallet> = {
  head: 'Act',
  cell: ({ environment, currency }) => (
    <Act
      name="wallet.set_alert"
      verb="Set threshold"
      title="From what balance on you are told"
      lead="Left empty, you are not told."
      given={{ environment, currency }}
      fields={['threshold']}
      labels={{ threshold: 'Tell us below' }}
      done="The threshold is set."
    />
  ),
};
