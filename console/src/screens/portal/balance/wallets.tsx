/** The wallets of the merchant, each with the balance from which on it is told that it is low. */
import type { Output, Row } from '../../../api/operations.ts';
import { useAnswer, usePages } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { Act } from '../../../widgets/act.tsx';
import { type Column, PagedTable } from '../../../widgets/data-table.tsx';
import { Figure, Figures, Panel } from '../../../widgets/page.tsx';
import { Environment, Money } from '../../../widgets/values.tsx';

type Wallet = Row<'wallet.show'>;

const REFRESH_MS = 15_000;

export function Wallets() {
  const may = useMay();
  const pages = usePages('wallet.show', {}, { refreshMs: REFRESH_MS });
  const { data: alerts } = useAnswer('wallet.alerts', {});
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
            {thresholdOf(alerts, live) === null ? 'Not set' : <Money amount={thresholdOf(alerts, live)} />}
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

function thresholdColumn(alerts: Output<'wallet.alerts'> | undefined): Column<Wallet> {
  return {
    head: 'Told below',
    figures: true,
    cell: (wallet) => <Money amount={thresholdOf(alerts, wallet)} currency={wallet.currency} />,
  };
}

/** Null: nothing is told. */
function thresholdOf(
  alerts: Output<'wallet.alerts'> | undefined,
  { environment, currency }: Wallet,
): string | null {
  const found = alerts?.find((one) => one.environment === environment && one.currency === currency);
  return found?.threshold ?? null;
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
