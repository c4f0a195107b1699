/** The merchant's wallets, alerts, funding accounts and deposits. */
import { usePages } from '../../../api/queries.ts';
import { useMay } from '../../../api/session.ts';
import { useEnvironment } from '../../../widgets/environment.ts';
import { environmentFilter, FilterBar } from '../../../widgets/filter-bar.tsx';
import { Page } from '../../../widgets/page.tsx';
import { Deposits } from './deposits.tsx';
import { FundingAccounts } from './funding-accounts.tsx';
import { Wallets } from './wallets.tsx';

export function Balance() {
  const may = useMay();
  return (
    <Page title="Balance" lead="Your wallets, funding accounts and deposits.">
      <Wallets />
      {may('funding.account') ? <FundingAccounts /> : null}
      {may('deposit.credited') ? <OwnDeposits /> : null}
    </Page>
  );
}

function OwnDeposits() {
  return (
    <>
      <FilterBar filters={[environmentFilter]} />
      <Deposits pages={usePages('deposit.credited', { environment: useEnvironment() })} />
    </>
  );
}
