/** The merchant's wallets with their low-balance alert thresholds. */
import type { ReactNode } from 'react';
import type { Output, Row } from '../../../api/operations.ts';
import { useAnswer, usePages } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { type Column, PagedTable } from '../../../widgets/data-table.tsx';
import { Trouble } from '../../../widgets/notes.tsx';
import { Figure, Figures, Panel } from '../../../widgets/page.tsx';
import { Environment, Money, Nothing, NotYet } from '../../../widgets/values.tsx';
import { AlertButton } from './alert-button.tsx';

type Wallet = Row<'wallet.show'>;
/** Undefined while they load. */
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
          <Figure name="Available" note="Live, naira">
            <Money amount={live.available} />
          </Figure>
          <Figure name="Held" note="By pending purchases">
            <Money amount={live.held} />
          </Figure>
          <Figure name="Low-balance alert" note={alertNote(alerts, live)}>
            <Threshold alerts={alerts} wallet={live} none="Not set" />
          </Figure>
        </Figures>
      )}
      <Panel
        title="Wallets"
        note="When the balance falls below the threshold, the chosen people get an e-mail and your endpoints the event wallet.low."
        bare
      >
        <PagedTable
          pages={pages}
          what="wallets"
          caption="Wallets"
          empty="Ask the gateway’s operator to open one."
          keyOf={({ environment, currency }) => `${environment} ${currency}`}
          columns={[
            ...columns,
            thresholdColumn(alerts),
            ...(may('wallet.set_alert') ? [actionsOf(alerts)] : []),
          ]}
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
    head: 'Available',
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
    head: 'Alert below',
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
  /** Shown without an alert. */
  readonly none: ReactNode;
}) {
  if (alerts === undefined) return <NotYet />;
  const threshold = alertOf(alerts, { environment, currency })?.threshold ?? null;
  return threshold === null ? none : <Money amount={threshold} currency={currency} />;
}

type NamedWallet = Pick<Wallet, 'environment' | 'currency'>;

function alertOf(alerts: Alerts, { environment, currency }: NamedWallet) {
  return alerts?.find((one) => one.environment === environment && one.currency === currency);
}

function alertNote(alerts: Alerts, wallet: NamedWallet): string {
  const emails = alertOf(alerts, wallet)?.emails ?? [];
  return emails.length === 0 ? 'No e-mail is sent' : `E-mail to ${emails.join(', ')}`;
}

function actionsOf(alerts: Alerts): Column<Wallet> {
  return {
    head: 'Actions',
    cell: (wallet) => {
      const alert = alertOf(alerts, wallet);
      return alert === undefined ? <Nothing /> : <AlertButton wallet={wallet} alert={alert} />;
    },
  };
}
